import type { JWK } from 'jose';
import type { Selectable } from 'kysely';
import type { JsonText, Sealed } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';

export interface SigningKeyTable {
  /** Its `kid`. */
  id: string;
  public_jwk: JsonText<JWK>;
  /** The private JWK as JSON text, encrypted for this row. */
  private_sealed: Sealed;
  created_at: string;
  /** Since when it signs nothing. */
  retired_at: string | null;
}

export interface RevokedTokenTable {
  /** The `jti` of a token that was ended before its time. */
  jti: string;
  /** When it would have ended by itself, and this row with it. */
  expires_at: string;
}

export type SigningKeyRow = Selectable<SigningKeyTable>;

declare module '../engine/database.ts' {
  interface Database {
    signing_keys: SigningKeyTable;
    revoked_tokens: RevokedTokenTable;
  }
}

/** Every key that is kept, the newest first. */
export function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_keys').selectAll().orderBy('created_at', 'desc').orderBy('id').execute();
}

export async function insertSigningKey(db: Db, key: SigningKeyRow): Promise<void> {
  await db.insertInto('signing_keys').values(key).execute();
}

/** Has every key but this one sign nothing from now on. */
export async function retireSigningKeys(db: Db, which: { butId: string; now: string }): Promise<void> {
  await db
    .updateTable('signing_keys')
    .set({ retired_at: which.now })
    .where('id', '!=', which.butId)
    .where('retired_at', 'is', null)
    .execute();
}

/** Forgets keys that were retired before a time. */
export async function dropSigningKeys(db: Db, retiredBefore: string): Promise<void> {
  const retired = await db
    .selectFrom('signing_keys')
    .select('id')
    .where('retired_at', '<', retiredBefore)
    .execute();
  if (retired.length === 0) return;
  const ids = retired.map(({ id }) => id);
  await db.deleteFrom('signing_keys').where('id', 'in', ids).execute();
}

/** Ends a token before its time. False where it was ended already. */
export async function insertRevokedToken(db: Db, token: RevokedTokenTable): Promise<boolean> {
  const ended = await db
    .insertInto('revoked_tokens')
    .values(token)
    .onConflict((key) => key.column('jti').doNothing())
    .returning('jti')
    .executeTakeFirst();
  return ended !== undefined;
}
