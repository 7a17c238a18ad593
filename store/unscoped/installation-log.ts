import type { Generated, Insertable } from 'kysely';
import type { AuditAction } from '../audit-log.ts';
import type { JsonText } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';

/** What the operator did that concerns every organization alike: who is let in, which terms are in force. */
export interface InstallationLogTable {
  id: Generated<number>;
  tool: string;
  action: AuditAction;
  /** The type of a kind of object, such as `TERMS`. */
  resource_type: string;
  resource_id: string | null;
  changes: JsonText<Record<string, unknown>> | null;
  description: string;
  /** Why, where the operator said it. */
  reason: string | null;
  request_id: string;
  created_at: string;
}

declare module '../engine/database.ts' {
  interface Database {
    installation_log: InstallationLogTable;
  }
}

/** Written in the transaction of the deed it tells of, never changed afterwards. */
export async function insertInstallationLog(db: Db, entry: Insertable<InstallationLogTable>): Promise<void> {
  await db.insertInto('installation_log').values(entry).execute();
}
