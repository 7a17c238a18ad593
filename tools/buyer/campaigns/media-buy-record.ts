import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { BuyPackage, BuyProduct } from '../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { deliveredByPackage, performanceOf } from '../../domain/buying/answers/performance.ts';
import { datesShown } from '../../domain/buying/answers/shown-package-dates.ts';
import { sellersWords } from '../../domain/buying/answers/told-words.ts';
import {
  type Ordered,
  packagesOrdered,
  productIdsOf,
  statusOfPackage,
  targetingNow,
} from '../../domain/buying/choice/package-lines.ts';
import { referenceOf } from '../../domain/buying/references.ts';
import { budgetParts, packageBudget } from '../../domain/buying/spend/budget-parts.ts';
import { pendingOf } from '../../domain/buying/standing/buy-standing.ts';
import { toMajor } from '../../domain/money.ts';

/** A media buy as its campaign refers to it. */
export function mediaBuyReferenceRecord(buy: MediaBuyRow, open: readonly MediaBuyChangeRow[]) {
  const { pendingAt, pendingChange } = pendingOf(buy, open);
  return {
    mediaBuyId: buy.id,
    status: buy.status,
    pendingAt,
    pendingChange:
      pendingChange === undefined
        ? undefined
        : { status: pendingChange.status, pendingAt: pendingChange.pendingAt },
  };
}

/** A media buy inside its campaign. Pure. */
export function campaignMediaBuyRecord(buy: MediaBuyRow, open: readonly MediaBuyChangeRow[]) {
  const products = fromJson(buy.products);
  const delivered = deliveredByPackage(buy);
  return {
    mediaBuyId: buy.id,
    name: buy.name,
    status: buy.status,
    salesAgentId: buy.agent_id,
    salesAgentName: buy.agent_name,
    budget: toMajor(buy.budget_minor, buy.currency),
    budgetCurrency: buy.currency,
    ...budgetParts(buy),
    errorCode: buy.error_code ?? undefined,
    startTime: buy.start_time,
    endTime: buy.end_time,
    products: products.map(({ product_id, name, budget_minor }) => ({
      productId: product_id,
      productName: name,
      budget: toMajor(budget_minor, buy.currency),
    })),
    packages: packagesOrdered(buy).map((ordered) => asPackage(buy, ordered, { products, delivered })),
    pacingPeriods: buy.pacing_periods === null ? undefined : fromJson(buy.pacing_periods),
    optimizationGoals: buy.optimization_goals === null ? undefined : goalsOf(buy.optimization_goals),
    performance: performanceOf(buy),
    revision: buy.revision,
    validActions: buy.valid_actions === null ? undefined : [...fromJson(buy.valid_actions)],
    ...pendingOf(buy, open),
    errorOwner: buy.error_owner ?? undefined,
    forwardedAt: buy.forwarded_at ?? undefined,
    buyerReference: referenceOf(buy),
    pendingReason: buy.pending_reason ?? undefined,
    pendingSince: buy.pending_since ?? undefined,
    sourceMessage: sellersWords(buy),
    createdAt: buy.created_at,
    updatedAt: buy.updated_at,
  };
}

function goalsOf(goals: NonNullable<MediaBuyRow['optimization_goals']>) {
  return fromJson(goals).map((goal) => ({ ...goal }));
}

interface Beside {
  readonly products: readonly BuyProduct[];
  readonly delivered: ReturnType<typeof deliveredByPackage>;
}

/** A package as it is by now: what was not said of it is what it was ordered as. */
function asPackage(buy: MediaBuyRow, ordered: Ordered, { products, delivered }: Beside) {
  const { part, line } = ordered;
  const { package_id } = part;
  const { start, end } = datesShown(ordered);
  return {
    packageId: package_id,
    status: statusOfPackage(buy, part),
    budget: packageBudget(buy, part) ?? undefined,
    budgetCurrency: buy.currency,
    pacing: part.pacing ?? line?.pacing,
    bidPrice: part.bid_price ?? line?.bid_price,
    startTime: start,
    endTime: end,
    targetingOverlay: targetingShown(products, part),
    productIds: productIdsOf(products, part),
    delivery: delivered.get(package_id),
  };
}

function targetingShown(products: readonly BuyProduct[], part: BuyPackage) {
  const overlay = targetingNow(products, part);
  return Object.keys(overlay).length === 0 ? undefined : overlay;
}
