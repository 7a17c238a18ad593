import { sql } from 'kysely';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import { withAbove } from '../organizations.ts';
import type { Role } from '../users.ts';

/** Organizations as they stand above and below one another, which no tenant bounds. */

/** An organization a person works in, with the role that is held there or above it. */
export interface Workplace {
  readonly organization_id: number;
  readonly name: string;
  readonly domain: string | null;
  readonly parent_id: number | null;
  readonly role: Role;
  /** Where the role is held. */
  readonly role_at: number;
}

/** The organizations a person can work in: those it has a role in, and the accounts below them. */
export async function listWorkplaces(db: Db, userId: number): Promise<Workplace[]> {
  const rows = await unscoped(db)
    .withRecursive('reached(id, role, role_at, depth)', (query) =>
      query
        .selectFrom('memberships')
        .select(['organization_id as id', 'role', 'organization_id as role_at', sql<number>`0`.as('depth')])
        .where('user_id', '=', userId)
        .unionAll((more) =>
          more
            .selectFrom('organizations')
            .innerJoin('reached', 'organizations.parent_id', 'reached.id')
            .select([
              'organizations.id',
              'reached.role',
              'reached.role_at',
              sql<number>`reached.depth + 1`.as('depth'),
            ]),
        ),
    )
    .selectFrom('reached')
    .innerJoin('organizations', 'organizations.id', 'reached.id')
    .select([
      'organizations.id as organization_id',
      'organizations.name',
      'organizations.domain',
      'organizations.parent_id',
      'reached.role',
      'reached.role_at',
      'reached.depth',
    ])
    .where('organizations.suspended_at', 'is', null)
    .orderBy('organizations.id')
    .orderBy('reached.depth')
    .execute();
  // The nearest role counts: it is the first of each organization.
  return rows.filter(({ organization_id }, index) => rows[index - 1]?.organization_id !== organization_id);
}

/** An organization and those above it, the nearest first. */
export async function listAbove(db: Db, organizationId: number): Promise<number[]> {
  const rows = await withAbove(unscoped(db), organizationId)
    .selectFrom('above')
    .select('id')
    .orderBy('depth')
    .execute();
  return rows.map(({ id }) => id);
}

/** An organization and those below it. */
export async function listBelow(db: Db, organizationId: number): Promise<number[]> {
  const rows = await unscoped(db)
    .withRecursive('below(id)', (query) =>
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
    )
    .selectFrom('below')
    .select('id')
    .execute();
  return rows.map(({ id }) => id);
}

interface Suspending {
  /** From when on; null lets them go on. */
  readonly suspendedAt: string | null;
  /** Only those that have been suspended since then, or are not where it is null. */
  readonly since: string | null;
  readonly now: string;
}

/** Suspends organizations, or lets them go on, and says which of them. */
export async function suspendOrganizations(
  db: Db,
  ids: readonly number[],
  { suspendedAt, since, now }: Suspending,
): Promise<number[]> {
  const rows = await unscoped(db)
    .updateTable('organizations')
    .set({ suspended_at: suspendedAt, updated_at: now })
    .where('id', 'in', [...ids])
    .where('suspended_at', since === null ? 'is' : '=', since)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
