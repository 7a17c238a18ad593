/** What is asked of the delivery of a buy beyond its sums so far. */
export interface DeliveryAsked {
  /** Days of the calendar, YYYY-MM-DD, both included. */
  readonly days?: { readonly startDate: string; readonly endDate: string };
  /** Asked for beside the sums; sellers that count none leave them out. */
  readonly placements?: { readonly limit: number; readonly sortBy: string };
}

/**
 * The most that is believed of impressions, clicks or conversions of one buy: a hundred for each person on earth.
 * A larger count is a mistake, and thousands of buys with this much add up exactly.
 */
export const BELIEVED_COUNT_MAX = 1e12;

export interface Figures {
  readonly impressions: number;
  /** Major units. */
  readonly spend: number;
  readonly clicks: number;
}

/** What else sellers count (AdCP, delivery metrics). */
export interface Counts {
  readonly views: number;
  readonly completedViews: number;
  readonly conversions: number;
  readonly leads: number;
}

/** Days of the calendar, YYYY-MM-DD, both included. */
export interface Days {
  readonly start: string;
  readonly end: string;
}

/** What was delivered of a buy, and what of each of its packages. */
export interface DeliveryReport extends Figures {
  readonly counts?: Counts;
  /** The currency of all that is said to be spent, where the seller names it. */
  readonly currency?: string;
  readonly window?: Days;
  /** Its seller says that not all of it is counted yet. */
  readonly isDelayed?: true;
  /** Its seller says that no more of it will change (true), or that it may (false). */
  readonly isFinal?: boolean;
  /** That it says so of each package it lists, and not of the whole: of those that it leaves out it is not said. */
  readonly isFinalByPackages?: true;
  readonly packages?: readonly (PackageDelivery | UnreadPackage)[];
  readonly placements?: readonly Placement[];
  /** Placements of which a figure could not be read: where, and what is wrong with it. */
  readonly unreadPlacements?: readonly UnreadPlacement[];
}

/** What was delivered of one package. */
export interface PackageDelivery extends Figures {
  readonly packageId: string;
  /** The currency of what it spent, where the seller names one for it. */
  readonly currency?: string;
}

/** A package of which the figures cannot be read. */
export interface UnreadPackage extends UnreadReport {
  readonly packageId: string;
}

/** A report of which a figure can be none: nothing of it is taken. */
export interface UnreadReport {
  /** What the seller reports, in words to which why nothing is made of it can be added. */
  readonly unread: string;
}

/** What a seller says of a delivery, whether or not it can be read. */
export type Delivered = DeliveryReport | UnreadReport;

/** What was delivered in one place. */
export interface Placement extends Figures {
  readonly placementId: string;
  readonly packageId: string | null;
  readonly conversions: number;
}

/** A place of which the figures cannot be read. */
export interface UnreadPlacement extends UnreadReport {
  readonly placementId: string;
}
