interface Option {
  readonly pricing_option_id: string;
  readonly pricing_model: string;
  readonly currency: string;
  readonly fixed_price?: number | undefined;
  readonly floor_price?: number | undefined;
}

/**
 * The ways to buy a product, one of each id: an order names the id alone (AdCP, pricing option). Of several with one id
 * that in the currency of the buyer is meant, and the dearest of these: nobody pays more than was shown. Pure.
 */
export function optionsApart<T extends Option>(options: readonly T[], currency: string): T[] {
  const byId = new Map<string, T>();
  for (const option of options) {
    const { pricing_option_id: id } = option;
    const before = byId.get(id);
    if (before === undefined || isMeant(option, before, currency)) byId.set(id, option);
  }
  return [...byId.values()];
}

function isMeant(one: Option, before: Option, wanted: string): boolean {
  if (one.currency !== before.currency) return one.currency === wanted;
  return one.pricing_model === before.pricing_model && priceOf(one) > priceOf(before);
}

function priceOf({ fixed_price, floor_price = 0 }: Option): number {
  return fixed_price ?? floor_price;
}
