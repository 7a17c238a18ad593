import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount } from './engine/scoped.ts';

/** What the discovery sessions of an account take, and which of them can give way to others. */

/** The bytes that the sessions of an account keep. Served by `discovery_sessions_by_customer`. */
export async function sumSessionBytes(db: Db, scope: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('discovery_sessions')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('total'))
    .$call(inAccount(scope))
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(total ?? 0);
}

/** A session that ended and that no campaign goes with. */
export interface SpareSession {
  readonly id: string;
  readonly bytes: number;
}

/** The oldest of those but one, so many at the most. */
export async function listSpareSessions(
  db: Db,
  scope: Scope,
  { but, limit }: { readonly but?: string | undefined; readonly limit: number },
): Promise<SpareSession[]> {
  return db
    .selectFrom('discovery_sessions as spare')
    .select(['spare.id', 'spare.bytes'])
    .where('spare.organization_id', '=', scope.organizationId)
    .where('spare.customer_id', '=', scope.customerId)
    .where('spare.removed_at', 'is', null)
    .where('spare.completed_at', 'is not', null)
    .where('spare.campaign_id', 'is', null)
    .$if(but !== undefined, (query) => query.where('spare.id', '!=', but ?? ''))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('campaigns')
            .select('campaigns.id')
            .whereRef('campaigns.organization_id', '=', 'spare.organization_id')
            .whereRef('campaigns.discovery_id', '=', 'spare.id'),
        ),
      ),
    )
    .orderBy('spare.completed_at')
    .limit(limit)
    .execute();
}

/** Takes sessions out of sight: housekeeping deletes them part by part. */
export async function hideSessions(
  db: Db,
  scope: Scope,
  { ids, now }: { ids: readonly string[]; now: string },
): Promise<void> {
  if (ids.length === 0) return;
  await db
    .updateTable('discovery_sessions')
    .set({ removed_at: now })
    .$call(inAccount(scope))
    .where('id', 'in', ids)
    .where('removed_at', 'is', null)
    .execute();
}
