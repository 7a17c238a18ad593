import type { Generated, Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export const roles = ['SUPER_ADMIN', 'ADMIN', 'MEMBER', 'READ_ONLY'] as const;
export type Role = (typeof roles)[number];

export interface UserTable {
  id: Generated<number>;
  email: string;
  name: string;
  created_at: string;
  updated_at: string;
}

export interface MembershipTable {
  user_id: number;
  organization_id: number;
  role: Role;
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

export type UserRow = Selectable<UserTable>;
export type MembershipRow = Selectable<MembershipTable>;
export type GrantRow = Selectable<GrantTable>;

declare module './engine/database.ts' {
  interface Database {
    users: UserTable;
    memberships: MembershipTable;
    grants: GrantTable;
  }
}

export function insertUser(db: Db, user: Omit<UserRow, 'id'>): Promise<UserRow> {
  return db.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow();
}

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Gives a person a role in an organization, or another one than before. */
export async function setMembership(
  db: Db,
  tenant: Tenant,
  membership: Omit<MembershipRow, 'organization_id'>,
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
