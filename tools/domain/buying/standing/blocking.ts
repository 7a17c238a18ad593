import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { heldIn } from '../answers/held-packages.ts';
import type { Blocker } from '../answers/pending-words.ts';
import { hasNothingLeft } from '../changes/called-off.ts';
import { asksBuyer } from '../changes/change-states.ts';

/** What keeps a media buy from running as it should: whatever needs attention is among it. Pure. */

interface Beside {
  /** Whether it goes on though its campaign was stopped. */
  readonly runsOn: boolean;
  /** Whether no seller holds it, and its campaign is over: nothing becomes of it any more. */
  readonly isLeft: boolean;
  /** Its end was asked for, and waits. */
  readonly ends: boolean;
  /** What waits of it. */
  readonly open: readonly MediaBuyChangeRow[];
  /** Whether a change was refused, and nothing has settled it since. */
  readonly isRefused: boolean;
  /** Whether what it spends waits for another person. */
  readonly isAwaited: boolean;
}

export function blockersOf(buy: MediaBuyRow, beside: Beside): Blocker[] {
  const { isLeft, runsOn, ends, open, isRefused, isAwaited } = beside;
  const asks = buy.status === 'INPUT_REQUIRED' || open.some(asksBuyer);
  const own: Readonly<Partial<Record<Blocker, boolean>>> = {
    awaiting_spend_approval: isAwaited,
    order_unknown: buy.submission === 'unknown',
    runs_on: runsOn,
    nothing_left: hasNothingLeft(buy) && !ends,
    input_required: asks,
    packages_held: heldIn(buy).length > 0,
    change_refused: isRefused,
  };
  const told = (Object.keys(own) as Blocker[]).filter((code) => own[code] === true);
  const ofOrder = isLeft ? [] : failureOf(buy);
  const waits = buy.status === 'INPUT_REQUIRED' || buy.pending_reason === null ? [] : [buy.pending_reason];
  return [...new Set([...told, ...ofOrder, ...waits])];
}

/** What became of an order that was not taken. */
function failureOf({ status, submission, error_owner }: MediaBuyRow): Blocker[] {
  const isRejected = status === 'REJECTED';
  if (submission === 'unknown' || !(isRejected || status === 'FAILED')) return [];
  const isYours = isRejected || error_owner === 'buyer_input';
  return [isYours ? 'forward_failed_needs_correction' : 'order_failed'];
}
