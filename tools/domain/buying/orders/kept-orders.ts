import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isNamed, isOverThere } from '../answers/ended-at-seller.ts';

/** What a further execute does with the buys that are there. Pure. */

type Held = Pick<MediaBuyRow, 'status' | 'submission' | 'adcp_media_buy_id'>;

/** A buy that a further execute leaves alone: it lives, or its seller took it and it has ended. */
export function isKept(buy: Held): boolean {
  const { status, submission } = buy;
  if (isNamed(buy)) return true;
  if (status === 'DRAFT') return submission !== 'unsent';
  return submission === 'sending' || !['FAILED', 'REJECTED', 'ARCHIVED'].includes(status);
}

/** Whether its seller holds an order of the campaign, or held one to its end: it gets no further one. */
export function holdsOrder(buy: Held): boolean {
  return isKept(buy) && !isOverThere(buy);
}
