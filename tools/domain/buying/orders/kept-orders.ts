import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isEndedThere } from '../answers/ended-at-seller.ts';

/** A buy that a further execute leaves alone: it lives, or its seller took it and it has ended. Pure. */
export function isKept(buy: MediaBuyRow): boolean {
  const { status, submission } = buy;
  if (isEndedThere(buy)) return true;
  if (status === 'DRAFT') return submission !== 'unsent';
  return submission === 'sending' || !['FAILED', 'REJECTED', 'ARCHIVED'].includes(status);
}
