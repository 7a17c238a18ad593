import { type Selectable, sql } from 'kysely';
import type { Db } from './engine/db.ts';
import { likeText } from './engine/like.ts';
import type { Page } from './engine/paging.ts';
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
  products: string;
}

export type DiscoveryGroupRow = Selectable<DiscoveryGroupTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_groups: DiscoveryGroupTable;
  }
}

/** Which groups of a session a reader wants. */
export interface GroupFilter {
  readonly sinceRevision: number;
  readonly publisherDomain?: string | undefined;
  readonly storefrontIds?: readonly number[] | undefined;
}

function groupsOf(db: Db, scope: Scope, session: { id: string; filter: GroupFilter }) {
  const { publisherDomain, storefrontIds, sinceRevision } = session.filter;
  const domain = (publisherDomain ?? '').toLowerCase();
  return db
    .selectFrom('discovery_groups')
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where('revision', '>', sinceRevision)
    .$if(storefrontIds !== undefined, (query) =>
      query.where(isOneOf(db, 'storefront_id', storefrontIds ?? [])),
    )
    .$if(publisherDomain !== undefined, (query) =>
      query.where((eb) =>
        eb.or([
          eb('publisher_domain', '=', domain),
          sql<boolean>`publisher_domain like ${`%.${likeText(domain)}`} escape '\\'`,
        ]),
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

export interface GroupTotals {
  readonly groups: number;
  readonly products: number;
  readonly publishers: number;
  readonly price_count: number;
  readonly price_sum: number;
  readonly price_min: number | null;
  readonly price_max: number | null;
}

export async function sumGroups(
  db: Db,
  scope: Scope,
  session: { id: string; filter: GroupFilter },
): Promise<GroupTotals> {
  const row = await groupsOf(db, scope, session)
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
  return {
    ...row,
    products: Number(row.products ?? 0),
    price_count: Number(row.price_count ?? 0),
    price_sum: Number(row.price_sum ?? 0),
  };
}

/** The groups of a session that may hold a product; the caller looks inside. */
export function listGroupsWithProduct(
  db: Db,
  scope: Scope,
  session: { id: string; productId: string },
): Promise<DiscoveryGroupRow[]> {
  const needle = `%${likeText(JSON.stringify(session.productId))}%`;
  return db
    .selectFrom('discovery_groups')
    .selectAll()
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where(sql<boolean>`products like ${needle} escape '\\'`)
    .orderBy('position')
    .execute();
}
