import { listAgentPlaces } from '../../../../store/discovery-agents.ts';
import {
  findProductPlaces,
  listProductsAt,
  type ProductPlace,
  type WantedProduct,
} from '../../../../store/discovery-products.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import type { Context } from '../../../core/context.ts';
import { turn } from '../../../core/event-loop-turn.ts';
import { productNameOf } from '../../product-name.ts';
import { productIn } from '../asking/kept-products.ts';
import type { Product } from '../schema.ts';
import type { Choice, Problem } from './choose.ts';

/** The products that choices mean, as their session found them. */

export interface Found {
  readonly product: Product;
  readonly groupId: string;
  readonly groupName: string;
}

export const NOT_FOUND: Problem = {
  field: 'productId',
  problem: 'This session has not found such a product.',
};
const NOT_OF_SELLER: Problem = {
  field: 'salesAgentId',
  problem: 'This session has not found such a product of this seller.',
};
const NOT_OF_GROUP: Problem = {
  field: 'groupId',
  problem: 'This session has not found such a product in this group.',
};
const NOT_IN_GROUP: Problem = {
  field: 'groupName',
  problem: 'This session has not found such a product in a group of this name.',
};
/** Sellers that are named to choose from, where several have a product. */
const SELLERS_NAMED = 20;

/** Choices that are looked up in one statement, before everybody else has a turn of the event loop. */
const SLICE = 20;

/** A choice as people read it; what its session has not found has no name but that of its seller. */
export function nameFound({ productId }: Choice, found: Found | Problem): string {
  return 'problem' in found ? productId : productNameOf(found.product);
}

/** What each choice means, in their order. */
export async function findAll(
  ctx: Context,
  session: DiscoverySessionRow,
  choices: readonly Choice[],
): Promise<(Found | Problem)[]> {
  const found: (Found | Problem)[] = [];
  const sellers = await sellersIn(ctx, session, choices);
  for (let start = 0; start < choices.length; start += SLICE) {
    if (start > 0) await turn();
    found.push(...(await findSlice(ctx, session, { choices: choices.slice(start, start + SLICE), sellers })));
  }
  return found;
}

/** The sellers that a session asked, by their storefronts. */
type SellersIn = ReadonlyMap<number, readonly string[]>;

/** Nobody is looked up where no choice names a storefront. */
async function sellersIn(
  ctx: Context,
  { id }: DiscoverySessionRow,
  choices: readonly Choice[],
): Promise<SellersIn> {
  const storefrontIds = [...new Set(choices.flatMap(({ storefrontId }) => storefrontId ?? []))];
  if (storefrontIds.length === 0) return new Map();
  const byStorefront = new Map<number, string[]>();
  const places = await listAgentPlaces(ctx.db, ctx.scope, { sessionId: id, storefrontIds });
  for (const { storefront_id, agent_id } of places) {
    byStorefront.set(storefront_id, [...(byStorefront.get(storefront_id) ?? []), agent_id]);
  }
  return byStorefront;
}

/** What each choice means, asked for at once: where they stand, then the products that stand there. */
async function findSlice(
  ctx: Context,
  session: DiscoverySessionRow,
  { choices, sellers }: { readonly choices: readonly Choice[]; readonly sellers: SellersIn },
): Promise<(Found | Problem)[]> {
  const wanted = choices.map((choice) => ({
    productId: choice.productId,
    agentId: choice.salesAgentId ?? onlySeller(choice, sellers),
    groupId: choice.groupId,
    groupName: choice.groupName,
  }));
  const { id } = session;
  const places = await findProductPlaces(ctx.db, ctx.scope, { id, wanted, each: SELLERS_NAMED });
  const candidates = choices.map((): ProductPlace[] => []);
  for (const place of places) candidates[place.wanted]?.push(place);
  const decided = await blamed(ctx, session, {
    choices,
    wanted,
    decided: choices.map((choice, index) => oneOf(candidates[index] ?? [], choice, sellers)),
  });
  const chosen = decided.flatMap((place) => ('problem' in place ? [] : [place]));
  const rows = await listProductsAt(ctx.db, ctx.scope, { id, places: chosen });
  const products = new Map(rows.map((row) => [placeKey(row), row]));
  return decided.map((place) => {
    if ('problem' in place) return place;
    const row = products.get(placeKey(place));
    if (row === undefined) return NOT_FOUND;
    return { product: productIn(row), groupId: row.group_id, groupName: row.group_name };
  });
}

interface Looked {
  readonly choices: readonly Choice[];
  readonly wanted: readonly WantedProduct[];
  readonly decided: readonly (ProductPlace | Problem)[];
}

/** Of what is not found, the first word that leaves nothing is wrong: its id, its seller, or its group. */
async function blamed(
  ctx: Context,
  { id }: DiscoverySessionRow,
  { choices, wanted, decided }: Looked,
): Promise<readonly (ProductPlace | Problem)[]> {
  const lost = wanted.flatMap((one, index) => (decided[index] === NOT_FOUND ? [{ one, index }] : []));
  if (lost.length === 0) return decided;
  const ways = lost.flatMap(({ one: { productId, agentId, groupId } }) => [
    { productId },
    { productId, agentId },
    { productId, agentId, groupId },
  ]);
  const places = await findProductPlaces(ctx.db, ctx.scope, { id, wanted: ways, each: 1 });
  const there = new Set(places.map((place) => place.wanted));
  const each = ways.length / lost.length;
  const problems = new Map(
    lost.map(({ index }, number) => {
      const isLeft = (way: number) => there.has(number * each + way);
      return [index, wrongWord(choices[index], isLeft)];
    }),
  );
  return decided.map((one, index) => problems.get(index) ?? one);
}

function wrongWord(choice: Choice | undefined, isLeft: (way: number) => boolean): Problem {
  if (!isLeft(0)) return NOT_FOUND;
  if (!isLeft(1)) return choice?.salesAgentId === undefined ? notOfStorefront(choice) : NOT_OF_SELLER;
  return isLeft(2) ? NOT_IN_GROUP : NOT_OF_GROUP;
}

function notOfStorefront(choice: Choice | undefined): Problem {
  return { field: 'storefrontId', problem: `Storefront ${choice?.storefrontId} has no such product here.` };
}

function placeKey({ group_id, ordinal }: Pick<ProductPlace, 'group_id' | 'ordinal'>): string {
  return `${ordinal} ${group_id}`;
}

/** A storefront that sells through one seller names it; of several the product says which. */
function onlySeller({ storefrontId = 0 }: Choice, sellers: SellersIn): string | undefined {
  const [only, another] = sellers.get(storefrontId) ?? [];
  return another === undefined ? only : undefined;
}

function oneOf(found: readonly ProductPlace[], choice: Choice, sellers: SellersIn): ProductPlace | Problem {
  const { salesAgentId } = choice;
  const places = found.filter((place) => isIn(place, choice, sellers));
  const [only, another] = places;
  if (only === undefined) return found.length > 0 ? notOfStorefront(choice) : NOT_FOUND;
  if (another === undefined || salesAgentId !== undefined) return only;
  const agents = places.map(({ agent_id }) => agent_id).join(', ');
  return { field: 'salesAgentId', problem: `Several sellers have this product. Give one of: ${agents}.` };
}

function isIn({ agent_id }: ProductPlace, { storefrontId }: Choice, sellers: SellersIn): boolean {
  return storefrontId === undefined || (sellers.get(storefrontId) ?? []).includes(agent_id);
}

/** The products that are meant, by their ids, as far as the session has found them. */
export async function productsFound(
  ctx: Context,
  session: DiscoverySessionRow,
  wanted: readonly Choice[],
): Promise<ReadonlyMap<string, Product>> {
  const found = await findAll(ctx, session, wanted);
  return new Map(found.flatMap((one) => ('problem' in one ? [] : [[one.product.productId, one.product]])));
}
