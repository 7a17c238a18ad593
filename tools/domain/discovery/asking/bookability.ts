import type { Product } from '../schema.ts';

/** Whether who pays in a currency can choose what is sold by these options. */
export function bookabilityOf(
  options: readonly { readonly currency: string }[],
  wanted: string,
): Pick<Product, 'bookability' | 'notBuyable'> {
  const currencies = [...new Set(options.map(({ currency }) => currency))];
  if (currencies.includes(wanted)) return { bookability: 'bookable' };
  return {
    bookability: 'not_bookable',
    notBuyable: `Sold in ${currencies.join(', ')}; the advertiser pays in ${wanted}.`,
  };
}
