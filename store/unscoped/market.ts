import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { inWay, nameContains, nameHolds } from '../engine/names.ts';
import { type Counted, contains, counted, holdsLabels, type Page } from '../engine/paging.ts';
import { isOneOf } from '../engine/pieces.ts';
import { isInPlace } from '../engine/prepared.ts';
import type { Tenant } from '../engine/scope.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { InventorySourceRow } from '../inventory-sources.ts';
import type { StorefrontRow } from '../storefronts.ts';

/**
 * What a buyer may see of the sellers, across organizations: storefronts and the sources behind them. Whoever looks
 * is named first, because not all see all. Credentials stay with the sources and go to the seller port alone.
 */

/**
 * Whether a storefront is there for a buyer (interface, Buyer admission and signup rules). One that is not
 * admitted sees none, one that a seller sponsors sees that seller's alone, and none while the seller has not let it
 * in. Nobody is sent to a seller whose organization was stopped. Every query of this file on storefronts asks it.
 */
function visibleTo({ organizationId }: Tenant) {
  return sql<boolean>`(exists (select 1 from organizations o where o.id = ${organizationId} and o.admission = 'admitted')
    and not exists (select 1 from sponsorships p where p.organization_id = ${organizationId}
      and (p.storefront_id <> storefronts.id or p.status <> 'active'))
    and not exists (select 1 from organizations s
      where s.id = storefronts.organization_id and s.suspended_at is not null))`;
}

export interface StorefrontFilter {
  readonly name?: string | undefined;
  readonly channel?: string | undefined;
  readonly publisherDomain?: string | undefined;
  /** A country: those that sell there or everywhere. */
  readonly region?: string | undefined;
  readonly status?: 'configuring' | 'transacting' | 'paused' | 'archived' | undefined;
}

export type MarketStorefront = StorefrontRow & { readonly sources: number; readonly active_sources: number };

/** Counts of the sources behind a storefront, all and active. */
function sourceCounts() {
  return [
    sql<number>`(select count(*) from inventory_sources s where s.storefront_id = storefronts.id)`.as(
      'sources',
    ),
    sql<number>`(select count(*) from inventory_sources s where s.storefront_id = storefronts.id and s.status = 'ACTIVE')`.as(
      'active_sources',
    ),
  ] as const;
}

export async function listMarketStorefronts(
  db: Db,
  viewer: Tenant,
  { filter, page }: { readonly filter: StorefrontFilter; readonly page: Page },
): Promise<Counted<MarketStorefront>> {
  const { name: text, channel, publisherDomain, region, status } = filter;
  const { way, named, areFew } = await nameHolds(unscoped(db), 'storefronts', {
    text,
    asker: viewer,
    isOwn: false,
  });
  const found = unscoped(db)
    .selectFrom('storefronts')
    .where(visibleTo(viewer))
    .$if(text !== undefined, (query) => query.where(named))
    .$if(channel !== undefined, (query) => query.where(contains('channels', `"${channel ?? ''}"`)))
    .$if(publisherDomain !== undefined, (query) =>
      query.where(holdsLabels('publisher_domain', publisherDomain ?? '')),
    )
    .$if(region !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('accepts_all_countries', '=', 1), contains('accepted_countries', `"${region ?? ''}"`)]),
      ),
    )
    .$if(status === 'archived', (query) => query.where('archived_at', 'is not', null))
    .$if(status !== 'archived', (query) => query.where('archived_at', 'is', null))
    .$if(status === 'paused', (query) => query.where('is_paused', '=', 1))
    .$if(status === 'transacting', (query) => query.where('is_paused', '=', 0).where('transacting', '=', 1))
    .$if(status === 'configuring', (query) => query.where('is_paused', '=', 0).where('transacting', '=', 0));
  return counted(
    inWay(unscoped(db), way),
    {
      asker: viewer,
      rows: inWay(found, way).selectAll().select(sourceCounts()).orderBy('id'),
      found,
      areFew,
    },
    page,
  );
}

export function findMarketStorefront(
  db: Db,
  viewer: Tenant,
  id: number,
): Promise<MarketStorefront | undefined> {
  return unscoped(db)
    .selectFrom('storefronts')
    .selectAll()
    .select(sourceCounts())
    .where('id', '=', id)
    .where(visibleTo(viewer))
    .executeTakeFirst();
}

/** The sources of a storefront, for a buyer's eyes: no address, no credential. */
export function listMarketSources(
  db: Db,
  viewer: Tenant,
  storefrontId: number,
): Promise<Pick<InventorySourceRow, 'source_id' | 'name' | 'status' | 'execution_type' | 'agent_id'>[]> {
  return unscoped(db)
    .selectFrom('inventory_sources as source')
    .innerJoin('storefronts', 'storefronts.id', 'source.storefront_id')
    .select(['source.source_id', 'source.name', 'source.status', 'source.execution_type', 'source.agent_id'])
    .where('source.storefront_id', '=', storefrontId)
    .where(visibleTo(viewer))
    .orderBy('source.created_at')
    .orderBy('source.id')
    .execute();
}

/** A source behind a storefront: a seller. */
export interface SellerRow {
  readonly source: InventorySourceRow;
  readonly storefront_id: number;
  readonly storefront_name: string;
  /** An active source behind a storefront that transacts, and is there for whoever asks: it takes new orders. */
  readonly is_open: boolean;
}

/** The sellers behind these storefronts, or behind all that transact, in a stable order. */
export async function listSellers(
  db: Db,
  viewer: Tenant,
  storefrontIds: readonly number[] | null,
): Promise<SellerRow[]> {
  const rows = await openSellers(db, viewer)
    .$if(storefrontIds !== null, (query) => query.where(isOneOf(db, 'storefronts.id', storefrontIds ?? [])))
    .orderBy('storefronts.id')
    .orderBy('inventory_sources.created_at')
    .orderBy('inventory_sources.id')
    .execute();
  return rows.map(asSeller);
}

/** Which of these sellers take new orders now. */
export async function listOpenAgents(
  db: Db,
  viewer: Tenant,
  agentIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (agentIds.length === 0) return new Set();
  const rows = await openSellers(db, viewer).where('inventory_sources.agent_id', 'in', agentIds).execute();
  return new Set(rows.map(({ agent_id }) => agent_id));
}

/**
 * Holds the sources behind these sellers until the transaction ends: whoever deletes one meanwhile waits, or came first
 * and is seen. All who order from them hold them side by side. On SQLite a transaction that writes has the whole file
 * to itself, and holds nothing by the row.
 */
export async function holdSellers(tx: Db, agentIds: readonly string[]): Promise<void> {
  if (agentIds.length === 0 || isInPlace(tx.getExecutor().adapter)) return;
  await unscoped(tx)
    .selectFrom('inventory_sources')
    .select('id')
    .where('agent_id', 'in', agentIds)
    .forShare()
    .execute();
}

function openSellers(db: Db, viewer: Tenant) {
  return sellerQuery(db, viewer)
    .where(visibleTo(viewer))
    .where('storefronts.transacting', '=', 1)
    .where('storefronts.is_paused', '=', 0)
    .where('storefronts.archived_at', 'is', null)
    .where('inventory_sources.status', '=', 'ACTIVE');
}

/** The seller behind an agent id, whatever its state: what was sold once stays readable. */
export async function findSeller(db: Db, viewer: Tenant, agentId: string): Promise<SellerRow | undefined> {
  const row = await sellerQuery(db, viewer)
    .where('inventory_sources.agent_id', '=', agentId)
    .executeTakeFirst();
  return row === undefined ? undefined : asSeller(row);
}

function sellerQuery(db: Db, viewer: Tenant) {
  return unscoped(db)
    .selectFrom('inventory_sources')
    .innerJoin('storefronts', 'storefronts.id', 'inventory_sources.storefront_id')
    .selectAll('inventory_sources')
    .select(['storefronts.name as storefront_name'])
    .select(['storefronts.transacting', 'storefronts.is_paused', 'storefronts.archived_at'])
    .select(sql<number>`case when ${visibleTo(viewer)} then 1 else 0 end`.as('is_visible'));
}

type Joined = InventorySourceRow & { storefront_name: string; is_visible: number } & Pick<
    StorefrontRow,
    'transacting' | 'is_paused' | 'archived_at'
  >;

function asSeller(row: Joined): SellerRow {
  const { storefront_name, transacting, is_paused, archived_at, is_visible, ...source } = row;
  const transacts = transacting === 1 && is_paused === 0 && archived_at === null && is_visible === 1;
  return {
    source,
    storefront_id: source.storefront_id,
    storefront_name,
    is_open: transacts && source.status === 'ACTIVE',
  };
}

/**
 * Storefronts with one of these ids, or with one of these texts in their names; what is missing from the answer does
 * not exist.
 */
export function findStorefrontsByIdOrName(
  db: Db,
  viewer: Tenant,
  wanted: { ids: readonly number[]; names: readonly string[] },
): Promise<
  Pick<StorefrontRow, 'id' | 'platform_id' | 'name' | 'archived_at' | 'is_paused' | 'transacting'>[]
> {
  return unscoped(db)
    .selectFrom('storefronts')
    .select(['id', 'platform_id', 'name', 'archived_at', 'is_paused', 'transacting'])
    .where(visibleTo(viewer))
    .where((eb) =>
      eb.or([
        ...(wanted.ids.length > 0 ? [eb('id', 'in', wanted.ids)] : []),
        ...wanted.names.map((name) => nameContains(db, name)),
      ]),
    )
    .execute();
}

/** How many media buys were made through an agent, by anyone. */
export async function countBuysThrough(db: Db, agentId: string): Promise<number> {
  const row = await unscoped(db)
    .selectFrom('media_buys')
    .select((eb) => eb.fn.countAll().as('total'))
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow();
  return Number(row.total);
}
