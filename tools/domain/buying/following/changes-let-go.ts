import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Limits } from '../../../core/limits.ts';
import type { ShownBuy } from '../../sellers/port.ts';
import { calledOffIn } from '../changes/called-off.ts';
import { lacksAdded, showsNothingOf } from '../changes/change-differences.ts';
import type { ChangeColumns } from '../changes/change-outcome.ts';
import { isNotSentAgain } from '../changes/late-changes.ts';
import { orderTaken } from '../changes/taken-raises.ts';
import { longestOrderMs } from '../orders/order-sending.ts';
import { updateIn } from '../payloads.ts';
import { mediaOf } from '../spend/buy-commitment.ts';

/** Changes that nobody has answered, and that come to nothing by what their seller shows. Pure. */

interface Shown {
  readonly report: ShownBuy;
  readonly now: string;
  readonly limits: Limits;
}

const NEVER_ADDED: ChangeColumns = {
  state: 'refused',
  owner: null,
  error_code: 'source_unavailable',
  error_owner: 'seller',
  source_message: 'The seller did not answer, and shows the media buy without the further packages.',
};

const NEVER_RAISED: ChangeColumns = {
  ...NEVER_ADDED,
  source_message: 'The seller did not answer, and shows the media buy with the budgets of before.',
};

const CALLED_OFF: ChangeColumns = {
  state: 'superseded',
  owner: null,
  source_message: 'All that it was about was called off before its seller confirmed.',
};

export function letGo(change: MediaBuyChangeRow, buy: MediaBuyRow, shown: Shown): ChangeColumns | undefined {
  if (neverAdds(change, shown)) return NEVER_ADDED;
  if (neverRaises(change, buy, shown)) return NEVER_RAISED;
  return isOfCalledOff(change, buy) ? CALLED_OFF : undefined;
}

/** Packages were asked for, and the buy has none that it had not before. */
function neverAdds(change: MediaBuyChangeRow, { report, ...shown }: Shown): boolean {
  return isGivenUp(change, shown) && lacksAdded(change, report);
}

/**
 * A raise was asked for, and the buy has the budgets of before, to the last of those that were asked for. What a seller
 * takes of it later all the same was not ordered by then: no more than the budget is owed.
 */
function neverRaises(change: MediaBuyChangeRow, buy: MediaBuyRow, { report, ...shown }: Shown): boolean {
  const { action, committed_minor } = change;
  if (action !== 'update' || committed_minor <= buy.budget_minor || !isGivenUp(change, shown)) return false;
  const gone = calledOffIn(buy);
  const packages = fromJson(buy.packages).filter(({ package_id }) => !gone.has(package_id));
  const taken = orderTaken(buy, [change], packages);
  const isSpent = buy.spend_minor > mediaOf(buy);
  return showsNothingOf(change, buy, report) && Object.keys(taken).length === 0 && !isSpent;
}

/** It was asked for as often as a change is, and long enough ago for the last time to be over. */
function isGivenUp(change: MediaBuyChangeRow, { now, limits }: Omit<Shown, 'report'>): boolean {
  const { state, takeovers, updated_at } = change;
  if (state !== 'unknown' || takeovers < limits.orderTakeovers || isNotSentAgain(change)) return false;
  const patienceMs = longestOrderMs(limits) + limits.sellerTimeoutMs;
  return Date.parse(updated_at) + patienceMs <= Date.parse(now);
}

/** Whether it asks for nothing but other terms of packages that were called off since. */
function isOfCalledOff(change: MediaBuyChangeRow, buy: MediaBuyRow): boolean {
  const { action, state, adcp_task_id } = change;
  if (action !== 'update' || adcp_task_id !== null || (state !== 'unknown' && state !== 'waiting'))
    return false;
  const { party: _, idempotencyKey: __, packages = [], ...others } = updateIn(change);
  const gone = calledOffIn(buy);
  return (
    packages.length > 0 &&
    Object.keys(others).length === 0 &&
    packages.every(({ package_id }) => gone.has(package_id))
  );
}
