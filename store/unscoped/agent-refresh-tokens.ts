import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';

export interface AgentRefreshTokenTable {
  /** SHA-256 of the token, lowercase hex. */
  hash: string;
  registration_id: string;
  created_at: string;
  expires_at: string;
  /** A token that is seen again after this is in more hands than one. */
  used_at: string | null;
}

export type AgentRefreshTokenRow = Selectable<AgentRefreshTokenTable>;

declare module '../engine/database.ts' {
  interface Database {
    agent_refresh_tokens: AgentRefreshTokenTable;
  }
}

export async function insertAgentRefreshToken(
  db: Db,
  token: Omit<AgentRefreshTokenRow, 'used_at'>,
): Promise<void> {
  await db
    .insertInto('agent_refresh_tokens')
    .values({ ...token, used_at: null })
    .execute();
}

/** Uses a token up: of many calls one gets the registration that it is for. */
export async function useAgentRefreshToken(
  db: Db,
  { hash, now }: { readonly hash: string; readonly now: string },
): Promise<string | undefined> {
  const row = await db
    .updateTable('agent_refresh_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('registration_id')
    .executeTakeFirst();
  return row?.registration_id;
}

/** The token with this hash, used or not. */
export function findAgentRefreshToken(db: Db, hash: string): Promise<AgentRefreshTokenRow | undefined> {
  return db.selectFrom('agent_refresh_tokens').selectAll().where('hash', '=', hash).executeTakeFirst();
}
