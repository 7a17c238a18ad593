import { toMajor } from '../../money.ts';
import type { Proposal } from '../asking/proposals.ts';
import type { Product } from '../schema.ts';
import type { Choice } from './choose.ts';

/** What a proposal comes to with a budget: choices with their parts of it. Pure. */

/** Parts of a sum by percentages, which add up to it exactly: what rounding leaves goes to the largest first. */
function sharesOf(totalMinor: number, percentages: readonly number[]): number[] {
  const whole = percentages.reduce((sum, one) => sum + one, 0);
  const parts = percentages.map((one) => (whole === 0 ? 0 : Math.floor((totalMinor * one) / whole)));
  let left = totalMinor - parts.reduce((sum, part) => sum + part, 0);
  const order = percentages.map((one, index) => ({ one, index })).sort((a, b) => b.one - a.one);
  for (const { index } of order) {
    if (left <= 0) break;
    parts[index] = (parts[index] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}

/** A choice for each product that gets a part; in auctions the least that can be bid, where there is a least. */
export function choicesIn(
  { allocations, salesAgentId }: Proposal,
  { totalMinor, currency }: { totalMinor: number; currency: string },
  productOf: (productId: string) => Product | undefined,
): Choice[] {
  const merged = [...new Set(allocations.map(({ productId }) => productId))].map((productId) => {
    const own = allocations.filter((one) => one.productId === productId);
    return {
      productId,
      percentage: own.reduce((sum, one) => sum + one.allocationPercentage, 0),
      pricingOptionId: own.find((one) => one.pricingOptionId !== undefined)?.pricingOptionId,
    };
  });
  const shares = sharesOf(
    totalMinor,
    merged.map(({ percentage }) => percentage),
  );
  return merged.flatMap(({ productId, pricingOptionId }, index) => {
    const budget = toMajor(shares[index] ?? 0, currency);
    if (budget === 0) return [];
    const option = optionOf(productOf(productId), { pricingOptionId, currency });
    return [
      {
        productId,
        salesAgentId,
        budget,
        ...(option === undefined ? {} : { pricingOptionId: option.pricingOptionId }),
        ...bidAtFloor(option),
      },
    ];
  });
}

/** Without a floor it is the buyer's to say what a unit is worth: a bid of nothing buys nothing. */
function bidAtFloor(option: Product['pricingOptions'][number] | undefined): Pick<Choice, 'bidPrice'> {
  const { isFixed = true, floorPrice = 0 } = option ?? {};
  return isFixed || floorPrice === 0 ? {} : { bidPrice: floorPrice };
}

function optionOf(
  product: Product | undefined,
  wanted: { pricingOptionId: string | undefined; currency: string },
): Product['pricingOptions'][number] | undefined {
  const options = product?.pricingOptions ?? [];
  return wanted.pricingOptionId === undefined
    ? (options.find(({ currency }) => currency === wanted.currency) ?? options[0])
    : options.find(({ pricingOptionId }) => pricingOptionId === wanted.pricingOptionId);
}
