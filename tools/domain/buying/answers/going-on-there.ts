import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { MINUTE_MS, momentAfter } from '../../../core/moments.ts';
import type { ShownBuy } from '../../sellers/port.ts';
import { askSeller } from '../references.ts';
import { eventTold } from './told-words.ts';

/**
 * Media buys that were said to be over, and that their sellers go on showing as such that run or are held: what they
 * spend is owed, so that they are bound and can be stopped again. Pure.
 */

type Over = Pick<MediaBuyRow, 'end_time' | 'figures_awaited_since'>;

/** For so long after an end a list may still show what was: many sellers answer it from a copy. */
const COPIES_LAG_MS = 5 * MINUTE_MS;

/** Whether its seller shows one that is over as one that has not come to its end, within its time. */
function isShownLive({ end_time }: Over, { status }: ShownBuy, now: string): boolean {
  const told = status === null ? undefined : eventTold(status);
  return (told === 'run' || told === 'pause') && end_time > now;
}

/**
 * Whether what comes with it settles nothing, as more may be spent: it is shown as one that lives, or its seller lists
 * it more than once, each time with another status.
 */
export function mayGoOnThere(buy: Over, report: ShownBuy, now: string): boolean {
  const isContradicted = report.listedApart?.includes('status') === true && buy.end_time > now;
  return isContradicted || isShownLive(buy, report, now);
}

/** Whether that is no copy of what was: the end was heard of too long ago. */
export function goesOnThere(buy: Over, report: ShownBuy, now: string): boolean {
  const { figures_awaited_since: since } = buy;
  return isShownLive(buy, report, now) && since !== null && momentAfter(since, COPIES_LAG_MS) <= now;
}

type Buy = Pick<MediaBuyRow, 'goes_on_since' | 'agent_name' | 'storefront_id' | 'id'>;

/** What is said of it; undefined of one that never was over. `canCancel`: it is not said elsewhere how it is ended. */
export function goingOnInWords(buy: Buy, { canCancel }: { readonly canCancel: boolean }): string | undefined {
  const { goes_on_since: since, agent_name } = buy;
  if (since === null) return undefined;
  const said = `It was over, and ${agent_name} shows it since ${since} as one that goes on: its budget is bound again.`;
  return canCancel ? `${said} You: cancel it, if it is not to go on. ${askSeller(buy)}, why.` : said;
}
