import { listAgentPlaces } from '../../../store/discovery-agents.ts';
import {
  type DiscoveryGroupRow,
  type GroupFilter,
  type GroupTotals,
  type HiddenAgent,
  listGroups,
  pageOfHiddenAgents,
  sumGroups,
} from '../../../store/discovery-groups.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { countWanted, wantsSome } from '../../../store/discovery-wanted.ts';
import type { Counted, Page } from '../../../store/engine/paging.ts';
import type { Context } from '../../core/context.ts';
import { holdsName, type Narrowing, openedWith } from '../discovery-opening.ts';

/** Which groups of a session a reader wants, and which of their products. */
export interface Wanted extends Partial<Narrowing> {
  readonly sinceRevision: number;
}

interface Question {
  readonly filter: GroupFilter;
  readonly page: Page;
}

export interface GroupPage {
  /** Each counts the products that are wanted of it. */
  readonly groups: readonly DiscoveryGroupRow[];
  /** Of all groups that are wanted, on whichever page. */
  readonly totals: GroupTotals;
}

/** The same as the store is asked for it: names stand for storefronts of the session. */
export async function filterFor(
  ctx: Context,
  session: DiscoverySessionRow,
  wanted: Wanted,
): Promise<GroupFilter> {
  const { sinceRevision, publisherDomain, pricingModel } = wanted;
  return {
    sinceRevision,
    publisherDomain,
    pricingModel,
    storefrontIds: await storefrontsOf(ctx, session, wanted),
  };
}

/** One page of the groups that are wanted, and what there is of them in all. The products stay where they are. */
export async function readGroups(
  ctx: Context,
  session: DiscoverySessionRow,
  { filter, page }: Question,
): Promise<GroupPage> {
  const { id } = session;
  const [groups, totals] = await Promise.all([
    listGroups(ctx.db, ctx.scope, { id, filter, page }),
    sumGroups(ctx.db, ctx.scope, { id, filter }),
  ]);
  if (!wantsSome(filter)) return { groups, totals };
  const groupIds = groups.map(({ group_id }) => group_id);
  const counts = await countWanted(ctx.db, ctx.scope, { sessionId: id, groupIds, filter });
  return {
    groups: groups.map((group) => ({ ...group, product_count: counts.get(group.group_id) ?? 0 })),
    totals,
  };
}

const FILTERS = ['publisherDomain', 'pricingModel'] as const;
export type Filter = (typeof FILTERS)[number];

/** What of the filters of a reader leaves out products of sellers that it wants. */
export function filtersIn(filter: Pick<GroupFilter, Filter>): Filter[] {
  return FILTERS.filter((field) => filter[field] !== undefined);
}

/** The sellers that show nothing because of these filters, of the storefronts that are wanted, a page of them. */
export async function hiddenSellers(
  ctx: Context,
  session: DiscoverySessionRow,
  { filter, page }: Question,
): Promise<Counted<HiddenAgent>> {
  if (!wantsSome(filter)) return { rows: [], total: 0 };
  // What landed before is hidden from nobody: it was shown then.
  const whenever = { ...filter, sinceRevision: 0 };
  return pageOfHiddenAgents(ctx.db, ctx.scope, { id: session.id, filter: whenever, page });
}

/** That a reader wants storefronts that the session has not: one sentence, or none. */
export async function unknownStorefronts(
  ctx: Context,
  session: DiscoverySessionRow,
  { storefrontIds = [], storefrontNames = [] }: Narrowing,
): Promise<string[]> {
  if (storefrontIds.length + storefrontNames.length === 0) return [];
  const asked = await listAgentPlaces(ctx.db, ctx.scope, { sessionId: session.id });
  const { notAsked = [] } = openedWith(session);
  const ids = new Set([
    ...asked.map(({ storefront_id }) => storefront_id),
    ...notAsked.map(({ storefrontId }) => storefrontId),
  ]);
  const names = [
    ...asked.map(({ storefront_name }) => storefront_name),
    ...notAsked.map(({ storefrontName }) => storefrontName),
  ];
  const unknown = [
    ...storefrontIds.flatMap((id, index) => (ids.has(id) ? [] : [`storefrontIds.${index}`])),
    ...storefrontNames.flatMap((part, index) =>
      names.some((name) => holdsName(name, part)) ? [] : [`storefrontNames.${index}`],
    ),
  ];
  if (unknown.length === 0) return [];
  return [`This session has no storefront for ${unknown.join(', ')}: leave out what it did not ask.`];
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
