import { fromFlag } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { counted } from '../../counted.ts';
import { readMoney } from '../../money.ts';
import { awaitedUntil, reportingDelay } from '../answers/awaited-figures.ts';
import { isUnreported } from '../machines.ts';
import { owedOf } from '../spend/buy-commitment.ts';
import { isStatusApart } from './listed-twice.ts';

/** What is still to come of a media buy that is over, in words; undefined where its figures stand. Pure. */
export function figuresToCome(buy: MediaBuyRow, graceMs: number): string | undefined {
  const until = awaitedUntil(buy, graceMs);
  if (until === undefined) return undefined;
  const bound = readMoney(owedOf(buy), buy.currency);
  const counts = `Its final figures are still to come: what ${buy.agent_name} reports until ${until} counts.`;
  if (fromFlag(buy.figures_final) && !isUnreported(buy))
    return `${buy.agent_name} called its figures final: ${bound} are bound. What it corrects until ${until} still counts.`;
  if (isUnreported(buy) && isStatusApart(buy))
    return `${counts} Nothing it reports settles that while it lists it so: ${bound} stay bound until it does not, or until then.`;
  const since = delayInWords(reportingDelay(buy));
  return isUnreported(buy)
    ? `${counts} It has reported nothing since ${since}: ${bound} stay bound until it does, or until then.`
    : `${counts} By its last report ${bound} are bound.`;
}

/** What comes before the delay is over that its seller declares is not all yet. */
function delayInWords(minutes: number): string {
  return minutes === 0 ? 'the end' : `the end and the ${counted(minutes, 'minute')} by which it reports late`;
}
