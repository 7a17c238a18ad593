import { type RawBuilder, sql } from 'kysely';
import type { Flag } from './engine/codec.ts';
import type { CustomerRole, OrganizationRow, Tier } from './organizations.ts';

/** What every credential opens, whatever kind it is. */
export interface Opened {
  readonly organization_id: number;
  readonly organization_kind: OrganizationRow['kind'];
  readonly tier: Tier;
  readonly alpha: Flag;
  /** The first account of either side that it may work in. */
  readonly buyer_id: number | null;
  readonly seller_id: number | null;
  /** How many grants narrow it. */
  readonly grants: number;
}

/**
 * The columns of it, for a query that has the organization as `organizations`. `account` is the column of the one
 * account that the credential may be bound to.
 */
export function openedTo(holder: RawBuilder<string>, account?: `${string}.${string}`) {
  return [
    sql<number>`organizations.id`.as('organization_id'),
    sql<OrganizationRow['kind']>`organizations.kind`.as('organization_kind'),
    sql<Tier>`organizations.tier`.as('tier'),
    sql<Flag>`organizations.alpha`.as('alpha'),
    firstAccount('BUYER', account).as('buyer_id'),
    firstAccount('SELLER', account).as('seller_id'),
    grantsIn(sql.ref('organizations.id'), holder).as('grants'),
  ] as const;
}

/** How many grants of an organization narrow a holder. */
export function grantsIn(organization: RawBuilder<unknown>, holder: RawBuilder<string>) {
  return sql<number>`(select count(*) from grants
    where grants.organization_id = ${organization} and grants.holder = ${holder})`;
}

function firstAccount(role: CustomerRole, account: string | undefined) {
  const bound = account === undefined ? undefined : sql.ref(account);
  const open = bound ? sql`and (${bound} is null or customers.id = ${bound})` : sql``;
  return sql<number | null>`(select min(customers.id) from customers
    where customers.organization_id = organizations.id and customers.role = ${sql.lit(role)} ${open})`;
}
