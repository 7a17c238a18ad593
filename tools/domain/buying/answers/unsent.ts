import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isUnresolved } from '../machines.ts';
import { isNamed } from './ended-at-seller.ts';

type Held = Pick<MediaBuyRow, 'status' | 'submission'>;
type Sent = Held & Pick<MediaBuyRow, 'adcp_media_buy_id'>;

const UNHELD: ReadonlySet<string> = new Set(['DRAFT', 'FAILED', 'REJECTED']);

/** Whether no seller holds a buy, or may hold it. */
export function isUnheld(buy: Held): boolean {
  return UNHELD.has(buy.status) && !isUnresolved(buy);
}

/** Whether besides none ever took its order: it can be made anew. */
export function isUnsent(buy: Sent): boolean {
  return isUnheld(buy) && !isNamed(buy);
}
