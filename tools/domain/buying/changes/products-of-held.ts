import { isDeepStrictEqual } from 'node:util';
import type { PacingPeriods } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { toMajor } from '../../money.ts';
import { packageOfAll } from '../choice/package-of-all.ts';
import type { Unsupported } from './change-capabilities.ts';
import { isGivingUp } from './given-up.ts';
import type { WantedChange, WantedProduct } from './wanted-change.ts';

/** Products and periods are of an order: of one that a seller holds, the packages are changed instead. Pure. */

interface Asked {
  readonly buy: MediaBuyRow;
  readonly wanted: WantedChange;
}

/** Whether it is about the order, and is neither remade, given up, nor refused for the one package that holds all. */
export function asksForAnOrder({ buy, wanted }: Asked): boolean {
  const { products = [], packages, pacingPeriods, remade } = wanted;
  if (remade !== undefined || isGivingUp(buy, wanted)) return false;
  if (pacingPeriods !== undefined && !isDeepStrictEqual(pacingPeriods, periodsOf(buy))) return true;
  // Beside packages it would be said twice, and might be said otherwise.
  const isOther = products.some((one) => packages !== undefined || isOtherProduct(buy, one));
  return isOther && packageOfAll(fromJson(buy.packages)) === undefined;
}

function periodsOf({ pacing_periods }: MediaBuyRow): PacingPeriods | null {
  return pacing_periods === null ? null : fromJson(pacing_periods);
}

/** Whether a product is to be otherwise than it was ordered: what is as it stands is asked of nobody. */
function isOtherProduct(buy: MediaBuyRow, wanted: WantedProduct): boolean {
  const held = fromJson(buy.products).find(({ product_id }) => product_id === wanted.productId);
  if (held === undefined || wanted.remove === true) return true;
  const { pricingOptionId, budget, pacing, bidPrice } = wanted;
  const pairs = [
    [pricingOptionId, held.pricing_option_id],
    [budget, toMajor(held.budget_minor, buy.currency)],
    [pacing, held.pacing],
    [bidPrice, held.bid_price],
  ];
  return pairs.some(([asked, known]) => asked !== undefined && asked !== known);
}

/** What is asked of single products, and packages that are to be added, where the seller holds all in one. */
export function undeclaredParts({ buy, wanted }: Asked): Unsupported[] {
  const part = packageOfAll(fromJson(buy.packages));
  if (part === undefined || wanted.remade !== undefined) return [];
  const { package_id: id } = part;
  const held = `${buy.agent_name} holds all products of the media buy in one package, ${id}`;
  const alone = `${held}: none of them can be changed alone. Give packages with ${id}, and the budget of all of them together.`;
  const beside = `${held}: packages of further periods would stand beside it. Give the media buy a later endTime instead, and packages with ${id} and the budget of all of them together.`;
  const fields = [
    ...(wanted.products ?? []).flatMap((one, index) =>
      isOtherProduct(buy, one) ? [{ field: `products.${index}`, reason: alone }] : [],
    ),
    ...(wanted.added === undefined ? [] : [{ field: 'pacingPeriods', reason: beside }]),
  ];
  return fields.map(({ field, reason }) => ({
    mediaBuyId: buy.id,
    salesAgentId: buy.agent_id,
    field: wanted.called(field),
    reason,
  }));
}
