import type { ExpressionBuilder, Generated, Insertable, Selectable } from 'kysely';
import type { Database } from './engine/database.ts';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';
import type { CreatedVia } from './organizations.ts';

export const roles = ['SUPER_ADMIN', 'ADMIN', 'MEMBER', 'READ_ONLY'] as const;
export type Role = (typeof roles)[number];

export interface MembershipTable {
  user_id: number;
  organization_id: number;
  role: Role;
  created_via: Generated<CreatedVia>;
  created_at: string;
}

/** What a holder may reach. A holder without grants reaches everything of its organization. */
export interface GrantTable {
  id: Generated<number>;
  organization_id: number;
  /** `user:7` or `api_key:key_…`. */
  holder: string;
  customer_id: number | null;
  advertiser_id: number | null;
  created_at: string;
}

export type GrantRow = Selectable<GrantTable>;

declare module './engine/database.ts' {
  interface Database {
    memberships: MembershipTable;
    grants: GrantTable;
  }
}

/** Gives a person a role in an organization, or another one than before. */
export async function setMembership(
  db: Db,
  tenant: Tenant,
  membership: Omit<Insertable<MembershipTable>, 'organization_id'>,
): Promise<void> {
  await db
    .insertInto('memberships')
    .values(ofOrganization(tenant, membership))
    .onConflict((key) => key.columns(['user_id', 'organization_id']).doUpdateSet({ role: membership.role }))
    .execute();
}

/** Whether a person has a role in an organization. */
export async function isMember(db: Db, tenant: Tenant, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('memberships')
    .select('user_id')
    .$call(inOrganization(tenant))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertGrant(
  db: Db,
  tenant: Tenant,
  grant: Omit<GrantRow, 'id' | 'organization_id'>,
): Promise<void> {
  await db.insertInto('grants').values(ofOrganization(tenant, grant)).execute();
}

/** A grant by what it says. */
export type Reach = Pick<GrantRow, 'holder' | 'customer_id' | 'advertiser_id'>;

function says(eb: ExpressionBuilder<Database, 'grants'>, { holder, customer_id, advertiser_id }: Reach) {
  return eb.and([
    eb('holder', '=', holder),
    eb('customer_id', customer_id === null ? 'is' : '=', customer_id),
    eb('advertiser_id', advertiser_id === null ? 'is' : '=', advertiser_id),
  ]);
}

/** Whether a holder has a grant of this very account or advertiser. */
export async function hasGrant(db: Db, tenant: Tenant, reach: Reach): Promise<boolean> {
  const row = await db
    .selectFrom('grants')
    .select('id')
    .$call(inOrganization(tenant))
    .where((eb) => says(eb, reach))
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes it away, as often as it was given. */
export async function deleteGrant(db: Db, tenant: Tenant, reach: Reach): Promise<void> {
  await db
    .deleteFrom('grants')
    .$call(inOrganization(tenant))
    .where((eb) => says(eb, reach))
    .execute();
}

/** The grants of an organization, holder by holder, the oldest first. */
export function listGrants(db: Db, tenant: Tenant): Promise<GrantRow[]> {
  return db
    .selectFrom('grants')
    .selectAll()
    .$call(inOrganization(tenant))
    .orderBy('holder')
    .orderBy('id')
    .execute();
}

/** The role that a person holds on this very organization; undefined where it is held above it, or nowhere. */
export async function findDirectRole(db: Db, tenant: Tenant, userId: number): Promise<Role | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select('role')
    .$call(inOrganization(tenant))
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.role;
}

/** Whether grants narrow any of these holders. */
export async function areNarrowed(db: Db, tenant: Tenant, holders: readonly string[]): Promise<boolean> {
  const row = await db
    .selectFrom('grants')
    .select('id')
    .$call(inOrganization(tenant))
    .where('holder', 'in', holders)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
