import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Forgets about so many of the keys that were used before a time, the oldest first; gives how many. */
export async function forgetIdempotencyKeys(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const last = await unscoped(db)
    .selectFrom('idempotency_keys')
    .select('created_at')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .offset(limit - 1)
    .limit(1)
    .executeTakeFirst();
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('idempotency_keys')
    .where('created_at', '<', before)
    .$if(last !== undefined, (query) => query.where('created_at', '<=', last?.created_at ?? ''))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
