import { type Selectable, sql } from 'kysely';
import type { DiscoveryAgentRow } from './discovery-sessions.ts';
import { isAt, isWanted, type ProductFilter, soldBy, wantsSome } from './discovery-wanted.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, holdsLabels, type Page } from './engine/paging.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

export interface DiscoveryGroupTable {
  organization_id: number;
  session_id: string;
  group_id: string;
  position: number;
  revision: number;
  name: string;
  agent_id: string;
  storefront_id: number;
  publisher_domain: string;
  product_count: number;
  price_count: number;
  /** Ten-thousandths of the currency's unit. */
  price_min: number | null;
  price_max: number | null;
  price_sum: number;
}

export type DiscoveryGroupRow = Selectable<DiscoveryGroupTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_groups: DiscoveryGroupTable;
  }
}

/** Which groups of a session a reader wants: those with a product that it wants. */
export interface GroupFilter extends ProductFilter {
  readonly sinceRevision: number;
  readonly storefrontIds?: readonly number[] | undefined;
  /** Only groups from this place on. */
  readonly fromPosition?: number | undefined;
}

function groupsOf(db: Db, scope: Scope, session: { id: string; filter: GroupFilter }) {
  const { publisherDomain, storefrontIds, sinceRevision, pricingModel, fromPosition } = session.filter;
  return db
    .selectFrom('discovery_groups')
    .where('discovery_groups.organization_id', '=', scope.organizationId)
    .where('discovery_groups.session_id', '=', session.id)
    .where('revision', '>', sinceRevision)
    .$if(fromPosition !== undefined, (query) => query.where('position', '>=', fromPosition ?? 0))
    .$if(storefrontIds !== undefined, (query) =>
      query.where(isOneOf(db, 'storefront_id', storefrontIds ?? [])),
    )
    .$if(wantsSome(session.filter), (query) =>
      query.where((eb) =>
        eb.exists(
          eb
            .selectFrom('discovery_products')
            .select('discovery_products.ordinal')
            .where('discovery_products.organization_id', '=', scope.organizationId)
            .where('discovery_products.session_id', '=', session.id)
            .whereRef('discovery_products.group_id', '=', 'discovery_groups.group_id')
            .$if(pricingModel !== undefined, (products) => products.where(soldBy(pricingModel ?? '')))
            .$if(publisherDomain !== undefined, (products) =>
              products.where(({ or }) =>
                or([
                  holdsLabels('discovery_groups.publisher_domain', publisherDomain ?? ''),
                  isAt(publisherDomain ?? ''),
                ]),
              ),
            ),
        ),
      ),
    );
}

/** One page of groups, in the order in which they landed. Served by `discovery_groups_by_position`. */
export function listGroups(
  db: Db,
  scope: Scope,
  session: { id: string; filter: GroupFilter; page: Page },
): Promise<DiscoveryGroupRow[]> {
  return groupsOf(db, scope, session)
    .selectAll()
    .orderBy('position')
    .limit(session.page.take)
    .offset(session.page.skip)
    .execute();
}

export type HiddenAgent = Pick<DiscoveryAgentRow, 'agent_id' | 'storefront_id' | 'storefront_name'>;

/**
 * A page of the sellers that brought products, and none to a group that a reader wants: in order of their storefronts.
 */
export function pageOfHiddenAgents(
  db: Db,
  scope: Scope,
  session: { id: string; filter: GroupFilter; page: Page },
): Promise<Counted<HiddenAgent>> {
  const { storefrontIds } = session.filter;
  const found = db
    .selectFrom('discovery_agents')
    .where('discovery_agents.organization_id', '=', scope.organizationId)
    .where('discovery_agents.session_id', '=', session.id)
    .where('products', '>', 0)
    .$if(storefrontIds !== undefined, (query) =>
      query.where(isOneOf(db, 'storefront_id', storefrontIds ?? [])),
    )
    .where('agent_id', 'not in', groupsOf(db, scope, session).select('discovery_groups.agent_id'));
  const rows = found
    .select(['agent_id', 'storefront_id', 'storefront_name'])
    .orderBy('storefront_id')
    .orderBy('agent_id');
  return counted(db, { asker: scope, rows, found, areFew: true }, session.page);
}

/** The groups of a session by name, with whose they are and where they stand. */
export function listGroupNames(
  db: Db,
  scope: Scope,
  sessionId: string,
): Promise<Pick<DiscoveryGroupRow, 'group_id' | 'name' | 'agent_id' | 'position' | 'publisher_domain'>[]> {
  return db
    .selectFrom('discovery_groups')
    .select(['group_id', 'name', 'agent_id', 'position', 'publisher_domain'])
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .orderBy('position')
    .execute();
}

export interface GroupTotals {
  readonly groups: number;
  readonly products: number;
  readonly publishers: number;
  readonly price_count: number;
  readonly price_sum: number;
  readonly price_min: number | null;
  readonly price_max: number | null;
}

/** What there is in the groups that a reader wants, of the products that it wants. */
export async function sumGroups(
  db: Db,
  scope: Scope,
  session: { id: string; filter: GroupFilter },
): Promise<GroupTotals> {
  const row = await (wantsSome(session.filter)
    ? sumOfProducts(db, scope, session)
    : sumOfGroups(db, scope, session));
  return {
    ...row,
    products: Number(row.products ?? 0),
    price_count: Number(row.price_count ?? 0),
    price_sum: Number(row.price_sum ?? 0),
  };
}

function sumOfGroups(db: Db, scope: Scope, session: { id: string; filter: GroupFilter }) {
  return groupsOf(db, scope, session)
    .select((eb) => [
      eb.fn.countAll<number>().as('groups'),
      eb.fn.sum<number | string | null>('product_count').as('products'),
      sql<number>`count(distinct publisher_domain)`.as('publishers'),
      eb.fn.sum<number | string | null>('price_count').as('price_count'),
      eb.fn.sum<number | string | null>('price_sum').as('price_sum'),
      eb.fn.min('price_min').as('price_min'),
      eb.fn.max('price_max').as('price_max'),
    ])
    .executeTakeFirstOrThrow();
}

function sumOfProducts(db: Db, scope: Scope, session: { id: string; filter: GroupFilter }) {
  return groupsOf(db, scope, session)
    .innerJoin('discovery_products', (join) =>
      join
        .onRef('discovery_products.organization_id', '=', 'discovery_groups.organization_id')
        .onRef('discovery_products.session_id', '=', 'discovery_groups.session_id')
        .onRef('discovery_products.group_id', '=', 'discovery_groups.group_id'),
    )
    .where(isWanted(session.filter))
    .select((eb) => [
      sql<number>`count(distinct ${sql.ref('discovery_groups.group_id')})`.as('groups'),
      eb.fn.countAll<number | string>().as('products'),
      sql<number>`count(distinct publisher_domain)`.as('publishers'),
      eb.fn.count<number | string>('price').as('price_count'),
      eb.fn.sum<number | string | null>('price').as('price_sum'),
      eb.fn.min('price').as('price_min'),
      eb.fn.max('price').as('price_max'),
    ])
    .executeTakeFirstOrThrow();
}
