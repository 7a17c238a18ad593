import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { spendableOf } from '../../buying/choice/allocation.ts';
import { problemsOf, tooLittle } from '../../buying/choice/choice-problems.ts';
import type { Fees } from '../../buying/choice/fees.ts';
import { leastPart } from '../../buying/choice/least-budgets.ts';
import { placedBy } from '../../buying/choice/order-lines.ts';
import { goalsBeyond } from '../../campaigns/declared-goals.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { leastMinorOf, shareEqually, toMajor } from '../../money.ts';
import { leastSpend } from '../../pricing.ts';
import type { Product } from '../schema.ts';
import { type Answer, type Asks, answersTo, type Candidate, NOTHING_ASKED, turnedDownBy } from './asks.ts';
import type { Choice } from './choose.ts';

/** A choice made for a buyer: which of the products found fit a campaign best. Pure: products in, choices out. */

const PRODUCTS_CHOSEN = 5;

export interface Wishes {
  readonly maxProducts?: number | undefined;
  readonly minBudgetMinor?: number | undefined;
  /** Products that are to be among them, and those that are not. */
  readonly include: readonly string[];
  readonly omit: readonly string[];
  /** What is asked for and against in words, and products that others are to be like. */
  readonly asks?: Asks | undefined;
  /** What is taken of a budget before its seller gets it. */
  readonly fees?: Fees | undefined;
  /** Sellers of which nothing is chosen, by their ids, each with the reason. */
  readonly without?: ReadonlyMap<string, string> | undefined;
}

type Option = Product['pricingOptions'][number];

interface Fit extends Candidate {
  readonly option: Option;
  readonly feeBps: number;
  /** The least that its seller has to get. */
  readonly leastMinor: number;
  readonly isWanted: boolean;
  /** How much of what is asked it answers. */
  readonly asked: number;
  /** Goals of the campaign that it cannot be optimized for. */
  readonly goalsMissed: number;
}

/** What comes of it. */
interface Selected {
  readonly choices: readonly (Choice & Pick<Product, 'salesAgentId'>)[];
  /** Products that are to be among them and cannot be, by their ids, each with the reason. */
  readonly unfit: ReadonlyMap<string, string>;
}

/** The products that fit best, each with an equal share of the budget; as many as the budget is enough for. */
export function choicesFor(
  campaign: CampaignRow,
  candidates: readonly Candidate[],
  wishes: Wishes,
): Selected {
  const answer = answersTo(wishes.asks ?? NOTHING_ASKED);
  const tried = candidates.map((one) => ({ ...one, fit: fitOf(campaign, one, { ...wishes, answer }) }));
  const fits = tried.flatMap(({ fit }) => (typeof fit === 'string' ? [] : [fit]));
  const ranked = spread(fits.sort(byFit));
  const most = mostOf(campaign, wishes);
  const { chosen, gaveWay } = withEnough(campaign, ranked.slice(0, most.count));
  const reasons = new Map([
    ...tried.flatMap(({ product, fit }) => (typeof fit === 'string' ? [reasonOf(product, fit)] : [])),
    ...ranked.slice(most.count).map(({ product }) => reasonOf(product, most.words)),
    ...gaveWay,
  ]);
  const isChosen = (id: string) => chosen.some(({ product }) => product.productId === id);
  const unfit = wishes.include.flatMap((id) => {
    const reason = reasons.get(id);
    return reason === undefined || isChosen(id) ? [] : [[id, reason] as const];
  });
  return { choices: sharedOut(campaign, chosen), unfit: new Map(unfit) };
}

type Reason = readonly [productId: string, words: string];

function reasonOf({ productId }: Product, words: string): Reason {
  return [productId, words];
}

/** How many are chosen at the most, and what keeps more out. */
function mostOf(campaign: CampaignRow, { maxProducts = PRODUCTS_CHOSEN, minBudgetMinor = 1 }: Wishes) {
  const affordable = Math.floor(spendableOf(campaign) / minBudgetMinor);
  return affordable < maxProducts
    ? { count: affordable, words: `With minBudgetPerProduct the budget is enough for ${affordable}.` }
    : { count: maxProducts, words: `No more than ${maxProducts} are chosen: give a larger maxProducts.` };
}

/**
 * Those of which each gets what it starts at. The dearest gives way to the others, and all of them to those that are
 * to be among them.
 */
function withEnough(
  campaign: CampaignRow,
  fits: readonly Fit[],
): { chosen: readonly Fit[]; gaveWay: readonly Reason[] } {
  let chosen = fits;
  let gaveWay: readonly Reason[] = [];
  for (;;) {
    const parts = leastParts(campaign, chosen);
    if (!chosen.some((fit) => (parts.get(fit) ?? 0) < fit.leastMinor)) return { chosen, gaveWay };
    const free = chosen.filter(({ isWanted }) => !isWanted);
    const among = free.length > 0 ? free : chosen;
    const most = Math.max(...among.map(startsAt));
    const out = among.findLast((fit) => startsAt(fit) === most);
    if (out === undefined) return { chosen, gaveWay };
    gaveWay = [...gaveWay, reasonOf(out.product, tooLittleFor(campaign, out, parts.get(out) ?? 0))];
    chosen = chosen.filter((one) => one !== out);
  }
}

/** What the seller of each gets of its smallest order line, as they would be ordered beside each other. */
function leastParts(campaign: CampaignRow, chosen: readonly Fit[]): ReadonlyMap<Fit, number> {
  const shares = sharesAmong(campaign, chosen);
  const sellers = chosen.map(({ product }) => product.salesAgentId);
  const placed = placedBy(campaign, { sellers, budgets: shares, now: campaign.start_at });
  return new Map(
    chosen.map((fit, index) => [fit, leastPart(placed[index] ?? campaign, shares[index] ?? 0, fit.feeBps)]),
  );
}

function sharesAmong(campaign: CampaignRow, chosen: readonly Fit[]): number[] {
  return chosen.length === 0 ? [] : shareEqually(spendableOf(campaign), chosen.length);
}

function tooLittleFor(
  { currency }: CampaignRow,
  { product, leastMinor, feeBps }: Fit,
  budgetMinor: number,
): string {
  const [least, budget] = [toMajor(leastMinor, currency), toMajor(budgetMinor, currency)];
  return tooLittle(product.name, { least, budget, of: 'budget.total', feeBps, currency });
}

function sharedOut(campaign: CampaignRow, chosen: readonly Fit[]): Selected['choices'] {
  const shares = sharesAmong(campaign, chosen);
  return chosen.map(({ product, groupId, option }, index) => ({
    productId: product.productId,
    salesAgentId: product.salesAgentId,
    groupId,
    pricingOptionId: option.pricingOptionId,
    ...(option.isFixed ? {} : { bidPrice: option.floorPrice ?? 0 }),
    budget: toMajor(shares[index] ?? 0, campaign.currency),
    calledAs: () => 'discoveryId',
  }));
}

/** How a product fits, or why it does not. */
function fitOf(
  campaign: CampaignRow,
  candidate: Candidate,
  wishes: Wishes & { readonly answer: Answer },
): Fit | string {
  const { include, asks = NOTHING_ASKED, fees = () => undefined } = wishes;
  const { product } = candidate;
  const option = cheapest(product, campaign.currency);
  const kept = keptOut(product, wishes) ?? turnedDownBy(asks, product, campaign.currency);
  if (kept !== undefined) return kept;
  if (option === undefined) return unpriced(product.name, campaign.currency);
  const problem = problemWith(campaign, product, option);
  if (problem !== undefined) return problem;
  const goals = campaign.optimization_goals === null ? [] : fromJson(campaign.optimization_goals);
  return {
    ...candidate,
    option,
    feeBps: fees(product.salesAgentId) ?? 0,
    // Nobody sells for nothing.
    leastMinor: Math.max(1, leastMinorOf(leastSpend(option), campaign.currency) ?? 0),
    isWanted: include.includes(product.productId),
    asked: wishes.answer(candidate),
    goalsMissed: goalsBeyond(goals, product).length,
  };
}

function keptOut({ productId, salesAgentId }: Product, { omit, without }: Wishes): string | undefined {
  return omit.includes(productId) ? 'Another entry of refine leaves it out.' : without?.get(salesAgentId);
}

function unpriced(name: string, currency: string): string {
  return `${name} has no price of a thousand impressions (CPM or vCPM) in ${currency} to go by.`;
}

/** Why the campaign must not buy it, but for its budget: what each gets of that is decided between them. */
function problemWith(campaign: CampaignRow, product: Product, option: Option): string | undefined {
  const row = {
    product: JSON.stringify(product),
    product_id: product.productId,
    agent_id: product.salesAgentId,
    pricing_option_id: option.pricingOptionId,
    budget_minor: null,
    targeting_overlay: null,
  };
  return problemsOf(campaign, [row]).find(({ code }) => code !== 'INSUFFICIENT_MEDIA_BUDGET')?.message;
}

/** What it takes of a budget at the least, with the fee. */
function startsAt({ leastMinor, feeBps }: Fit): number {
  return grossBudgetOf(leastMinor, feeBps);
}

/** The cheapest way to buy a thousand impressions; an auction without a floor has no price to go by. */
function cheapest({ pricingOptions }: Product, currency: string): Option | undefined {
  const priced = pricingOptions.filter(
    (option) => option.currency === currency && /^v?cpm$/.test(option.pricingModel) && priceOf(option) > 0,
  );
  return priced.sort((one, other) => priceOf(one) - priceOf(other))[0];
}

function priceOf({ fixedPrice, floorPrice }: Option): number {
  return fixedPrice ?? floorPrice ?? 0;
}

function byFit(one: Fit, other: Fit): number {
  return (
    Number(other.isWanted) - Number(one.isWanted) ||
    other.asked - one.asked ||
    one.goalsMissed - other.goalsMissed ||
    Number(one.product.briefMatched === false) - Number(other.product.briefMatched === false) ||
    priceOf(one.option) - priceOf(other.option)
  );
}

/** The best of each publisher before the second of any: money is spread before it is piled up. */
function spread(fits: readonly Fit[]): Fit[] {
  const seen = new Map<string, number>();
  const ranked = fits.map((fit) => {
    const rank = seen.get(fit.groupId) ?? 0;
    seen.set(fit.groupId, rank + 1);
    return { fit, rank: fit.isWanted ? -1 : fit.asked > 0 ? 0 : rank };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ fit }) => fit);
}
