import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';
import type { MediaBuyRow } from './media-buys.ts';

/** A media buy as far as its products are told of. */
export type BoughtRow = Pick<
  MediaBuyRow,
  | 'id'
  | 'agent_id'
  | 'agent_name'
  | 'name'
  | 'status'
  | 'submission'
  | 'adcp_media_buy_id'
  | 'currency'
  | 'created_at'
  | 'products'
>;

/** What a campaign bought, and what is said of it in short: neither packages nor orders. Archived buys are left out. */
export function listBought(db: Db, scope: Scope, campaignId: string): Promise<BoughtRow[]> {
  return db
    .selectFrom('media_buys')
    .select(['id', 'agent_id', 'agent_name', 'name', 'status', 'submission', 'adcp_media_buy_id'])
    .select(['currency', 'created_at', 'products'])
    .$call(inOrganization(scope))
    .where('campaign_id', '=', campaignId)
    .where('status', '!=', 'ARCHIVED')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The packages of some of the buys of a campaign. */
export function listPackagesOf(
  db: Db,
  scope: Scope,
  { campaignId, ids }: { readonly campaignId: string; readonly ids: readonly string[] },
): Promise<Pick<MediaBuyRow, 'id' | 'packages'>[]> {
  return db
    .selectFrom('media_buys')
    .select(['id', 'packages'])
    .$call(inOrganization(scope))
    .where('campaign_id', '=', campaignId)
    .where('id', 'in', ids)
    .execute();
}
