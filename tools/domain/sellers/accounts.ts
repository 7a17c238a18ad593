/** Accounts as sellers tell of them (AdCP, account): data from outside, bounded where it came in. */

/** Where an account stands, in the words of AdCP; one that was rejected is none. */
export const accountStatuses = [
  'active',
  'pending_approval',
  'payment_required',
  'suspended',
  'closed',
] as const;

export interface SellerAccount {
  /** What the seller calls it. */
  readonly accountId: string;
  readonly name: string | null;
  /** The advertiser by the name that the seller has for it. */
  readonly advertiser: string | null;
  /** Who pays in its place. */
  readonly billingProxy: string | null;
  /** Whom the seller sends the bill to. */
  readonly billing: string | null;
  readonly status: (typeof accountStatuses)[number];
  /** Domains, in lower case: whose brand it is for, and who operates it. */
  readonly brand: string | null;
  readonly operator: string | null;
}

export interface AccountsAsked {
  /** True: the seller is asked anew, although it was a moment ago. */
  readonly refresh: boolean;
}

/** The accounts that a seller has for whom it knows by our credential: those of every buyer behind it. */
export interface AccountsTold {
  readonly accounts: readonly SellerAccount[];
  /** False where the seller was asked shortly before, and said so then. */
  readonly isAnew: boolean;
  /** True where whoever buys there needs no account: any name is as good as none. */
  readonly needsNone?: true;
}
