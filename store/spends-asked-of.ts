import type { AdvertiserRow } from './advertisers.ts';
import type { CampaignRow } from './campaigns.ts';
import type { Db } from './engine/db.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';
import { type MediaBuyChangeRow, openChanges } from './media-buy-changes.ts';
import type { MediaBuyRow } from './media-buys.ts';

/** What spends are asked of, for a page of them at once: as many queries as for one. */

type Named<Row extends { id: unknown; name: unknown }> = Pick<Row, 'id' | 'name'>;

export function listCampaignNames(
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
): Promise<Named<CampaignRow>[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('campaigns')
    .select(['id', 'name'])
    .$call(inOrganization(tenant))
    .where('id', 'in', ids)
    .execute();
}

export function listAdvertiserNames(
  db: Db,
  tenant: Tenant,
  ids: readonly number[],
): Promise<Named<AdvertiserRow>[]> {
  return db
    .selectFrom('advertisers')
    .select(['id', 'name'])
    .$call(inOrganization(tenant))
    .where(isOneOf(db, 'id', ids))
    .execute();
}

/** The buys of these campaigns, in the order in which they were made. Served by `media_buys_by_campaign`. */
export function listMediaBuysOfCampaigns(
  db: Db,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<MediaBuyRow[]> {
  if (campaignIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('media_buys')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('campaign_id', 'in', campaignIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** The changes of their buys that may still come true. */
export function listOpenChangesOfCampaigns(
  db: Db,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<MediaBuyChangeRow[]> {
  if (campaignIds.length === 0) return Promise.resolve([]);
  return openChanges(db, tenant).where('campaign_id', 'in', campaignIds).execute();
}

/** Changes by their ids, wherever they stand. */
export function listChangesById(
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
): Promise<MediaBuyChangeRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('media_buy_changes')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('id', 'in', ids)
    .execute();
}
