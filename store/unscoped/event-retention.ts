import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Rows of a step. */
const ROWS = 500;

/**
 * Forgets deliveries that were over before a time, and events from before it that no delivery waits for any more;
 * gives whether there may be more.
 */
export async function forgetEvents(db: Db, before: string): Promise<boolean> {
  const deliveries = await unscoped(db)
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', (eb) =>
      eb.selectFrom('webhook_deliveries').select('id').where('finished_at', '<', before).limit(ROWS),
    )
    .executeTakeFirst();
  const events = await unscoped(db)
    .deleteFrom('account_events')
    .where('sequence', 'in', (eb) =>
      eb
        .selectFrom('account_events as old')
        .select('old.sequence')
        .where('old.created_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('webhook_deliveries')
                .select('webhook_deliveries.id')
                .whereRef('webhook_deliveries.event', '=', 'old.sequence')
                .where('webhook_deliveries.state', 'in', ['pending', 'attempting']),
            ),
          ),
        )
        .limit(ROWS),
    )
    .executeTakeFirst();
  return deliveries.numDeletedRows + events.numDeletedRows > 0n;
}
