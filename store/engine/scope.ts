/**
 * Whose rows a query means, where the whole organization is meant: its people, its keys, its agreements. The
 * private fields here are the brand: no literal passes for a tenant or a scope, and the classes stay in here.
 */
class Tenant {
  readonly #organizationId: number;

  constructor(organizationId: number) {
    this.#organizationId = organizationId;
  }

  get organizationId(): number {
    return this.#organizationId;
  }
}

/**
 * What a caller may touch: one account of one organization, and within it all advertisers or a few. Every
 * query on a tenant's table takes one, or a tenant.
 */
class Scope extends Tenant {
  readonly #customerId: number;
  /** Null: every advertiser of the account. */
  readonly advertiserIds: readonly number[] | null;

  constructor(reach: Required<Reach>) {
    super(reach.organizationId);
    this.#customerId = reach.customerId;
    this.advertiserIds = reach.advertiserIds;
  }

  get customerId(): number {
    return this.#customerId;
  }
}

interface Reach {
  readonly organizationId: number;
  readonly customerId: number;
  readonly advertiserIds?: readonly number[] | null;
}

export type { Scope, Tenant };

/** For what was recognised: an organization by its id, or the operator's own word. */
export function makeTenant(organizationId: number): Tenant {
  return new Tenant(organizationId);
}

/** For what was recognised: a credential, or an account by its id. */
export function makeScope({ organizationId, customerId, advertiserIds = null }: Reach): Scope {
  return new Scope({ organizationId, customerId, advertiserIds });
}

/** The organization that a row names. */
export function tenantOfRow({ organization_id }: { readonly organization_id: number }): Tenant {
  return makeTenant(organization_id);
}

/** The account that a row names. */
export function scopeOfRow(row: { readonly organization_id: number; readonly customer_id: number }): Scope {
  return makeScope({ organizationId: row.organization_id, customerId: row.customer_id });
}
