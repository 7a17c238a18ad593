import type { Selectable } from 'kysely';
import type { JsonText } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';

/** What a client says of itself (RFC 7591, section 2), as far as it is kept. */
export type ClientMetadata = Readonly<Record<string, unknown>>;

export interface OauthClientTable {
  /** Its `client_id`. */
  id: string;
  name: string;
  metadata: JsonText<ClientMetadata>;
  origin: 'registration' | 'operator';
  created_at: string;
  last_used_at: string | null;
}

export type OauthClientRow = Selectable<OauthClientTable>;

declare module '../engine/database.ts' {
  interface Database {
    oauth_clients: OauthClientTable;
  }
}

export async function insertOauthClient(db: Db, client: OauthClientRow): Promise<void> {
  await db.insertInto('oauth_clients').values(client).execute();
}

export function findOauthClient(db: Db, id: string): Promise<OauthClientRow | undefined> {
  return db.selectFrom('oauth_clients').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The clients that the operator made, oldest first. */
export function listOperatorClients(db: Db): Promise<OauthClientRow[]> {
  return db
    .selectFrom('oauth_clients')
    .selectAll()
    .where('origin', '=', 'operator')
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Notes that a client was let in, or renewed a token. One that is known by its document has no row to note it in. */
export async function touchOauthClient(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable('oauth_clients').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Forgets clients that registered themselves and were never used, or not for long. Gives their number. */
export async function forgetIdleClients(
  db: Db,
  before: { readonly unused: string; readonly idle: string; readonly limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('oauth_clients')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('oauth_clients')
        .select('id')
        .where('origin', '=', 'registration')
        .where(({ and, or, eb: is }) =>
          or([
            and([is('last_used_at', 'is', null), is('created_at', '<', before.unused)]),
            is('last_used_at', '<', before.idle),
          ]),
        )
        .limit(before.limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}
