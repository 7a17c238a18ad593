import type { Insertable } from 'kysely';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';
import type { MembershipTable, Role } from './memberships.ts';
import type { CreatedVia } from './organizations.ts';

/** The people of an organization, by roles of their own there. What is inherited from above stands there. */

/** A person with a role. */
export interface MemberRow {
  readonly user_id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly created_via: CreatedVia;
  readonly created_at: string;
}

function people(db: Db, tenant: Tenant) {
  return db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.organization_id', '=', tenant.organizationId);
}

function members(db: Db, tenant: Tenant) {
  return people(db, tenant).select([
    'memberships.user_id',
    'users.email',
    'users.name',
    'memberships.role',
    'memberships.created_via',
    'memberships.created_at',
  ]);
}

/** The people of the organization, the oldest first. */
export function listMembers(db: Db, tenant: Tenant, page: Page): Promise<Counted<MemberRow>> {
  const rows = members(db, tenant).orderBy('memberships.created_at').orderBy('memberships.user_id');
  return counted(db, { asker: tenant, rows, found: people(db, tenant) }, page);
}

/** A person's own role in the organization: not one that is inherited from above. */
export function findMembership(db: Db, tenant: Tenant, userId: number): Promise<MemberRow | undefined> {
  return members(db, tenant).where('memberships.user_id', '=', userId).executeTakeFirst();
}

/** Gives a person a role, unless there is one already; false then. */
export async function insertMembership(
  db: Db,
  tenant: Tenant,
  membership: Omit<Insertable<MembershipTable>, 'organization_id'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('memberships')
    .values(ofOrganization(tenant, membership))
    .onConflict((key) => key.columns(['user_id', 'organization_id']).doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows > 0n;
}

export async function updateRole(
  db: Db,
  tenant: Tenant,
  { userId, role }: { readonly userId: number; readonly role: Role },
): Promise<void> {
  await db
    .updateTable('memberships')
    .set({ role })
    .$call(inOrganization(tenant))
    .where('user_id', '=', userId)
    .execute();
}

/** Ends a membership, and the grants that narrowed it. */
export async function deleteMembership(db: Db, tenant: Tenant, userId: number): Promise<void> {
  await db.deleteFrom('memberships').$call(inOrganization(tenant)).where('user_id', '=', userId).execute();
  await db
    .deleteFrom('grants')
    .$call(inOrganization(tenant))
    .where('holder', '=', `user:${userId}`)
    .execute();
}

export async function countRole(db: Db, tenant: Tenant, role: Role): Promise<number> {
  const { total } = await db
    .selectFrom('memberships')
    .select((eb) => eb.fn.countAll().as('total'))
    .$call(inOrganization(tenant))
    .where('role', '=', role)
    .executeTakeFirstOrThrow();
  return Number(total);
}
