import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type DiscoveryGroupRow,
  type GroupFilter,
  type GroupTotals,
  listGroups,
  sumGroups,
} from '../../../store/discovery-groups.ts';
import { type DiscoverySessionRow, listAgents } from '../../../store/discovery-sessions.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Page } from '../../../store/engine/paging.ts';
import type { Context } from '../../core/context.ts';
import type { Narrowing } from '../opening.ts';
import { openedWith } from '../opening.ts';
import { countsOf } from './revisions.ts';
import type { Product } from './schema.ts';

/** How many groups are looked into in one turn where their products have to be looked at. */
const BATCH = 20;

/** Which groups of a session a reader wants, and which of their products. */
export interface Wanted extends Partial<Narrowing> {
  readonly sinceRevision: number;
}

interface Question {
  readonly wanted: Wanted;
  readonly page: Page;
}

export interface GroupPage {
  readonly groups: readonly DiscoveryGroupRow[];
  /** Of all groups that are wanted, on whichever page. */
  readonly totals: GroupTotals;
}

export function productsOf(group: DiscoveryGroupRow): Product[] {
  return fromJson<Product[]>(group.products);
}

/** One page of the groups that are wanted, and what there is of them in all. */
export async function readGroups(
  ctx: Context,
  session: DiscoverySessionRow,
  { wanted, page }: Question,
): Promise<GroupPage> {
  const { sinceRevision, publisherDomain, pricingModel } = wanted;
  const filter = { sinceRevision, publisherDomain, storefrontIds: await storefrontsOf(ctx, session, wanted) };
  if (pricingModel !== undefined) return readSoldSo(ctx, session, { pricingModel, filter, page });
  const { id } = session;
  const [groups, totals] = await Promise.all([
    listGroups(ctx.db, ctx.scope, { id, filter, page }),
    sumGroups(ctx.db, ctx.scope, { id, filter }),
  ]);
  return { groups, totals };
}

/** Ids and names add up, as where a session is opened; undefined where neither is given. */
async function storefrontsOf(
  ctx: Context,
  session: DiscoverySessionRow,
  { storefrontIds, storefrontNames }: Wanted,
): Promise<readonly number[] | undefined> {
  if (storefrontNames === undefined) return storefrontIds;
  const agents = await listAgents(ctx.db, ctx.scope, session.id);
  const names = new Set(storefrontNames.map((name) => name.toLowerCase()));
  const named = agents.filter(({ storefront_name }) => names.has(storefront_name.toLowerCase()));
  return [...(storefrontIds ?? []), ...named.map(({ storefront_id }) => storefront_id)];
}

interface SoldSo {
  readonly pricingModel: string;
  readonly filter: GroupFilter;
  readonly page: Page;
}

/** A group without the products themselves. */
type Outline = Omit<DiscoveryGroupRow, 'products'>;

/** Looks into every group: how a product is sold stands inside of it. Holds the products of one page only. */
async function readSoldSo(
  ctx: Context,
  session: DiscoverySessionRow,
  { pricingModel, filter, page }: SoldSo,
): Promise<GroupPage> {
  const { id } = session;
  const { currency } = openedWith(session);
  const outlines: Outline[] = [];
  const groups: DiscoveryGroupRow[] = [];
  for (let skip = 0; ; skip += BATCH) {
    const batch = await listGroups(ctx.db, ctx.scope, { id, filter, page: { take: BATCH, skip } });
    for (const group of batch.flatMap((whole) => onlySoldSo(whole, pricingModel, currency))) {
      const { products: _, ...outline } = group;
      if (outlines.length >= page.skip && groups.length < page.take) groups.push(group);
      outlines.push(outline);
    }
    if (batch.length < BATCH) return { groups, totals: totalsOf(outlines) };
    // A session can be long, and others are waiting.
    await nextTurn();
  }
}

/** The group with the products that are sold so, counted anew; nothing when it has none. */
function onlySoldSo(group: DiscoveryGroupRow, pricingModel: string, currency: string): DiscoveryGroupRow[] {
  const products = productsOf(group).filter(({ pricingOptions }) =>
    pricingOptions.some((option) => option.pricingModel === pricingModel),
  );
  if (products.length === 0) return [];
  return [{ ...group, ...countsOf(products, currency), products: toJson(products) }];
}

function totalsOf(groups: readonly Outline[]): GroupTotals {
  const sum = (count: (group: Outline) => number) => groups.reduce((total, group) => total + count(group), 0);
  const lowest = groups.flatMap(({ price_min }) => price_min ?? []);
  const highest = groups.flatMap(({ price_max }) => price_max ?? []);
  return {
    groups: groups.length,
    products: sum(({ product_count }) => product_count),
    publishers: new Set(groups.map(({ publisher_domain }) => publisher_domain)).size,
    price_count: sum(({ price_count }) => price_count),
    price_sum: sum(({ price_sum }) => price_sum),
    price_min: lowest.length === 0 ? null : lowest.reduce((one, other) => Math.min(one, other)),
    price_max: highest.length === 0 ? null : highest.reduce((one, other) => Math.max(one, other)),
  };
}
