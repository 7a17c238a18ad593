import { type CampaignRow, listDraftsOf } from '../../../store/campaigns.ts';
import { findProductPlaces, listProductsAt, type ProductPlace } from '../../../store/discovery-products.ts';
import type { ChosenProduct, DiscoverySelectionRow, Targeting } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Context } from '../../core/context.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { currencyMismatch, invalidInput } from '../../core/errors/refusals.ts';
import { turn } from '../../core/turn.ts';
import { constraintProblems } from '../buying/choice-problems.ts';
import { decimalsOf, toMinor } from '../money.ts';
import { openedWith } from '../opening.ts';
import { targetingProblem } from './choice-targeting.ts';
import type { Product } from './schema.ts';

/** A product as a caller chooses it. */
export interface Choice {
  readonly productId: string;
  readonly salesAgentId?: string | undefined;
  readonly groupId?: string | undefined;
  readonly pricingOptionId?: string | undefined;
  readonly bidPrice?: number | undefined;
  readonly budget?: number | undefined;
  readonly pacing?: DiscoverySelectionRow['pacing'];
  readonly targetingOverlay?: Targeting | undefined;
  /** What it is to the caller, where it is no entry of `products`. */
  readonly calledAs?: string;
}

export type Chosen = Omit<DiscoverySelectionRow, 'id' | 'organization_id'>;

interface Found {
  readonly product: Product;
  readonly groupId: string;
  readonly groupName: string;
}

/** The choices as rows, or every complaint about them at once. */
export async function choose(
  ctx: Context,
  session: DiscoverySessionRow,
  choices: readonly Choice[],
): Promise<Chosen[]> {
  const { currency } = openedWith(session);
  const drafts = await listDraftsOf(ctx.db, ctx.scope, session.id);
  const problems: (Issue & Pick<Problem, 'field' | 'isCurrency'>)[] = [];
  const chosen: Chosen[] = [];
  const found = await findAll(ctx, session, choices);
  for (const [index, choice] of choices.entries()) {
    const one = found[index] ?? NOT_FOUND;
    const row =
      'problem' in one ? one : asSelection(one, { choice, session, drafts, currency, now: ctx.now });
    if ('problem' in row) {
      const { field, problem: message, isCurrency } = row;
      problems.push({ path: placeOf(choice, `products.${index}.${field}`), field, message, isCurrency });
    } else chosen.push(row);
  }
  const [first] = problems;
  if (first === undefined) return chosen;
  if (problems.every(({ isCurrency }) => isCurrency)) throw currencyMismatch(first.path, first.message);
  const issues = problems.map(({ path, message }) => ({ path, message }));
  const lost = problems.some(({ field }) => field === 'productId');
  throw invalidInput(issues, lost ? { suggestion: 'Find products with browse_products.' } : {});
}

function placeOf({ calledAs }: Choice, entry: string): string {
  return calledAs ?? entry;
}

interface Problem {
  readonly field: keyof Choice | `targetingOverlay.${string}`;
  readonly problem: string;
  /** True when nothing is wrong but the currency. */
  readonly isCurrency?: boolean | undefined;
}

const NOT_FOUND: Problem = { field: 'productId', problem: 'This session has not found such a product.' };
/** Sellers that are named to choose from, where several have a product. */
const SELLERS_NAMED = 20;

/** Choices that are looked up in one statement, before everybody else has a turn of the event loop. */
const SLICE = 20;

async function findAll(
  ctx: Context,
  session: DiscoverySessionRow,
  choices: readonly Choice[],
): Promise<(Found | Problem)[]> {
  const found: (Found | Problem)[] = [];
  for (let start = 0; start < choices.length; start += SLICE) {
    if (start > 0) await turn();
    found.push(...(await findSlice(ctx, session, choices.slice(start, start + SLICE))));
  }
  return found;
}

/** What each choice means, asked for at once: where they stand, then the products that stand there. */
async function findSlice(
  ctx: Context,
  session: DiscoverySessionRow,
  choices: readonly Choice[],
): Promise<(Found | Problem)[]> {
  const wanted = choices.map(({ productId, salesAgentId: agentId, groupId }) => ({
    productId,
    agentId,
    groupId,
  }));
  const { id } = session;
  const places = await findProductPlaces(ctx.db, ctx.scope, { id, wanted, each: SELLERS_NAMED });
  const candidates = choices.map((): ProductPlace[] => []);
  for (const place of places) candidates[place.wanted]?.push(place);
  const decided = choices.map((choice, index) => oneOf(candidates[index] ?? [], choice));
  const chosen = decided.flatMap((place) => ('problem' in place ? [] : [place]));
  const rows = await listProductsAt(ctx.db, ctx.scope, { id, places: chosen });
  const products = new Map(rows.map((row) => [placeKey(row), row]));
  return decided.map((place) => {
    if ('problem' in place) return place;
    const row = products.get(placeKey(place));
    if (row === undefined) return NOT_FOUND;
    return { product: fromJson<Product>(row.product), groupId: row.group_id, groupName: row.group_name };
  });
}

function placeKey({ group_id, ordinal }: Pick<ProductPlace, 'group_id' | 'ordinal'>): string {
  return `${ordinal} ${group_id}`;
}

function oneOf(places: readonly ProductPlace[], { salesAgentId }: Choice): ProductPlace | Problem {
  const [only, another] = places;
  if (only === undefined) return NOT_FOUND;
  if (another === undefined || salesAgentId !== undefined) return only;
  const agents = places.map(({ agent_id }) => agent_id).join(', ');
  return { field: 'salesAgentId', problem: `Several sellers have this product. Give one of: ${agents}.` };
}

const ELSEWHERE = 'Leave it out, and choose another with browse_products.';

interface Facts {
  readonly choice: Choice;
  readonly session: DiscoverySessionRow;
  /** The campaigns that are to buy the choice. */
  readonly drafts: readonly CampaignRow[];
  readonly currency: string;
  readonly now: string;
}

function noSuchOption({ pricingOptions }: Product): Problem {
  const known = pricingOptions.map(({ pricingOptionId }) => pricingOptionId).join(', ');
  return known === ''
    ? { field: 'productId', problem: 'It has no option to buy it by.' }
    : { field: 'pricingOptionId', problem: `No such option. Give one of: ${known}.` };
}

function asSelection({ product, groupId, groupName }: Found, facts: Facts): Chosen | Problem {
  const { choice, session, drafts, currency, now } = facts;
  const [outside] = drafts.flatMap((draft) => constraintProblems(product, draft));
  if (outside !== undefined) return { field: 'productId', problem: `${outside.message} ${ELSEWHERE}` };
  const option =
    choice.pricingOptionId === undefined
      ? (product.pricingOptions.find((known) => known.currency === currency) ?? product.pricingOptions[0])
      : product.pricingOptions.find((known) => known.pricingOptionId === choice.pricingOptionId);
  if (option === undefined) return noSuchOption(product);
  if (option.currency !== currency) {
    const problem = `Sold in ${option.currency}; the advertiser pays in ${currency}. ${ELSEWHERE}`;
    return { field: 'productId', problem, isCurrency: true };
  }
  const problem = bidProblem(option, choice.bidPrice) ?? targetingOf(product, facts);
  if (problem !== undefined) return problem;
  const budget = budgetOf(option, choice.budget);
  if (budget !== null && typeof budget === 'object') return budget;
  return {
    session_id: session.id,
    agent_id: product.salesAgentId,
    product_id: product.productId,
    group_id: groupId,
    group_name: groupName,
    pricing_option_id: option.pricingOptionId,
    budget_minor: budget,
    ...asWished(choice),
    product: toJson<ChosenProduct>(product),
    selected_at: now,
  };
}

function targetingOf(product: Product, { choice, drafts }: Facts): Problem | undefined {
  const { targetingOverlay: overlay } = choice;
  const missed = overlay && targetingProblem(overlay, product, drafts);
  return missed && { field: `targetingOverlay.${missed.field}`, problem: missed.message };
}

function asWished({ bidPrice, pacing = null, targetingOverlay }: Choice) {
  return {
    bid_price: bidPrice === undefined ? null : String(bidPrice),
    pacing,
    targeting_overlay: kept(targetingOverlay),
  };
}

function kept(overlay: Targeting | undefined): Chosen['targeting_overlay'] {
  const said = Object.entries(overlay ?? {}).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return said.length === 0 ? null : toJson(Object.fromEntries(said));
}

/** A budget in minor units: none, or as much as the option asks for at the least. */
function budgetOf(
  option: Product['pricingOptions'][number],
  budget: number | undefined,
): number | null | Problem {
  if (budget === undefined) return null;
  const { currency, minSpend } = option;
  const minor = toMinor(budget, currency);
  if (minor === undefined) {
    return { field: 'budget', problem: `${currency} has ${decimalsOf(currency)} decimals at the most.` };
  }
  return minSpend !== undefined && budget < minSpend
    ? { field: 'budget', problem: `This option starts at ${minSpend} ${currency}.` }
    : minor;
}

/** An auction needs a bid at or above its floor; a fixed price takes none. */
function bidProblem(
  option: Product['pricingOptions'][number],
  bidPrice: number | undefined,
): Problem | undefined {
  const problem = wrongBid(option, bidPrice);
  return problem === undefined ? undefined : { field: 'bidPrice', problem };
}

function wrongBid(
  option: Product['pricingOptions'][number],
  bidPrice: number | undefined,
): string | undefined {
  if (option.isFixed)
    return bidPrice === undefined ? undefined : 'This option has a fixed price; leave the bid out.';
  const floor = option.floorPrice ?? 0;
  if (bidPrice === undefined) return `Required in an auction: give ${floor} ${option.currency} or more.`;
  return bidPrice < floor ? `The floor is ${floor} ${option.currency}.` : undefined;
}
