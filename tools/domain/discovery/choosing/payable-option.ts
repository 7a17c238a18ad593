import type { Product } from '../schema.ts';

/** By which option a product is bought: one in another currency than the advertiser's is none. Pure. */

const ELSEWHERE = 'Leave it out, and choose another with browse_products.';
export const OTHER_OPTION = 'Leave pricingOptionId out, or give one that the message names.';
export const OTHER_PRODUCT =
  'Leave out what is sold in another currency, and choose another with browse_products.';

export type Option = Product['pricingOptions'][number];

interface Meant {
  /** The id that was given; without it the first that can be paid is meant. */
  readonly wanted: string | undefined;
  /** What the advertiser pays in. */
  readonly currency: string;
}

interface OptionProblem {
  readonly field: 'productId' | 'pricingOptionId';
  readonly problem: string;
  readonly isCurrency?: true;
}

/** The option that is meant, of those that the advertiser can pay by. */
export function payableOption(
  { pricingOptions }: Product,
  { wanted, currency }: Meant,
): Option | OptionProblem {
  const payable = pricingOptions.filter((known) => known.currency === currency);
  const given = pricingOptions.find((known) => known.pricingOptionId === wanted);
  const option = wanted === undefined ? payable[0] : given;
  if (option?.currency === currency) return option;
  const [other] = pricingOptions;
  if (other === undefined) return { field: 'productId', problem: 'It has no option to buy it by.' };
  const sold = `Sold in ${(option ?? other).currency}; the advertiser pays in ${currency}.`;
  if (payable.length === 0) {
    return { field: 'productId', problem: `${sold} ${ELSEWHERE}`, isCurrency: true };
  }
  const known = payable.map(({ pricingOptionId }) => pricingOptionId).join(', ');
  return option === undefined
    ? { field: 'pricingOptionId', problem: `No such option. Give one of: ${known}.` }
    : {
        field: 'pricingOptionId',
        problem: `${sold} Leave it out, or give one of: ${known}.`,
        isCurrency: true,
      };
}
