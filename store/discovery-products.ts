import { type Selectable, sql } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

/** A product of a group, in its place there: read by itself, however many its group has. */
export interface DiscoveryProductTable {
  organization_id: number;
  session_id: string;
  group_id: string;
  /** Its place in the group, from 0 on. */
  ordinal: number;
  product_id: string;
  agent_id: string;
  /** The pricing models it is sold by, each between commas: `,cpm,cpc,`. */
  pricing_models: string;
  /** The domains of its publishers, each between dots: `.news.example..sport.example.`; empty where none is known. */
  publisher_domains: string;
  /** Ten-thousandths of the unit of the session's currency for a thousand impressions, where it is sold so. */
  price: number | null;
  product: string;
  /** The members of it that its seller told, in the words of AdCP, as JSON; null where nobody asked for them. */
  source: string | null;
}

export type DiscoveryProductRow = Selectable<DiscoveryProductTable>;

declare module './engine/database.ts' {
  interface Database {
    discovery_products: DiscoveryProductTable;
  }
}

/** What a caller says of a product that is looked for. */
export interface WantedProduct {
  readonly productId: string;
  readonly agentId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly groupName?: string | undefined;
}

/** Where a product stands in a session. */
export type ProductPlace = Pick<DiscoveryProductRow, 'product_id' | 'agent_id' | 'group_id' | 'ordinal'> & {
  /** The index of what was wanted. */
  readonly wanted: number;
};

/**
 * Where each of these products stands: at most `each` places a product, of one statement for all of them, which
 * looks at no other row. Served by `discovery_products_by_product`.
 */
export async function findProductPlaces(
  db: Db,
  scope: Scope,
  session: { id: string; wanted: readonly WantedProduct[]; each: number },
): Promise<ProductPlace[]> {
  const [first, ...others] = session.wanted.map((product, index) => {
    const { productId, agentId, groupId, groupName } = product;
    const places = db
      .selectFrom('discovery_products')
      .select(['product_id', 'agent_id', 'group_id', 'ordinal', sql<number>`${index}`.as('wanted')])
      .where('discovery_products.organization_id', '=', scope.organizationId)
      .where('session_id', '=', session.id)
      .where('product_id', '=', productId)
      .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId ?? ''))
      .$if(groupId !== undefined, (query) => query.where('group_id', '=', groupId ?? ''))
      .$if(groupName !== undefined, (query) =>
        query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('discovery_groups')
              .select('discovery_groups.group_id')
              .whereRef('discovery_groups.organization_id', '=', 'discovery_products.organization_id')
              .whereRef('discovery_groups.session_id', '=', 'discovery_products.session_id')
              .whereRef('discovery_groups.group_id', '=', 'discovery_products.group_id')
              .where('discovery_groups.name', '=', groupName ?? ''),
          ),
        ),
      )
      .orderBy('agent_id')
      .limit(session.each);
    // A limit of its own needs a query around it.
    return db.selectFrom(places.as('places')).selectAll();
  });
  if (first === undefined) return [];
  const places = await others.reduce((all, one) => all.unionAll(one), first).execute();
  // PostgreSQL takes a number that stands by itself for a text.
  return places.map((place) => ({ ...place, wanted: Number(place.wanted) }));
}

/** A product where it stands, with the name of its group. */
export type PlacedProduct = Pick<DiscoveryProductRow, 'group_id' | 'ordinal' | 'product' | 'source'> & {
  readonly group_name: string;
};

/**
 * The products at these places, in no order: each looked up by itself, of one statement for all of them, so that no
 * database reads the whole session to find a few. Served by the primary key.
 */
export async function listProductsAt(
  db: Db,
  scope: Scope,
  session: { id: string; places: readonly Pick<ProductPlace, 'group_id' | 'ordinal'>[] },
): Promise<PlacedProduct[]> {
  const [first, ...others] = session.places.map(({ group_id, ordinal }) =>
    db
      .selectFrom('discovery_products')
      .innerJoin('discovery_groups', (join) =>
        join
          .onRef('discovery_groups.organization_id', '=', 'discovery_products.organization_id')
          .onRef('discovery_groups.session_id', '=', 'discovery_products.session_id')
          .onRef('discovery_groups.group_id', '=', 'discovery_products.group_id'),
      )
      .select([
        'discovery_products.group_id',
        'discovery_products.ordinal',
        'discovery_products.product',
        'discovery_products.source',
        'discovery_groups.name as group_name',
      ])
      .where('discovery_products.organization_id', '=', scope.organizationId)
      .where('discovery_products.session_id', '=', session.id)
      .where('discovery_products.group_id', '=', group_id)
      .where('discovery_products.ordinal', '=', ordinal),
  );
  if (first === undefined) return [];
  return others.reduce((all, one) => all.unionAll(one), first).execute();
}

/** The products of a session that are sold by the thousand, the cheapest first; so many of them. */
export async function listCheapest(
  db: Db,
  scope: Scope,
  session: { id: string; limit: number },
): Promise<Pick<DiscoveryProductRow, 'group_id' | 'product'>[]> {
  return db
    .selectFrom('discovery_products')
    .select(['group_id', 'product'])
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where('price', 'is not', null)
    .orderBy('price')
    .orderBy('product_id')
    .orderBy('agent_id')
    .limit(session.limit)
    .execute();
}

/** All products of these groups, in their order. Served by the primary key. */
export async function listProductsOf(
  db: Db,
  scope: Scope,
  session: { id: string; groupIds: readonly string[] },
): Promise<Pick<DiscoveryProductRow, 'group_id' | 'product' | 'source'>[]> {
  if (session.groupIds.length === 0) return [];
  return db
    .selectFrom('discovery_products')
    .select(['group_id', 'product', 'source'])
    .$call(inOrganization(scope))
    .where('session_id', '=', session.id)
    .where('group_id', 'in', session.groupIds)
    .orderBy('group_id')
    .orderBy('ordinal')
    .execute();
}

/** The bytes of what sellers brought to a session, products and proposals, those of these sellers left out. */
export async function sumBytes(
  db: Db,
  scope: Scope,
  { id, notOf }: { id: string; notOf: readonly string[] },
): Promise<number> {
  const products = await db
    .selectFrom('discovery_products')
    .select(
      sql<Sum>`sum(octet_length(${sql.ref('product')}) + octet_length(coalesce(${sql.ref('source')}, '')))`.as(
        'total',
      ),
    )
    .$call(inOrganization(scope))
    .where('session_id', '=', id)
    .$if(notOf.length > 0, (query) => query.where('agent_id', 'not in', notOf))
    .executeTakeFirstOrThrow();
  const proposals = await db
    .selectFrom('discovery_proposals')
    .select(sql<Sum>`sum(octet_length(${sql.ref('proposal')}))`.as('total'))
    .$call(inOrganization(scope))
    .where('session_id', '=', id)
    .$if(notOf.length > 0, (query) => query.where('agent_id', 'not in', notOf))
    .executeTakeFirstOrThrow();
  return Number(products.total ?? 0) + Number(proposals.total ?? 0);
}

type Sum = number | string | null;
