import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { type Counted, contains, counted, type Page } from '../engine/paging.ts';
import { isOneOf } from '../engine/pieces.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { InventorySourceRow } from '../inventory-sources.ts';
import type { StorefrontRow } from '../storefronts.ts';

/**
 * What every buyer may see of the sellers, across organizations: storefronts and the sources behind them.
 * Credentials stay with the sources and go to the seller port alone.
 */

export interface StorefrontFilter {
  readonly name?: string | undefined;
  readonly channel?: string | undefined;
  readonly publisherDomain?: string | undefined;
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

export function listMarketStorefronts(
  db: Db,
  filter: StorefrontFilter,
  page: Page,
): Promise<Counted<MarketStorefront>> {
  const { name, channel, publisherDomain, status } = filter;
  const found = unscoped(db)
    .selectFrom('storefronts')
    .$if(name !== undefined, (query) => query.where(contains('name', name ?? '')))
    .$if(channel !== undefined, (query) => query.where(contains('channels', `"${channel ?? ''}"`)))
    .$if(publisherDomain !== undefined, (query) =>
      query.where('publisher_domain', '=', (publisherDomain ?? '').toLowerCase()),
    )
    .$if(status === 'archived', (query) => query.where('archived_at', 'is not', null))
    .$if(status !== 'archived', (query) => query.where('archived_at', 'is', null))
    .$if(status === 'paused', (query) => query.where('is_paused', '=', 1))
    .$if(status === 'transacting', (query) => query.where('is_paused', '=', 0).where('transacting', '=', 1))
    .$if(status === 'configuring', (query) => query.where('is_paused', '=', 0).where('transacting', '=', 0));
  return counted(unscoped(db), { rows: found.selectAll().select(sourceCounts()).orderBy('id'), found }, page);
}

export function findMarketStorefront(db: Db, id: number): Promise<MarketStorefront | undefined> {
  return unscoped(db)
    .selectFrom('storefronts')
    .selectAll()
    .select(sourceCounts())
    .where('id', '=', id)
    .executeTakeFirst();
}

/** The sources of a storefront, for a buyer's eyes: no address, no credential. */
export function listMarketSources(
  db: Db,
  storefrontId: number,
): Promise<Pick<InventorySourceRow, 'source_id' | 'name' | 'status' | 'execution_type' | 'agent_id'>[]> {
  return unscoped(db)
    .selectFrom('inventory_sources')
    .select(['source_id', 'name', 'status', 'execution_type', 'agent_id'])
    .where('storefront_id', '=', storefrontId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** A source behind a storefront: a seller. */
export interface SellerRow {
  readonly source: InventorySourceRow;
  readonly storefront_id: number;
  readonly storefront_name: string;
  /** An active source behind a storefront that transacts: it takes new orders. */
  readonly is_open: boolean;
}

/** The sellers behind these storefronts, or behind all that transact, in a stable order. */
export async function listSellers(db: Db, storefrontIds: readonly number[] | null): Promise<SellerRow[]> {
  const rows = await sellerQuery(db)
    .where('storefronts.transacting', '=', 1)
    .where('storefronts.is_paused', '=', 0)
    .where('storefronts.archived_at', 'is', null)
    .where('inventory_sources.status', '=', 'ACTIVE')
    .$if(storefrontIds !== null, (query) => query.where(isOneOf(db, 'storefronts.id', storefrontIds ?? [])))
    .orderBy('storefronts.id')
    .orderBy('inventory_sources.created_at')
    .orderBy('inventory_sources.id')
    .execute();
  return rows.map(asSeller);
}

/** The seller behind an agent id, whatever its state: what was sold once stays readable. */
export async function findSeller(db: Db, agentId: string): Promise<SellerRow | undefined> {
  const row = await sellerQuery(db).where('inventory_sources.agent_id', '=', agentId).executeTakeFirst();
  return row === undefined ? undefined : asSeller(row);
}

function sellerQuery(db: Db) {
  return unscoped(db)
    .selectFrom('inventory_sources')
    .innerJoin('storefronts', 'storefronts.id', 'inventory_sources.storefront_id')
    .selectAll('inventory_sources')
    .select(['storefronts.name as storefront_name'])
    .select(['storefronts.transacting', 'storefronts.is_paused', 'storefronts.archived_at']);
}

type Joined = InventorySourceRow & { storefront_name: string } & Pick<
    StorefrontRow,
    'transacting' | 'is_paused' | 'archived_at'
  >;

function asSeller({ storefront_name, transacting, is_paused, archived_at, ...source }: Joined): SellerRow {
  const transacts = transacting === 1 && is_paused === 0 && archived_at === null;
  return {
    source,
    storefront_id: source.storefront_id,
    storefront_name,
    is_open: transacts && source.status === 'ACTIVE',
  };
}

/** Storefronts with one of these ids or names; what is missing from the answer does not exist. */
export function findStorefrontsByIdOrName(
  db: Db,
  wanted: { ids: readonly number[]; names: readonly string[] },
): Promise<
  Pick<StorefrontRow, 'id' | 'platform_id' | 'name' | 'archived_at' | 'is_paused' | 'transacting'>[]
> {
  const names = wanted.names.map((name) => sql<string>`lower(${name})`);
  return unscoped(db)
    .selectFrom('storefronts')
    .select(['id', 'platform_id', 'name', 'archived_at', 'is_paused', 'transacting'])
    .where((eb) =>
      eb.or([
        ...(wanted.ids.length > 0 ? [eb('id', 'in', wanted.ids)] : []),
        ...(names.length > 0 ? [eb(sql<string>`lower(name)`, 'in', names)] : []),
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
