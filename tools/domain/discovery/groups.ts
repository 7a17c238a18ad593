import { listAgentPlaces } from '../../../store/discovery-agents.ts';
import {
  type DiscoveryGroupRow,
  type GroupTotals,
  listGroups,
  sumGroups,
} from '../../../store/discovery-groups.ts';
import { countSoldSo } from '../../../store/discovery-products.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Page } from '../../../store/engine/paging.ts';
import type { Context } from '../../core/context.ts';
import { holdsName, type Narrowing } from '../opening.ts';

/** Which groups of a session a reader wants, and which of their products. */
export interface Wanted extends Partial<Narrowing> {
  readonly sinceRevision: number;
}

interface Question {
  readonly wanted: Wanted;
  readonly page: Page;
}

export interface GroupPage {
  /** Each counts the products that are wanted of it. */
  readonly groups: readonly DiscoveryGroupRow[];
  /** Of all groups that are wanted, on whichever page. */
  readonly totals: GroupTotals;
}

/** One page of the groups that are wanted, and what there is of them in all. The products stay where they are. */
export async function readGroups(
  ctx: Context,
  session: DiscoverySessionRow,
  { wanted, page }: Question,
): Promise<GroupPage> {
  const { sinceRevision, publisherDomain, pricingModel } = wanted;
  const storefrontIds = await storefrontsOf(ctx, session, wanted);
  const filter = { sinceRevision, publisherDomain, pricingModel, storefrontIds };
  const { id } = session;
  const [groups, totals] = await Promise.all([
    listGroups(ctx.db, ctx.scope, { id, filter, page }),
    sumGroups(ctx.db, ctx.scope, { id, filter }),
  ]);
  if (pricingModel === undefined) return { groups, totals };
  const groupIds = groups.map(({ group_id }) => group_id);
  const counts = await countSoldSo(ctx.db, ctx.scope, { sessionId: id, groupIds, pricingModel });
  return {
    groups: groups.map((group) => ({ ...group, product_count: counts.get(group.group_id) ?? 0 })),
    totals,
  };
}

/** Ids and names add up, as where a session is opened; undefined where neither is given. */
async function storefrontsOf(
  ctx: Context,
  session: DiscoverySessionRow,
  { storefrontIds = [], storefrontNames = [] }: Wanted,
): Promise<readonly number[] | undefined> {
  if (storefrontNames.length === 0) return storefrontIds.length === 0 ? undefined : storefrontIds;
  const agents = await listAgentPlaces(ctx.db, ctx.scope, { sessionId: session.id });
  const named = agents.filter(({ storefront_name }) =>
    storefrontNames.some((name) => holdsName(storefront_name, name)),
  );
  return [...new Set([...storefrontIds, ...named.map(({ storefront_id }) => storefront_id)])];
}
