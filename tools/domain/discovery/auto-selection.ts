import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { spendableOf } from '../buying/allocation.ts';
import { problemsOf } from '../buying/choice-problems.ts';
import type { Fees } from '../buying/fees.ts';
import { leastPart } from '../buying/least-budgets.ts';
import { goalsBeyond } from '../campaigns/goals.ts';
import { grossBudgetOf } from '../ledger/pricing.ts';
import { roundToMinor, shareEqually, toMajor } from '../money.ts';
import { leastSpend } from '../pricing.ts';
import { type Asks, answerTo, type Candidate, NOTHING_ASKED } from './asks.ts';
import type { Choice } from './choose.ts';
import type { Product } from './schema.ts';

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

/** The products that fit best, each with an equal share of the budget; as many as the budget is enough for. */
export function choicesFor(
  campaign: CampaignRow,
  candidates: readonly Candidate[],
  wishes: Wishes,
): (Choice & Pick<Product, 'salesAgentId'>)[] {
  const fits = candidates.flatMap((one) => fitOf(campaign, one, wishes)).sort(byFit);
  const budget = spendableOf(campaign);
  const { maxProducts = PRODUCTS_CHOSEN, minBudgetMinor = 1 } = wishes;
  let chosen = spread(fits).slice(0, Math.min(maxProducts, Math.floor(budget / minBudgetMinor)));
  const getsTooLittle = ({ leastMinor, feeBps }: Fit) =>
    leastPart(campaign, Math.floor(budget / chosen.length), feeBps) < leastMinor;
  while (chosen.some(getsTooLittle)) {
    const most = Math.max(...chosen.map(startsAt));
    chosen = chosen.filter((one) => one !== chosen.findLast((fit) => startsAt(fit) === most));
  }
  const shares = chosen.length === 0 ? [] : shareEqually(budget, chosen.length);
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

function fitOf(
  campaign: CampaignRow,
  candidate: Candidate,
  { include, omit, asks = NOTHING_ASKED, fees = () => undefined }: Wishes,
): Fit[] {
  const { product } = candidate;
  const option = cheapest(product, campaign.currency);
  if (option === undefined || omit.includes(product.productId)) return [];
  const row = {
    product: JSON.stringify(product),
    product_id: product.productId,
    agent_id: product.salesAgentId,
    pricing_option_id: option.pricingOptionId,
    budget_minor: null,
    targeting_overlay: null,
  };
  const isKept = problemsOf(campaign, [row]).every(({ code }) => code === 'INSUFFICIENT_MEDIA_BUDGET');
  if (!isKept) return [];
  const goals = campaign.optimization_goals === null ? [] : fromJson(campaign.optimization_goals);
  return [
    {
      ...candidate,
      option,
      feeBps: fees(product.salesAgentId) ?? 0,
      // Nobody sells for nothing.
      leastMinor: Math.max(1, roundToMinor(leastSpend(option), campaign.currency) ?? 0),
      isWanted: include.includes(product.productId),
      asked: answerTo(asks, candidate),
      goalsMissed: goalsBeyond(goals, product).length,
    },
  ];
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
