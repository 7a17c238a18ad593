import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';

export interface UserIdentityTable {
  /** The identity provider, as its own tokens name it. */
  issuer: string;
  /** Who it is there: never an e-mail address, which may change hands. */
  subject: string;
  user_id: number;
  created_at: string;
  used_at: string;
}

export type UserIdentityRow = Selectable<UserIdentityTable>;

declare module '../engine/database.ts' {
  interface Database {
    user_identities: UserIdentityTable;
  }
}

export function findIdentity(
  db: Db,
  { issuer, subject }: Pick<UserIdentityRow, 'issuer' | 'subject'>,
): Promise<UserIdentityRow | undefined> {
  return db
    .selectFrom('user_identities')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Where else a person signs in. */
export function listIdentities(db: Db, userId: number): Promise<UserIdentityRow[]> {
  return db
    .selectFrom('user_identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
}

/** Notes who somebody is elsewhere; of one that is known, that it was used. Whose it is never changes. */
export async function keepIdentity(db: Db, identity: UserIdentityRow): Promise<void> {
  await db
    .insertInto('user_identities')
    .values(identity)
    .onConflict((key) => key.columns(['issuer', 'subject']).doUpdateSet({ used_at: identity.used_at }))
    .execute();
}

/** Forgets where else a person has signed in since a moment. */
export async function dropIdentitiesSince(
  db: Db,
  { userId, since }: { readonly userId: number; readonly since: string },
): Promise<void> {
  await db
    .deleteFrom('user_identities')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .execute();
}
