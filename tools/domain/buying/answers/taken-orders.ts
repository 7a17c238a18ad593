import type { MediaBuyRow, MediaBuyStatus } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import { buyMachine } from '../machines.ts';
import { isNamed } from './ended-at-seller.ts';

/** Whether a seller has an order, and which go out again. Pure. */

type Sent = Pick<MediaBuyRow, 'status' | 'submission' | 'adcp_media_buy_id'>;

/** A buy that a further execute sends again: it never reached its seller, or nobody knows whether it did. */
export function isToBeSent(buy: Sent): boolean {
  return (
    !isNamed(buy) &&
    buy.submission !== 'sending' &&
    buy.status !== 'ARCHIVED' &&
    next(buyMachine, buy.status, 'send') !== undefined
  );
}

/** Whether nobody took the order, and nobody may hold it. */
export function isRefused(buy: Sent): boolean {
  const { status, submission } = buy;
  if (isNamed(buy)) return false;
  if (status === 'DRAFT') return submission === 'unsent';
  const settled = submission === 'answered' || submission === 'unsent';
  return settled && (status === 'FAILED' || status === 'REJECTED');
}

/** Whether a seller took the order: what is not taken is a failure of the call. */
export function isTaken(status: MediaBuyStatus): boolean {
  return status !== 'DRAFT' && status !== 'FAILED' && status !== 'REJECTED';
}
