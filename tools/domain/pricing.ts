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
