import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';

export interface OauthArtifactTable {
  /** `AuthorizationCode`, `RefreshToken`, `Interaction`, `InteractionBrowser`. */
  kind: string;
  /** SHA-256 of its value, lowercase hex. */
  hash: string;
  /** JSON in which the value does not stand. */
  payload: string;
  grant_id: string | null;
  expires_at: string;
  /** When it was used up; once only. */
  used_at: string | null;
}

export type OauthArtifactRow = Selectable<OauthArtifactTable>;

declare module '../engine/database.ts' {
  interface Database {
    oauth_artifacts: OauthArtifactTable;
  }
}

export interface ArtifactKey {
  readonly kind: string;
  readonly hash: string;
}

/** One that was not used yet. */
export type NewArtifact = Omit<OauthArtifactRow, 'used_at'>;

export async function saveArtifact(db: Db, artifact: NewArtifact): Promise<void> {
  const { payload, grant_id, expires_at } = artifact;
  await db
    .insertInto('oauth_artifacts')
    .values({ ...artifact, used_at: null })
    .onConflict((key) => key.columns(['kind', 'hash']).doUpdateSet({ payload, grant_id, expires_at }))
    .execute();
}

export function findArtifact(db: Db, { kind, hash }: ArtifactKey): Promise<OauthArtifactRow | undefined> {
  return db
    .selectFrom('oauth_artifacts')
    .selectAll()
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .executeTakeFirst();
}

/** Uses it up. False for whoever comes second: one statement decides, in whatever process it is asked. */
export async function useArtifact(
  db: Db,
  { kind, hash, now }: ArtifactKey & { readonly now: string },
): Promise<boolean> {
  const used = await db
    .updateTable('oauth_artifacts')
    .set({ used_at: now })
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst();
  return used !== undefined;
}

export async function removeArtifact(db: Db, { kind, hash }: ArtifactKey): Promise<void> {
  await db.deleteFrom('oauth_artifacts').where('kind', '=', kind).where('hash', '=', hash).execute();
}

/** Forgets what has expired; gives the number of rows. */
export async function forgetArtifacts(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const old = await db
    .selectFrom('oauth_artifacts')
    .select(['kind', 'hash'])
    .where('expires_at', '<', before)
    .limit(limit)
    .execute();
  for (const key of old) await removeArtifact(db, key);
  return old.length;
}
