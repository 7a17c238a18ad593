import type { AdvertiserRow } from './advertisers.ts';
import type { CampaignRow } from './campaigns.ts';
import type { DiscoverySelectionRow } from './discovery-selections.ts';
import type { Db } from './engine/db.ts';
import { textAt } from './engine/json-values.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';
import { type MediaBuyChangeRow, openChanges } from './media-buy-changes.ts';
import type { MediaBuyRow } from './media-buys.ts';
import type { SpendApprovalRow } from './spend-approvals.ts';

/** What spends are asked of, and what of it waits, for a page of them at once: as many queries as for one. */

type Named<Row extends { id: unknown; name: unknown }> = Pick<Row, 'id' | 'name'>;

/** A campaign as whoever decides on a spend of it has to know it. */
export type CampaignAskedOf = Pick<CampaignRow, 'id' | 'name' | 'discovery_id' | 'start_at' | 'end_at'>;

export function listCampaignsAskedOf(
  db: Db,
  tenant: Tenant,
  ids: readonly string[],
): Promise<CampaignAskedOf[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('campaigns')
    .select(['id', 'name', 'discovery_id', 'start_at', 'end_at'])
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

/** A product that was chosen, by name alone: little, however much is kept of it. */
export interface ChosenByName extends Pick<DiscoverySelectionRow, 'session_id' | 'agent_id'> {
  readonly product_name: string | null;
  readonly seller_name: string | null;
  readonly storefront_name: string | null;
}

/** What is chosen in these sessions, in the order of choosing. */
export function listChosenByName(
  db: Db,
  tenant: Tenant,
  sessionIds: readonly string[],
): Promise<ChosenByName[]> {
  if (sessionIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('discovery_selections')
    .select([
      'session_id',
      'agent_id',
      textAt(db, 'product', ['name']).as('product_name'),
      textAt(db, 'product', ['salesAgentName']).as('seller_name'),
      textAt(db, 'product', ['storefrontName']).as('storefront_name'),
    ])
    .$call(inOrganization(tenant))
    .where('session_id', 'in', sessionIds)
    .orderBy('id')
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

/** What is asked of these campaigns and nobody has decided. Served by `spend_approvals_by_campaign`. */
export function listUndecidedOfCampaigns(
  db: Db,
  tenant: Tenant,
  campaignIds: readonly string[],
): Promise<SpendApprovalRow[]> {
  if (campaignIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('spend_approvals')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('campaign_id', 'in', campaignIds)
    .where('state', '=', 'pending')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
