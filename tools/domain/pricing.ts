/** What can be paid for (AdCP, pricing models). */
export const pricingModels = [
  'cpm',
  'vcpm',
  'cpc',
  'cpcv',
  'cpv',
  'cpp',
  'cpa',
  'flat_rate',
  'time',
] as const;

/** What a pricing option says of how little can be bought of it, in units of its currency. */
interface Priced {
  /** Absent in what was chosen before products told it. */
  readonly pricingModel?: string | undefined;
  readonly minSpend?: number | undefined;
  readonly fixedPrice?: number | undefined;
  readonly floorPrice?: number | undefined;
}

/**
 * The least that a package takes for its seller, 0 where anything does: what its option says, and a flat rate whole,
 * because it is owed whatever is delivered. Pure.
 */
export function leastSpend(
  { pricingModel, minSpend = 0, fixedPrice, floorPrice = 0 }: Priced,
  bidPrice?: number | null,
): number {
  const rate = pricingModel === 'flat_rate' ? (fixedPrice ?? bidPrice ?? floorPrice) : 0;
  return Math.max(minSpend, rate);
}

/** What a bid is held against, of a pricing option. */
interface Offered {
  readonly currency: string;
  /** Absent in what was chosen before products told it. */
  readonly isFixed?: boolean | undefined;
  readonly floorPrice?: number | undefined;
}

/** What is wrong with a bid: an auction takes one at or above its floor, a fixed price none. Pure. */
export function wrongBid(
  { isFixed, floorPrice = 0, currency }: Offered,
  bidPrice: number,
): string | undefined {
  if (isFixed === true) return 'This option has a fixed price; leave the bid out.';
  return bidPrice < floorPrice ? `The floor is ${floorPrice} ${currency}.` : undefined;
}

/** What is told of a bid that an auction needs and nobody gave. Pure. */
export function missingBid({ floorPrice = 0, currency }: Offered): string {
  return floorPrice > 0
    ? `Required in an auction: give ${floorPrice} ${currency} or more.`
    : `Required in an auction without a floor: give a bidPrice in ${currency}.`;
}
