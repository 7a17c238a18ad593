/** How a product has to be sold, or is rather bought (AdCP, get_products: filters, preferred_delivery_types). Pure. */

export const deliveryTypes = ['guaranteed', 'non_guaranteed'] as const;
export const exclusivities = ['none', 'category', 'exclusive'] as const;

export interface SaleTerms {
  readonly deliveryType?: (typeof deliveryTypes)[number] | undefined;
  /** True: some price of it is fixed. False: some is found at auction. */
  readonly isFixedPrice?: boolean | undefined;
  readonly exclusivity?: (typeof exclusivities)[number] | undefined;
  /** What comes first; others are shown all the same. */
  readonly preferredDeliveryTypes?: readonly (typeof deliveryTypes)[number][] | undefined;
}

/** What of a product, in the words of AdCP, says how it is sold. */
interface Sold {
  readonly delivery_type?: unknown;
  readonly exclusivity?: unknown;
  readonly pricing_options: readonly { readonly fixed_price?: number | undefined }[];
}

export type LeftOutByTerms = Exclude<keyof SaleTerms, 'preferredDeliveryTypes'>;

/**
 * The term that leaves a product out; undefined where it is sold so. Unlike what narrows where it runs, each has to
 * be said: who asks for a guarantee is shown none that nobody gives. Without a word of it a product is exclusive to
 * nobody.
 */
export function leftOutByTerms(product: Sold, terms: SaleTerms = {}): LeftOutByTerms | undefined {
  const { deliveryType, isFixedPrice, exclusivity } = terms;
  if (deliveryType !== undefined && product.delivery_type !== deliveryType) return 'deliveryType';
  const isSoldSo = ({ fixed_price }: Sold['pricing_options'][number]) =>
    (fixed_price !== undefined) === isFixedPrice;
  if (isFixedPrice !== undefined && !product.pricing_options.some(isSoldSo)) return 'isFixedPrice';
  const told = product.exclusivity ?? 'none';
  return exclusivity !== undefined && told !== exclusivity ? 'exclusivity' : undefined;
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
