import type { Generated, Insertable, Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';
import type { CreatedVia } from './organizations.ts';

export const roles = ['SUPER_ADMIN', 'ADMIN', 'MEMBER', 'READ_ONLY'] as const;
export type Role = (typeof roles)[number];

export interface UserTable {
  id: Generated<number>;
  /** In lower case. */
  email: string;
  name: string;
  /** Null: the person has no password here, and signs in elsewhere or by a link. */
  password_hash: string | null;
  email_verified_at: string | null;
  suspended_at: string | null;
  created_at: string;
  updated_at: string;
}

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

export type UserRow = Selectable<UserTable>;
export type GrantRow = Selectable<GrantTable>;

declare module './engine/database.ts' {
  interface Database {
    users: UserTable;
    memberships: MembershipTable;
    grants: GrantTable;
  }
}

type NewUser = Pick<UserRow, 'email' | 'name' | 'created_at' | 'updated_at'> &
  Partial<Pick<UserRow, 'password_hash' | 'email_verified_at'>>;

/** Makes a person known whose address nobody has; undefined where somebody does. */
export function insertNewUser(db: Db, user: NewUser): Promise<UserRow | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((taken) => taken.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function findUser(db: Db, id: number): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** What a person may change of themselves. */
export async function updateUser(
  db: Db,
  id: number,
  changes: Partial<Pick<UserRow, 'name' | 'email' | 'password_hash' | 'email_verified_at'>> & {
    updated_at: string;
  },
): Promise<void> {
  await db.updateTable('users').set(changes).where('id', '=', id).execute();
}

/** Holds the person until the transaction ends, as `lockOrganization` does an organization. */
export async function lockUser(db: Db, id: number): Promise<void> {
  await db
    .updateTable('users')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', id)
    .execute();
}

/** Keeps the same password in another form. False where it is another one by now. */
export async function renewPassword(
  db: Db,
  { id, password_hash: before }: Pick<UserRow, 'id' | 'password_hash'>,
  renewed: { readonly password_hash: string; readonly updated_at: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(renewed)
    .where('id', '=', id)
    .where('password_hash', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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

/** Stops a person everywhere, or lets them go on: null. */
export async function suspendUser(
  db: Db,
  {
    id,
    suspendedAt,
    now,
  }: { readonly id: number; readonly suspendedAt: string | null; readonly now: string },
): Promise<void> {
  await db
    .updateTable('users')
    .set({ suspended_at: suspendedAt, updated_at: now })
    .where('id', '=', id)
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
