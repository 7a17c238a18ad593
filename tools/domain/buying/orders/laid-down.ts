import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { type MediaBuyChangeRow, updateMediaBuyChange } from '../../../../store/media-buy-changes.ts';
import { type MediaBuyRow, updateMediaBuy } from '../../../../store/media-buys.ts';
import type { Services } from '../../../core/context.ts';

/**
 * Orders and changes that a process which stops in good order lays down: it knows that no seller has them, because
 * their seller has put them off, or was never asked. They stay on their way, and belong to no process any more. Whoever
 * takes one over sends it as for the first time. What still bears the name of a process may have reached its seller.
 */

type Place = Pick<Services, 'store'>;
type Row = Pick<MediaBuyRow | MediaBuyChangeRow, 'id' | 'organization_id' | 'version'>;

type Sent = Pick<MediaBuyRow, 'owner' | 'submission'> | Pick<MediaBuyChangeRow, 'owner' | 'state'>;

/** Whether it is on its way, and known to be had by no seller. */
export function isLaidDown(row: Sent): boolean {
  return row.owner === null && ('state' in row ? row.state : row.submission) === 'sending';
}

/** When it was written stays: with that it was reckoned. Undefined when somebody else wrote first. */
export function layDownOrder({ store }: Place, buy: Row): Promise<MediaBuyRow | undefined> {
  const { id, version } = buy;
  return updateMediaBuy(store.db, tenantOfRow(buy), { id, version, set: { owner: null } });
}

/** The same of a change. */
export function layDownChange({ store }: Place, change: Row): Promise<MediaBuyChangeRow | undefined> {
  const { id, version } = change;
  return updateMediaBuyChange(store.db, tenantOfRow(change), { id, version, set: { owner: null } });
}
