/** What is asked of the delivery of a buy beyond its sums so far. */
export interface DeliveryAsked {
  /** Days of the calendar, YYYY-MM-DD, both included. */
  readonly days?: { readonly startDate: string; readonly endDate: string };
  /** Asked for beside the sums; sellers that count none leave them out. */
  readonly placements?: { readonly limit: number; readonly sortBy: string };
}

export interface Figures {
  readonly impressions: number;
  /** Major units. */
  readonly spend: number;
  readonly clicks: number;
}

export interface DeliveryReport extends Figures {
  readonly placements?: readonly (Figures & {
    readonly placementId: string;
    readonly packageId: string | null;
    readonly conversions: number;
  })[];
}
