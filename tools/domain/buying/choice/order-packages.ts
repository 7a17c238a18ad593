import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { ChosenProduct, DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyProduct, Pacing } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { buyGoalsFor, goalsFor } from '../../campaigns/declared-goals.ts';
import type { SellerGoal } from '../../campaigns/goals.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { toMajor } from '../../money.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { combined } from '../../targeting/combined.ts';
import { linesOf, type Ordering, pacedBy } from './order-lines.ts';
import { targetingFor } from './targeting.ts';

/** What of an order is about one product of the choice. Pure: rows in, packages out. */

const pacings = { EVEN: 'even', ASAP: 'asap', FRONTLOADED: 'front_loaded' } as const;

/** A product with what it gets of the budget. */
export interface Line {
  readonly selection: DiscoverySelectionRow;
  readonly budgetMinor: number;
}

/** What a buy has of its own, in place of what its campaign says. */
export type OwnTerms = Pick<MediaBuyRow, 'pacing_periods' | 'optimization_goals'>;

interface Packed {
  readonly campaign: CampaignRow & Ordering;
  readonly own: OwnTerms;
  readonly feeBps: number;
  readonly product: BuyProduct | undefined;
  readonly now: string;
}

export function asBuyProduct(selection: DiscoverySelectionRow, budgetMinor: number): BuyProduct {
  const product = fromJson(selection.product);
  return {
    product_id: selection.product_id,
    name: product.name,
    pricing_option_id: selection.pricing_option_id,
    budget_minor: budgetMinor,
    bid_price: selection.bid_price === null ? null : Number(selection.bid_price),
    ...(selection.pacing === null ? {} : { pacing: selection.pacing }),
    ...(selection.targeting_overlay === null
      ? {}
      : { targeting_overlay: fromJson(selection.targeting_overlay) }),
    ...(product.reportingDelayMinutes === undefined
      ? {}
      : { reporting_delay_minutes: product.reportingDelayMinutes }),
    format_ids: product.formatIds.map(({ agentUrl, id }) => ({ agent_url: agentUrl, id })),
  };
}

/** The packages of a product: one, or one for each pacing period that is not over. */
export function packagesFor({ selection, budgetMinor }: Line, packed: Packed): OrderPackage[] {
  const { campaign, own, product, feeBps, now } = packed;
  if (product === undefined) return [];
  const whole = asOrderPackage(product, packed, fromJson(selection.product));
  const paced = pacedBy(campaign, own.pacing_periods);
  if (paced.pacing_periods === null) return [whole];
  return linesOf(paced, budgetMinor, now).map(({ budgetMinor: part, startTime, endTime }) => ({
    ...whole,
    budget: toMajor(mediaBudgetOf(part, feeBps), campaign.currency),
    gross_minor: part,
    ...(startTime === undefined ? {} : { start_time: startTime }),
    ...(endTime === undefined ? {} : { end_time: endTime }),
  }));
}

/** Its seller is ordered from without the fee, which is none of its business. */
function asOrderPackage(
  product: BuyProduct,
  { campaign, own, feeBps }: Packed,
  chosen: ChosenProduct,
): OrderPackage {
  const { targeting } = combined(targetingFor(campaign), product.targeting_overlay ?? {});
  const goals = goalsOf(campaign, own, chosen);
  const pacing = pacingOf(campaign, product);
  return {
    product_id: product.product_id,
    pricing_option_id: product.pricing_option_id,
    budget: toMajor(mediaBudgetOf(product.budget_minor, feeBps), campaign.currency),
    ...(product.bid_price === null ? {} : { bid_price: product.bid_price }),
    ...(pacing === undefined ? {} : { pacing }),
    ...(product.format_ids.length === 0 ? {} : { format_ids: product.format_ids }),
    ...(Object.keys(targeting).length === 0 ? {} : { targeting_overlay: targeting }),
    ...(goals.length === 0 ? {} : { optimization_goals: goals }),
  };
}

function goalsOf(campaign: CampaignRow, own: OwnTerms, chosen: ChosenProduct): readonly SellerGoal[] {
  if (own.optimization_goals !== null) return buyGoalsFor(fromJson(own.optimization_goals), chosen);
  return campaign.optimization_goals === null ? [] : goalsFor(fromJson(campaign.optimization_goals), chosen);
}

/** No seller knows a daily cap: an even pace keeps it, and nothing else does. */
function pacingOf(
  { pacing, daily_cap_minor: cap }: Pick<CampaignRow, 'pacing' | 'daily_cap_minor'>,
  product: BuyProduct,
): Pacing | undefined {
  if (cap !== null) return 'even';
  return product.pacing ?? (pacing === null ? undefined : pacings[pacing]);
}
