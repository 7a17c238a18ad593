import { sql } from 'kysely';
import { grantsIn, type Opened, openedTo } from '../credential-access.ts';
import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';
import { remembered } from '../engine/remembered.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { Role } from '../memberships.ts';
import { type OrganizationRow, withAbove } from '../organizations.ts';
import type { WebSessionRow } from './web-sessions.ts';

/** A person in an organization, read in one query: with which role, and what that opens. */
export interface Member extends Opened {
  readonly user_id: number;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Where the role is held: the organization itself, or one above it. */
  readonly role_at: number;
}

/** A person as the holder of grants. */
const PERSON = sql<string>`'user:' || users.id`;

const member = prepared((db, { userId, organizationId }: { userId: number; organizationId: number }) =>
  withAbove(unscoped(db), organizationId)
    .selectFrom('above')
    .innerJoin('memberships', 'memberships.organization_id', 'above.id')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('organizations', (join) => join.on('organizations.id', '=', organizationId))
    .select([
      'users.id as user_id',
      'users.email',
      'users.name',
      'memberships.role',
      'memberships.organization_id as role_at',
      grantsIn(sql.ref('memberships.organization_id'), PERSON).as('grants_at_role'),
      ...openedTo(PERSON),
    ])
    .where('users.id', '=', userId)
    .where('users.suspended_at', 'is', null)
    .where('organizations.suspended_at', 'is', null)
    .orderBy('above.depth')
    .limit(1),
);

const rememberedMember = remembered<Member>(async (db, key) => {
  const [userId = 0, organizationId = 0] = key.split(' ').map(Number);
  const found = await member.first(db, { userId, organizationId });
  // Grants name advertisers of the organization they are given in: a role that they narrow ends there.
  return found?.role_at === organizationId || Number(found?.grants_at_role ?? 0) === 0 ? found : undefined;
});

/**
 * A person as a member of an organization: with a role of its own there, else with the nearest of one above it, unless
 * grants narrow that one. Undefined for who is none, and where the person or the organization is suspended.
 */
export function findMember(
  db: Db,
  { userId, organizationId }: { userId: number; organizationId: number },
): Member | undefined | Promise<Member | undefined> {
  return rememberedMember(db, `${userId} ${organizationId}`);
}

const session = prepared((db, { hash }: { hash: string }) =>
  unscoped(db).selectFrom('web_sessions').selectAll().where('hash', '=', hash).where('ended_at', 'is', null),
);

/** The session with this hash that nobody ended, expired or not. Found through the unique index. */
export const findWebSession = remembered<WebSessionRow>((db, hash) => session.first(db, { hash }));

const sessionById = prepared((db, { id }: { id: string }) =>
  unscoped(db).selectFrom('web_sessions').selectAll().where('id', '=', id).where('ended_at', 'is', null),
);

/** The session with this id that nobody ended. */
export const findWebSessionById = remembered<WebSessionRow>((db, id) => sessionById.first(db, { id }));

/** Notes that a session was used; called at most once a minute for a session. */
export async function touchWebSession(db: Db, id: string, now: string): Promise<void> {
  await unscoped(db).updateTable('web_sessions').set({ seen_at: now }).where('id', '=', id).execute();
}

/** A person in some organizations, or in every one where they are not named, at a moment. */
export interface PersonIn {
  readonly userId: number;
  readonly now: string;
  readonly organizationIds?: readonly number[];
}

/** An organization that a person has a role in, by its own membership. */
export interface Place {
  readonly organization_id: number;
  readonly name: string;
  readonly kind: OrganizationRow['kind'];
  readonly role: Role;
  readonly suspended_at: string | null;
}

/** The organizations a person has a role in, by name. */
export function listPlaces(db: Db, userId: number): Promise<Place[]> {
  return unscoped(db)
    .selectFrom('memberships')
    .innerJoin('organizations', 'organizations.id', 'memberships.organization_id')
    .select([
      'organizations.id as organization_id',
      'organizations.name',
      'organizations.kind',
      'memberships.role',
      'organizations.suspended_at',
    ])
    .where('memberships.user_id', '=', userId)
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute();
}

/** The organization that a person chose last in whatever session; undefined where there was no choice yet. */
export async function findLastChoice(db: Db, userId: number): Promise<number | undefined> {
  const row = await unscoped(db)
    .selectFrom('web_sessions')
    .select('chosen_organization_id')
    .where('user_id', '=', userId)
    .where('chosen_organization_id', 'is not', null)
    .orderBy('signed_in_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.chosen_organization_id ?? undefined;
}
