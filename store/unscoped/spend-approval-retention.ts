import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Rows of a step. */
const ROWS = 500;

/**
 * Forgets spends that were decided, withdrawn or over before a time; gives whether there may be more. What somebody
 * can still decide stays, whatever its age. Served by `spend_approvals_by_update`.
 */
export async function forgetSpendApprovals(
  db: Db,
  { before, now }: { before: string; now: string },
): Promise<boolean> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('spend_approvals')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('spend_approvals as old')
        .select('old.id')
        .where('old.updated_at', '<', before)
        .where((old) => old.or([old('old.state', '!=', 'pending'), old('old.expires_at', '<', now)]))
        .orderBy('old.updated_at')
        .limit(ROWS),
    )
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
