import { type Generated, type Selectable, sql, type Updateable } from 'kysely';
import type { Flag } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

const organizationKinds = ['customer', 'sandbox'] as const;
export const tiers = ['basic', 'standard', 'premium'] as const;
export const customerRoles = ['BUYER', 'SELLER'] as const;

export type Tier = (typeof tiers)[number];
export type CustomerRole = (typeof customerRoles)[number];

/** Whether an organization has been let onto the market: who waits sees no seller, and takes in nobody. */
export const admissions = ['admitted', 'waitlisted'] as const;
/** How an organization came about, or a membership. */
export type CreatedVia =
  | 'operator'
  | 'signup'
  | 'storefront_signup'
  | 'join_link'
  | 'child'
  | 'invitation'
  | 'domain_policy';

export interface OrganizationTable {
  id: Generated<number>;
  name: string;
  domain: string | null;
  /** Whether the operator gave it the domain: one that it names itself speaks for it once it is verified. */
  domain_given: Generated<Flag>;
  kind: (typeof organizationKinds)[number];
  parent_id: number | null;
  tier: Tier;
  alpha: Flag;
  /** Since when none of its credentials is taken. */
  suspended_at: string | null;
  admission: Generated<(typeof admissions)[number]>;
  created_via: Generated<CreatedVia>;
  created_at: string;
  updated_at: string;
}

/** An account: the party that owns advertisers (a buyer) or a storefront (a seller). */
export interface CustomerTable {
  id: Generated<number>;
  organization_id: number;
  role: CustomerRole;
  name: string;
  created_at: string;
  updated_at: string;
}

export type OrganizationRow = Selectable<OrganizationTable>;
export type CustomerRow = Selectable<CustomerTable>;

declare module './engine/database.ts' {
  interface Database {
    organizations: OrganizationTable;
    customers: CustomerTable;
  }
}

export function insertCustomer(
  db: Db,
  tenant: Tenant,
  customer: Omit<CustomerRow, 'id' | 'organization_id'>,
): Promise<CustomerRow> {
  return db
    .insertInto('customers')
    .values(ofOrganization(tenant, customer))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function findOrganization(db: Db, tenant: Tenant): Promise<OrganizationRow | undefined> {
  return db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', tenant.organizationId)
    .executeTakeFirst();
}

/** Changes an organization's own row. */
export async function updateOrganization(
  db: Db,
  tenant: Tenant,
  set: Updateable<OrganizationTable>,
): Promise<void> {
  await db.updateTable('organizations').set(set).where('id', '=', tenant.organizationId).execute();
}

/** The accounts of an organization, oldest first. */
export function listCustomers(db: Db, tenant: Tenant): Promise<CustomerRow[]> {
  return db.selectFrom('customers').selectAll().$call(inOrganization(tenant)).orderBy('id').execute();
}

/** Holds the organization until the transaction ends, as `lockAccount` does an account. */
export async function lockOrganization(db: Db, { organizationId }: Tenant): Promise<void> {
  await db
    .updateTable('organizations')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', organizationId)
    .execute();
}

/**
 * Holds the account until the transaction ends, so that what is counted in it stays as it is: whoever else counts
 * waits. It writes a column as it stands, because not every database can lock a row by reading it.
 */
export async function lockAccount(db: Db, { organizationId, customerId }: Scope): Promise<void> {
  await db
    .updateTable('customers')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', customerId)
    .execute();
}

/** With an organization and those above it as `above`: each with its parent, and how far up it is. */
export function withAbove(db: Db, organizationId: number) {
  return db.withRecursive('above(id, parent_id, depth)', (query) =>
    query
      .selectFrom('organizations')
      .select(['id', 'parent_id', sql<number>`0`.as('depth')])
      .where('id', '=', organizationId)
      .unionAll((more) =>
        more
          .selectFrom('organizations')
          .innerJoin('above', 'organizations.id', 'above.parent_id')
          .select(['organizations.id', 'organizations.parent_id', sql<number>`above.depth + 1`.as('depth')]),
      ),
  );
}

/** How many organizations stand below one, however deep. */
export async function countBelow(db: Db, { organizationId }: Tenant): Promise<number> {
  const { count } = await withBelow(db, organizationId)
    .selectFrom('below')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('id', '<>', organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** With an organization and those below it as `below`. */
export function withBelow(db: Db, organizationId: number) {
  return db.withRecursive('below(id)', (query) =>
    query
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organizationId)
      .unionAll((more) =>
        more
          .selectFrom('organizations')
          .innerJoin('below', 'organizations.parent_id', 'below.id')
          .select('organizations.id'),
      ),
  );
}
