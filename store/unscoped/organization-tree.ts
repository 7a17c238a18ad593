import { sql } from 'kysely';
import { grantsIn } from '../credential-access.ts';
import type { Db } from '../engine/db.ts';
import { type Counted, counted, type Page } from '../engine/paging.ts';
import type { Tenant } from '../engine/scope.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { MediaBuyStatus } from '../media-buys.ts';
import type { Role } from '../memberships.ts';
import { type CustomerRole, withAbove } from '../organizations.ts';

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
export function listWorkplaces(db: Db, userId: number): Promise<Workplace[]> {
  return workplaces(db, userId).selectAll().orderBy('organization_id').execute();
}

/** A page of them, the oldest first. */
export function pageOfWorkplaces(
  db: Db,
  asker: Tenant,
  { userId, page }: { readonly userId: number; readonly page: Page },
): Promise<Counted<Workplace>> {
  const found = workplaces(db, userId);
  return counted(unscoped(db), { asker, rows: found.selectAll().orderBy('organization_id'), found }, page);
}

export function findWorkplace(
  db: Db,
  { userId, organizationId }: { readonly userId: number; readonly organizationId: number },
): Promise<Workplace | undefined> {
  return workplaces(db, userId).selectAll().where('organization_id', '=', organizationId).executeTakeFirst();
}

/** One a place: of several roles above it the nearest counts, unless grants narrow that one (`findMember`). */
function workplaces(db: Db, userId: number) {
  return unscoped(db)
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
    .with('ranked', (query) =>
      query.selectFrom('reached').select((eb) => [
        'reached.id',
        'reached.role',
        'reached.role_at',
        eb.fn
          .agg<number>('row_number')
          .over((over) => over.partitionBy('reached.id').orderBy('reached.depth'))
          .as('nearness'),
      ]),
    )
    .with('places', (query) =>
      query
        .selectFrom('ranked')
        .innerJoin('organizations', 'organizations.id', 'ranked.id')
        .select([
          'organizations.id as organization_id',
          'organizations.name',
          'organizations.domain',
          'organizations.parent_id',
          'ranked.role',
          'ranked.role_at',
        ])
        .where('ranked.nearness', '=', 1)
        .where('organizations.suspended_at', 'is', null)
        .where(isWhole(userId)),
    )
    .selectFrom('places');
}

/** Of a role at hand: it is held in the organization itself, or no grants narrow it where it is held. */
function isWhole(userId: number) {
  const grants = grantsIn(sql.ref('ranked.role_at'), sql<string>`${`user:${userId}`}`);
  return sql<boolean>`(ranked.role_at = organizations.id or ${grants} = 0)`;
}

/** Whether an organization, or one above it, has an account of this role. */
export async function hasAccountAbove(
  db: Db,
  { organizationId, role }: { readonly organizationId: number; readonly role: CustomerRole },
): Promise<boolean> {
  const found = await withAbove(unscoped(db), organizationId)
    .selectFrom('above')
    .innerJoin('customers', 'customers.organization_id', 'above.id')
    .select('customers.id')
    .where('customers.role', '=', role)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
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

/**
 * An organization and those below it; with `butOf` only those that the person holds by no role of their own, so that
 * a role ends the way down.
 */
export async function listBelow(
  db: Db,
  organizationId: number,
  { butOf }: { readonly butOf?: number } = {},
): Promise<number[]> {
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
            .select('organizations.id')
            .where(({ exists, lit, not, selectFrom }) =>
              butOf === undefined
                ? lit(true)
                : not(
                    exists(
                      selectFrom('memberships')
                        .select('memberships.user_id')
                        .whereRef('memberships.organization_id', '=', 'organizations.id')
                        .where('memberships.user_id', '=', butOf),
                    ),
                  ),
            ),
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

/**
 * How many media buys of these organizations are open or on their way to a seller, and how many of others are so at
 * their storefronts.
 */
export async function countOpenBuys(
  db: Db,
  ids: readonly number[],
  open: readonly MediaBuyStatus[],
): Promise<{ readonly bought: number; readonly sold: number }> {
  const found = unscoped(db)
    .selectFrom('media_buys')
    .innerJoin('storefronts', 'storefronts.id', 'media_buys.storefront_id')
    .select(sql<number>`count(*)`.as('count'))
    .where((eb) =>
      eb.or([
        eb('media_buys.status', 'in', [...open]),
        eb('media_buys.submission', 'in', ['sending', 'unknown']),
      ]),
    );
  const bought = await found.where('media_buys.organization_id', 'in', [...ids]).executeTakeFirstOrThrow();
  const sold = await found
    .where('storefronts.organization_id', 'in', [...ids])
    .where('media_buys.organization_id', 'not in', [...ids])
    .executeTakeFirstOrThrow();
  return { bought: Number(bought.count), sold: Number(sold.count) };
}
