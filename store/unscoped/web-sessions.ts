import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';

export interface WebSessionTable {
  /** Names the session in lists and in the tokens that were issued in it. */
  id: string;
  /** SHA-256 of the cookie's value, lowercase hex. */
  hash: string;
  user_id: number;
  /** The organization the person works in now; null until one is chosen. */
  chosen_organization_id: number | null;
  /** What a form of this session carries. */
  csrf: string;
  user_agent: string;
  ip: string;
  signed_in_at: string;
  seen_at: string;
  expires_at: string;
  ended_at: string | null;
}

export type WebSessionRow = Selectable<WebSessionTable>;

declare module '../engine/database.ts' {
  interface Database {
    web_sessions: WebSessionTable;
  }
}

export async function insertWebSession(db: Db, session: WebSessionRow): Promise<void> {
  await db.insertInto('web_sessions').values(session).execute();
}

/** The sessions of a person that go on, the one seen last first. */
export function listWebSessions(db: Db, userId: number, now: string): Promise<WebSessionRow[]> {
  return db
    .selectFrom('web_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('seen_at', 'desc')
    .execute();
}

/** Has the person of a session work in another organization. */
export async function chooseOrganization(
  db: Db,
  session: { readonly id: string; readonly organizationId: number },
): Promise<void> {
  await db
    .updateTable('web_sessions')
    .set({ chosen_organization_id: session.organizationId })
    .where('id', '=', session.id)
    .execute();
}

/** Ends sessions of a person: the one with this id, or all but it. Gives the ids of those that ended. */
export async function endWebSessions(
  db: Db,
  which: { readonly userId: number; readonly id?: string; readonly butId?: string; readonly now: string },
): Promise<string[]> {
  let ending = db
    .updateTable('web_sessions')
    .set({ ended_at: which.now })
    .where('user_id', '=', which.userId)
    .where('ended_at', 'is', null);
  if (which.id !== undefined) ending = ending.where('id', '=', which.id);
  if (which.butId !== undefined) ending = ending.where('id', '!=', which.butId);
  return (await ending.returning('id').execute()).map(({ id }) => id);
}
