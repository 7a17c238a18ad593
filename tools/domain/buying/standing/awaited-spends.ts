import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../../store/spend-approvals.ts';
import { awaitedInWords } from '../../approvals/awaited.ts';
import { asksForOrders, buysNamedIn } from '../../approvals/withdrawing.ts';
import { isUnheld } from '../answers/unsent.ts';

/** Of what waits for another person that which a media buy waits for. Pure. */

type Buy = Pick<MediaBuyRow, 'id' | 'status' | 'submission'>;

/** Whether it was asked of a media buy by name, or is the execute that orders it. */
export function isAwaitedFor(buy: Buy, row: SpendApprovalRow): boolean {
  return asksForOrders(row) ? isUnheld(buy) : buysNamedIn(row)?.includes(buy.id) === true;
}

/** In words; undefined where nothing waits. */
export function awaitedForInWords(buy: Buy, awaited: readonly SpendApprovalRow[]): string | undefined {
  const told = awaited.filter((row) => isAwaitedFor(buy, row)).map(awaitedInWords);
  return told.length === 0 ? undefined : told.join(' ');
}
