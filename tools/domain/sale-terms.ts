import { leastSpend } from './pricing.ts';
import { costOfAll, exposuresOf, type Forecasting, type Spendable } from './sale-forecast.ts';

/** How a product has to be sold, or is rather bought (AdCP, get_products: filters, preferred_delivery_types). Pure. */

export const deliveryTypes = ['guaranteed', 'non_guaranteed'] as const;
export const exclusivities = ['none', 'category', 'exclusive'] as const;

export interface SaleTerms {
  readonly deliveryType?: (typeof deliveryTypes)[number] | undefined;
  /** True: some price of it is fixed. False: some is found at auction. */
  readonly isFixedPrice?: boolean | undefined;
  readonly exclusivity?: (typeof exclusivities)[number] | undefined;
  /** How many exposures it has to bring. */
  readonly minExposures?: number | undefined;
  /** What is to be spent, in units of the currency: no less than `min`, no more than `max`. */
  readonly budgetRange?: (Spendable & { readonly min?: number | undefined }) | undefined;
  /** What comes first; others are shown all the same. */
  readonly preferredDeliveryTypes?: readonly (typeof deliveryTypes)[number][] | undefined;
}

/** What of a product, in the words of AdCP, says how it is sold. */
interface Sold extends Forecasting {
  readonly delivery_type?: unknown;
  readonly exclusivity?: unknown;
  readonly pricing_options: readonly {
    readonly pricing_model: string;
    readonly currency: string;
    readonly fixed_price?: number | undefined;
    readonly floor_price?: number | undefined;
    readonly min_spend_per_package?: number | undefined;
  }[];
}

export type LeftOutByTerms = Exclude<keyof SaleTerms, 'preferredDeliveryTypes'>;

/**
 * The term that leaves a product out; undefined where it is sold so. Unlike what narrows where it runs, each has to
 * be said: who asks for a guarantee is shown none that nobody gives. Without a word of it a product is exclusive to
 * nobody. What it brings and costs only a guaranteed product has to say: of others nobody knows before.
 */
export function leftOutByTerms(product: Sold, terms: SaleTerms = {}): LeftOutByTerms | undefined {
  const { deliveryType, isFixedPrice, exclusivity } = terms;
  if (deliveryType !== undefined && product.delivery_type !== deliveryType) return 'deliveryType';
  const isSoldSo = ({ fixed_price }: Sold['pricing_options'][number]) =>
    (fixed_price !== undefined) === isFixedPrice;
  if (isFixedPrice !== undefined && !product.pricing_options.some(isSoldSo)) return 'isFixedPrice';
  const told = product.exclusivity ?? 'none';
  if (exclusivity !== undefined && told !== exclusivity) return 'exclusivity';
  if (!bringsEnough(product, terms)) return 'minExposures';
  return fitsBudget(product, terms) ? undefined : 'budgetRange';
}

/** As sellers read it: a guarantee is one of so many, and what is found at auction may come to any number. */
function bringsEnough(product: Sold, { minExposures, budgetRange }: SaleTerms): boolean {
  if (minExposures === undefined) return true;
  const told = exposuresOf(product, budgetRange);
  return told === undefined ? product.delivery_type !== 'guaranteed' : told >= minExposures;
}

/** Whether it can be had for no more than the one, and can take no less than the other, as far as it says. */
function fitsBudget(product: Sold, { budgetRange }: SaleTerms): boolean {
  if (budgetRange === undefined) return true;
  const { min = 0, max = Number.POSITIVE_INFINITY, currency } = budgetRange;
  const starts = product.pricing_options.flatMap((option) =>
    option.currency === currency ? [startOf(option)] : [],
  );
  const isTooDear = starts.length > 0 && Math.min(...starts) > max;
  return !isTooDear && (costOfAll(product, currency) ?? Number.POSITIVE_INFINITY) >= min;
}

function startOf(option: Sold['pricing_options'][number]): number {
  const { pricing_model, fixed_price, floor_price, min_spend_per_package } = option;
  return leastSpend({
    pricingModel: pricing_model,
    fixedPrice: fixed_price,
    floorPrice: floor_price,
    minSpend: min_spend_per_package,
  });
}

/** Those first that are delivered as is preferred, in the order of the preference; those alike stay in their order. */
export function preferredFirst<T>(
  all: readonly T[],
  { preferredDeliveryTypes = [] }: SaleTerms = {},
  typeOf: (one: T) => string | undefined,
): T[] {
  const preferred = new Map<string | undefined, number>(preferredDeliveryTypes.map((type, at) => [type, at]));
  const placeOf = (one: T) => preferred.get(typeOf(one)) ?? preferred.size;
  return [...all].sort((one, other) => placeOf(one) - placeOf(other));
}
