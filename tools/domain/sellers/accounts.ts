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
  /** Accounts that are looked for: no more of the list is read once they were found. All of it without. */
  readonly sought?: readonly string[];
}

/** The accounts that a seller has for whom it knows by our credential: those of every buyer behind it. */
export interface AccountsTold {
  readonly accounts: readonly SellerAccount[];
  /** False where the seller was asked shortly before, and said so then. */
  readonly isAnew: boolean;
  /** How many were read of a list that goes on behind them: what is not among them may be there all the same. */
  readonly readOnly?: number;
  /** True where whoever buys there needs no account: any name is as good as none. */
  readonly needsNone?: true;
}
