import { type CampaignRow, DRAFTS_HEEDED } from './campaigns.ts';
import type { Db } from './engine/db.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inAccount, inOrganization } from './engine/scoped.ts';
import type { MediaBuyRow } from './media-buys.ts';

/**
 * Holds a campaign until the transaction ends, so that what its media buys take is counted by one at a time, and gives
 * it as it is by then. It writes a column as it stands, because not every database can lock a row by reading it.
 */
export function lockCampaign(tx: Db, tenant: Tenant, id: string): Promise<CampaignRow | undefined> {
  return tx
    .updateTable('campaigns')
    .set((eb) => ({ version: eb.ref('version') }))
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

/**
 * The same, at its next version: what it shows of its media buys became another, so that whoever would change these as
 * they were is told.
 */
export async function moveCampaign(
  tx: Db,
  tenant: Tenant,
  { id, now }: { readonly id: string; readonly now: string },
): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set(({ eb }) => ({ version: eb('version', '+', 1), updated_at: now }))
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .execute();
}

/** The same of a media buy: whoever holds both holds the campaign first. */
export function lockMediaBuy(tx: Db, tenant: Tenant, id: string): Promise<MediaBuyRow | undefined> {
  return tx
    .updateTable('media_buys')
    .set((eb) => ({ version: eb.ref('version') }))
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

const NOT_OVER = ['DRAFT', 'ACTIVE', 'PAUSED'] as const;

/** Whether nothing more is bought by a campaign. */
export function isOver({ status }: Pick<CampaignRow, 'status'>): boolean {
  return !NOT_OVER.some((one) => one === status);
}

/**
 * The ids of campaigns that buy from a session and are not over, the newest. Each status by itself: of several at once
 * SQLite reads the campaigns of the account in their order. Served by `campaigns_by_discovery`.
 */
export async function listBuyersOf(db: Db, scope: Scope, discoveryId: string): Promise<string[]> {
  const found = [];
  for (const status of NOT_OVER) {
    const rows = await db
      .selectFrom('campaigns')
      .select(['id', 'created_at'])
      .$call(inAccount(scope))
      .where('discovery_id', '=', discoveryId)
      .where('status', '=', status)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(DRAFTS_HEEDED)
      .execute();
    found.push(...rows);
  }
  const newest = found.sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  return newest.slice(0, DRAFTS_HEEDED).map(({ id }) => id);
}

/** Where it stands in the order in which campaigns were made. */
function placeOf({ created_at, id }: Pick<CampaignRow, 'created_at' | 'id'>): string {
  return `${created_at} ${id}`;
}

/** What other campaigns bought, or may have, of the products of a session. Served by `campaigns_by_discovery`. */
export function listBoughtElsewhere(
  db: Db,
  scope: Scope,
  { discoveryId, campaignId }: { discoveryId: string; campaignId: string },
): Promise<Pick<MediaBuyRow, 'campaign_id' | 'agent_id' | 'products'>[]> {
  return (
    db
      .selectFrom('media_buys')
      .select(['campaign_id', 'agent_id', 'products'])
      .$call(inOrganization(scope))
      .where('campaign_id', 'in', (of) =>
        of
          .selectFrom('campaigns')
          .select('campaigns.id')
          .where('campaigns.organization_id', '=', scope.organizationId)
          .where('campaigns.discovery_id', '=', discoveryId)
          .where('campaigns.id', '!=', campaignId),
      )
      .where('status', 'not in', ['REJECTED', 'CANCELED', 'ARCHIVED'])
      // What was refused was not bought; of what is unknown nobody can say so.
      .where((eb) => eb.or([eb('status', '!=', 'FAILED'), eb('submission', '=', 'unknown')]))
      .orderBy('created_at')
      .execute()
  );
}
