import { sql } from 'kysely';
import type { Store } from '../../../store/engine/db.ts';

/** The newest entry of the audit log, whose ever it is: what is written from now on comes after it. */
export async function lastEntry(store: Store): Promise<number> {
  const { rows } = await sql<{
    last: number | string | null;
  }>`select max(id) as last from audit_logs`.execute(store.db.withoutPlugins());
  return Number(rows[0]?.last ?? 0);
}
