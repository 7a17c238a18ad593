import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Forgets the sessions that nobody used since a time. */
export async function expireMcpSessions(db: Db, before: string): Promise<void> {
  await unscoped(db).deleteFrom('mcp_sessions').where('seen_at', '<', before).execute();
}
