import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Forgets some sessions that nobody used since a time, the stalest first; gives how many. */
export async function expireMcpSessions(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await unscoped(db)
    .deleteFrom('mcp_sessions')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mcp_sessions as stale')
        .select('stale.id')
        .where('stale.seen_at', '<', before)
        .orderBy('stale.seen_at')
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
