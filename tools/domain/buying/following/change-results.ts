import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { UNKNOWN_ENDING } from '../answers/unknown-orders.ts';
import type { Changed } from './change-storing.ts';

/** What came of the change of one buy. */
export interface ChangeResult {
  readonly mediaBuyId: string;
  readonly name: string;
  readonly previousStatus: MediaBuyRow['status'];
  /** Where the buy stands; what waits for its seller has not changed it. */
  readonly status: MediaBuyRow['status'];
  /** False where the seller refused it, or nobody knows what it did. */
  readonly success: boolean;
  /** True while the seller has to confirm it. */
  readonly pending: boolean;
  readonly message?: string;
}

/** Nobody knows what the seller did, and the service asks it again. */
export function onItsWay(
  buy: MediaBuyRow,
  previousStatus: MediaBuyRow['status'],
  message: string,
): ChangeResult {
  const { id: mediaBuyId, name, status } = buy;
  return { mediaBuyId, name, previousStatus, status, success: false, pending: true, message };
}

const HELD = 'The seller has not named the media buy yet: the change is kept, and sent as soon as it has.';
const HELD_PAUSE = 'Its seller has not taken the order yet: the pause is kept, and sent as soon as it runs.';

function heldBy({ change: { action }, buy: { submission } }: Changed): string {
  if (submission === 'unknown') return UNKNOWN_ENDING;
  return action === 'pause' ? HELD_PAUSE : HELD;
}

export function resultOf({ change, buy }: Changed, previousStatus: MediaBuyRow['status']): ChangeResult {
  const { state } = change;
  const message = state === 'held' ? heldBy({ change, buy }) : (change.source_message ?? undefined);
  return {
    mediaBuyId: buy.id,
    name: buy.name,
    previousStatus,
    status: buy.status,
    success: state !== 'refused' && state !== 'unknown' && buy.submission !== 'unknown',
    pending: state !== 'confirmed' && state !== 'refused',
    ...(message === undefined ? {} : { message }),
  };
}
