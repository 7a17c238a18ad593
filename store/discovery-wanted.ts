import { expressionBuilder, sql } from 'kysely';
import type { Database } from './engine/database.ts';
import type { Db } from './engine/db.ts';
import { likeText } from './engine/like.ts';
import { holdsLabels, type Page } from './engine/paging.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

/** Which products of a group a reader wants: all, but for what is asked for here. */
export interface ProductFilter {
  /** Only those that are sold so. */
  readonly pricingModel?: string | undefined;
  /** Only those of this publisher, whole labels of its domain. */
  readonly publisherDomain?: string | undefined;
}

/** Whether a reader wants some products of a group alone. */
export function wantsSome({ pricingModel, publisherDomain }: ProductFilter): boolean {
  return pricingModel !== undefined || publisherDomain !== undefined;
}

/** The condition that a product is sold by a model. */
export function soldBy(pricingModel: string) {
  return sql<boolean>`${sql.ref('discovery_products.pricing_models')} like ${`%,${likeText(pricingModel)},%`} escape '\\'`;
}

/** The condition that one of the publishers of a product has these labels in its domain. */
export function isAt(labels: string) {
  return holdsLabels('discovery_products.publisher_domains', labels);
}

/** The condition that a product of a group that is wanted is wanted itself. */
export function isWanted({ pricingModel, publisherDomain }: ProductFilter) {
  const { eb, lit } = expressionBuilder<Database, 'discovery_products'>();
  return eb.and([
    pricingModel === undefined ? lit(true) : soldBy(pricingModel),
    // Without a publisher of its own, or stored before these were kept, a product is as its group, which is wanted.
    publisherDomain === undefined
      ? lit(true)
      : eb.or([isAt(publisherDomain), eb('discovery_products.publisher_domains', '=', '')]),
  ]);
}

/** The products of one group, one page of them, in their order. Served by the primary key. */
export async function listGroupProducts(
  db: Db,
  scope: Scope,
  group: { sessionId: string; groupId: string; filter: ProductFilter; page: Page },
): Promise<string[]> {
  const { sessionId, groupId, filter, page } = group;
  const rows = await db
    .selectFrom('discovery_products')
    .select('product')
    .$call(inOrganization(scope))
    .where('session_id', '=', sessionId)
    .where('group_id', '=', groupId)
    .where(isWanted(filter))
    .orderBy('ordinal')
    .limit(page.take)
    .offset(page.skip)
    .execute();
  return rows.map(({ product }) => product);
}

/** How many products of these groups are wanted, by the id of the group. */
export async function countWanted(
  db: Db,
  scope: Scope,
  groups: { sessionId: string; groupIds: readonly string[]; filter: ProductFilter },
): Promise<ReadonlyMap<string, number>> {
  if (groups.groupIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('discovery_products')
    .select((eb) => ['group_id', eb.fn.countAll<number>().as('total')])
    .$call(inOrganization(scope))
    .where('session_id', '=', groups.sessionId)
    .where('group_id', 'in', groups.groupIds)
    .where(isWanted(groups.filter))
    .groupBy('group_id')
    .execute();
  return new Map(rows.map(({ group_id, total }) => [group_id, Number(total)]));
}
