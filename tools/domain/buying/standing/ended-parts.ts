import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { firstFew } from '../../counted.ts';
import { readMoney } from '../../money.ts';
import { keptIn } from '../changes/kept-budgets.ts';
import { isOpenStatus } from '../machines.ts';

/** How many are named. */
const NAMED = 5;

/** What is said of packages that their seller called off by itself; undefined where it did not. Pure. */
export function endedPartsInWords(buy: MediaBuyRow): string | undefined {
  const { agent_name, currency, sandbox, status } = buy;
  const ended = fromJson(buy.packages).filter((part) => part.ended_by_seller === true);
  if (ended.length === 0 || !isOpenStatus(status)) return undefined;
  const ids = ended.map(({ package_id }) => package_id);
  const called = `${agent_name} called off ${firstFew(ids, { most: NAMED, word: 'package' })} by itself`;
  if (fromFlag(sandbox)) return `${called}.`;
  return `${called}: ${readMoney(keptIn(ended), currency)} stay bound for what was delivered of that, and the rest is released.`;
}
