import type { Selectable } from 'kysely';
import type { Db } from '../engine/db.ts';

/**
 * Making an account, choosing a new password, confirming an address, becoming an administrator, moving an account to
 * another address, having it back at the one of before.
 */
export type LinkPurpose = 'sign_up' | 'reset' | 'verify' | 'admin' | 'new_email' | 'old_email';

export interface OneUseLinkTable {
  /** SHA-256 of what the link carries, lowercase hex. */
  hash: string;
  purpose: LinkPurpose;
  /** Whom it was sent to; empty for a link that was printed. */
  email: string;
  user_id: number | null;
  administers: number | null;
  created_at: string;
  expires_at: string;
  used_at: string | null;
}

export type OneUseLinkRow = Selectable<OneUseLinkTable>;

declare module '../engine/database.ts' {
  interface Database {
    one_use_links: OneUseLinkTable;
  }
}

export async function insertLink(db: Db, link: OneUseLinkRow): Promise<void> {
  await db.insertInto('one_use_links').values(link).execute();
}

export interface LinkQuestion {
  readonly hash: string;
  readonly purpose: LinkPurpose;
  readonly now: string;
}

/** A link that is still good, left as it is. */
export function findLink(db: Db, { hash, purpose, now }: LinkQuestion): Promise<OneUseLinkRow | undefined> {
  return db
    .selectFrom('one_use_links')
    .selectAll()
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Uses a link up. Of any number who try at once, one is given it. */
export function useLink(db: Db, { hash, purpose, now }: LinkQuestion): Promise<OneUseLinkRow | undefined> {
  return db
    .updateTable('one_use_links')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

/** Ends the other links of a kind that went to an address: what they were for is done. */
export async function endLinksTo(
  db: Db,
  { email, purpose, now }: { readonly email: string; readonly purpose: LinkPurpose; readonly now: string },
): Promise<void> {
  await db
    .updateTable('one_use_links')
    .set({ used_at: now })
    .where('email', '=', email)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute();
}

interface LinksOf {
  readonly userId: number;
  readonly purposes: readonly LinkPurpose[];
  /** Those alone that were made from this moment on. */
  readonly since?: string;
  readonly now: string;
}

/** Ends links of a person, whichever address they went to. */
export async function endLinksOf(db: Db, { userId, purposes, since, now }: LinksOf): Promise<void> {
  await db
    .updateTable('one_use_links')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', 'in', purposes)
    .where('used_at', 'is', null)
    .$if(since !== undefined, (query) => query.where('created_at', '>=', since ?? ''))
    .execute();
}

/** Ends the printed links that make an administrator of an organization. */
export async function endAdminLinks(db: Db, organizationId: number, now: string): Promise<boolean> {
  const ended = await db
    .updateTable('one_use_links')
    .set({ used_at: now })
    .where('administers', '=', organizationId)
    .where('used_at', 'is', null)
    .returning('expires_at')
    .execute();
  return ended.some(({ expires_at }) => expires_at > now);
}
