import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isNamed } from './ended-at-seller.ts';

type Sent = Pick<MediaBuyRow, 'status' | 'submission' | 'adcp_media_buy_id'>;

const UNSENT: ReadonlySet<string> = new Set(['DRAFT', 'FAILED', 'REJECTED']);

/** Whether no seller holds the order of a buy, or may hold it: it can be made anew. */
export function isUnsent(buy: Sent): boolean {
  const { status, submission } = buy;
  return UNSENT.has(status) && !isNamed(buy) && submission !== 'sending' && submission !== 'unknown';
}
