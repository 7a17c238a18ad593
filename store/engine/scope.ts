declare const made: unique symbol;

/**
 * What a caller may touch: one account of one organization, and within it all advertisers or a few. Every
 * query on a tenant's table takes one. Made where a credential is recognised, and nowhere else.
 */
export interface Scope {
  readonly organizationId: number;
  readonly customerId: number;
  /** Null: every advertiser of the account. */
  readonly advertiserIds: readonly number[] | null;
  readonly [made]?: never;
}

export function makeScope(reach: {
  organizationId: number;
  customerId: number;
  advertiserIds?: readonly number[] | null;
}): Scope {
  return {
    organizationId: reach.organizationId,
    customerId: reach.customerId,
    advertiserIds: reach.advertiserIds ?? null,
  };
}
