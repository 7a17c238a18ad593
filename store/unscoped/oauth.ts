import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';
import { remembered } from '../engine/remembered.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { OauthGrantRow } from '../oauth-grants.ts';
import type { PersonIn } from './people.ts';

/** Recognising what people gave to programs: a token says which grant it is of, and that says whose it is. */

const grant = prepared((db, { id }: { id: string }) =>
  unscoped(db).selectFrom('oauth_grants').selectAll().where('id', '=', id).where('ended_at', 'is', null),
);

/** The grant with this id that nobody ended, expired or not. */
export const findLiveGrant = remembered<OauthGrantRow>((db, id) => grant.first(db, { id }));

const ended = prepared((db, { jti }: { jti: string }) =>
  unscoped(db).selectFrom('revoked_tokens').select('jti').where('jti', '=', jti),
);

const alive = { isLive: true } as const;

/** Something for a token that nobody ended before its time, nothing for one that was ended. */
export const findUnrevoked = remembered<typeof alive>(async (db, jti) =>
  (await ended.first(db, { jti })) === undefined ? alive : undefined,
);

interface GrantsOf {
  readonly userId: number;
  /** One of them alone. */
  readonly id?: string | undefined;
  readonly now: string;
  readonly limit: number;
}

/** What a person lets programs do now, in whatever organization, the newest first; so many of them. */
export function listLiveGrantsOf(
  db: Db,
  { userId, id, now, limit }: GrantsOf,
): Promise<(OauthGrantRow & { readonly organization_name: string })[]> {
  return unscoped(db)
    .selectFrom('oauth_grants')
    .innerJoin('organizations', 'organizations.id', 'oauth_grants.organization_id')
    .selectAll('oauth_grants')
    .select('organizations.name as organization_name')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(id !== undefined, (query) => query.where('oauth_grants.id', '=', id ?? ''))
    .orderBy('oauth_grants.created_at', 'desc')
    .orderBy('oauth_grants.id')
    .limit(limit)
    .execute();
}

/** Ends whatever a person let programs do, in these organizations, or in every one, with every token of it. */
export async function endOauthGrantsOf(db: Db, { userId, now, organizationIds }: PersonIn): Promise<void> {
  await unscoped(db)
    .updateTable('oauth_grants')
    .set({ ended_at: now })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .$if(organizationIds !== undefined, (query) =>
      query.where('organization_id', 'in', [...(organizationIds ?? [])]),
    )
    .execute();
}

/** Whether anybody ever let this client in, as far as is remembered. */
export async function isKnownClient(db: Db, clientId: string): Promise<boolean> {
  const row = await unscoped(db)
    .selectFrom('oauth_grants')
    .select('id')
    .where('client_id', '=', clientId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Has a grant live on: one of its tokens was renewed. */
export async function prolongGrant(db: Db, id: string, until: string): Promise<void> {
  await unscoped(db).updateTable('oauth_grants').set({ expires_at: until }).where('id', '=', id).execute();
}

/**
 * Forgets grants that ended or expired before a time; gives their number. Here and below: looked for first, because a
 * statement that deletes has every process told that access changed, also where it finds nothing.
 */
export async function forgetGrants(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const over = await unscoped(db)
    .selectFrom('oauth_grants')
    .select('id')
    .where('expires_at', '<', before)
    .limit(limit)
    .execute();
  if (over.length === 0) return 0;
  const keys = over.map(({ id }) => id);
  await unscoped(db)
    .deleteFrom('oauth_grants')
    .where('id', 'in', keys)
    .where('expires_at', '<', before)
    .execute();
  return over.length;
}

/** Forgets tokens that were ended before their time, once that has come; gives their number. */
export async function forgetRevokedTokens(
  db: Db,
  { before, limit }: { readonly before: string; readonly limit: number },
): Promise<number> {
  const over = await unscoped(db)
    .selectFrom('revoked_tokens')
    .select('jti')
    .where('expires_at', '<', before)
    .limit(limit)
    .execute();
  if (over.length === 0) return 0;
  const keys = over.map(({ jti }) => jti);
  await unscoped(db).deleteFrom('revoked_tokens').where('jti', 'in', keys).execute();
  return over.length;
}
