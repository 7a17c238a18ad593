import type { Selectable } from 'kysely';
import type { Db } from './engine/db.ts';
import { unscoped } from './engine/unscoped.ts';

/** A session of the initialize era. Any process may serve it; the id alone opens nothing. */
export interface McpSessionTable {
  id: string;
  organization_id: number;
  /** The credential that opened it: `api_key:key_…`. Another one finds no session. */
  principal: string;
  surface: string;
  /** The initialize request as it came, so that another process can take the session up. */
  initialize: string;
  created_at: string;
  seen_at: string;
}

export type McpSessionRow = Selectable<McpSessionTable>;

declare module './engine/database.ts' {
  interface Database {
    mcp_sessions: McpSessionTable;
  }
}

/** False when the id is taken. */
export async function insertMcpSession(db: Db, session: McpSessionRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('mcp_sessions')
    .values(session)
    .onConflict((key) => key.column('id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

export interface SessionKey {
  readonly id: string;
  readonly organizationId: number;
  readonly principal: string;
  readonly surface: string;
}

export function findMcpSession(db: Db, key: SessionKey): Promise<McpSessionRow | undefined> {
  return db
    .selectFrom('mcp_sessions')
    .selectAll()
    .where('id', '=', key.id)
    .where('organization_id', '=', key.organizationId)
    .where('principal', '=', key.principal)
    .where('surface', '=', key.surface)
    .executeTakeFirst();
}

export async function touchMcpSession(db: Db, key: SessionKey, now: string): Promise<void> {
  await db
    .updateTable('mcp_sessions')
    .set({ seen_at: now })
    .where('id', '=', key.id)
    .where('organization_id', '=', key.organizationId)
    .execute();
}

export async function deleteMcpSession(db: Db, key: SessionKey): Promise<void> {
  await db
    .deleteFrom('mcp_sessions')
    .where('id', '=', key.id)
    .where('organization_id', '=', key.organizationId)
    .where('principal', '=', key.principal)
    .execute();
}

/** Forgets the sessions that nobody used since a time. */
export async function expireMcpSessions(db: Db, before: string): Promise<void> {
  await unscoped(db).deleteFrom('mcp_sessions').where('seen_at', '<', before).execute();
}
