/** What bids are held against, of a pricing option. */
interface Priced {
  readonly currency: string;
  /** Absent in what was chosen before products told it. */
  readonly isFixed?: boolean | undefined;
  readonly floorPrice?: number | undefined;
}

/** What is wrong with a bid: an auction takes one at or above its floor, a fixed price none. Pure. */
export function wrongBid(
  { isFixed, floorPrice = 0, currency }: Priced,
  bidPrice: number,
): string | undefined {
  if (isFixed === true) return 'This option has a fixed price; leave the bid out.';
  return bidPrice < floorPrice ? `The floor is ${floorPrice} ${currency}.` : undefined;
}
