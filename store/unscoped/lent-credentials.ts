import { sql } from 'kysely';
import type { Permission } from '../api-keys.ts';
import { type Opened, openedTo } from '../credential-access.ts';
import type { JsonText } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';
import { remembered } from '../engine/remembered.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { ServiceTokenRow } from '../service-tokens.ts';
import type { PersonIn } from './people.ts';

const token = prepared((db, { hash }: { hash: string }) =>
  unscoped(db)
    .selectFrom('service_tokens')
    .selectAll()
    .where('hash', '=', hash)
    .where('archived_at', 'is', null),
);

/** The service token whose secret has this hash and that nobody archived, expired or not. */
export const findServiceTokenByHash = remembered<ServiceTokenRow>((db, hash) => token.first(db, { hash }));

/** Notes that a service token was used; called at most once a minute for a token. */
export async function touchServiceToken(db: Db, id: number, now: string): Promise<void> {
  await unscoped(db).updateTable('service_tokens').set({ last_used_at: now }).where('id', '=', id).execute();
}

/** Archives whatever a person lent of what they hold, in these organizations, or in every one. */
export async function archiveServiceTokensOf(
  db: Db,
  { userId, now, organizationIds }: PersonIn,
): Promise<void> {
  await unscoped(db)
    .updateTable('service_tokens')
    .set({ archived_at: now })
    .where('user_id', '=', userId)
    .where('archived_at', 'is', null)
    .$if(organizationIds !== undefined, (query) =>
      query.where('organization_id', 'in', [...(organizationIds ?? [])]),
    )
    .execute();
}

/** Revokes the legacy keys that are a person's own, in these organizations. */
export async function revokeLegacyKeysOf(
  db: Db,
  { userId, now, organizationIds }: Required<PersonIn>,
): Promise<void> {
  await unscoped(db)
    .updateTable('legacy_keys')
    .set({ revoked_at: now })
    .where('user_id', '=', userId)
    .where('organization_id', 'in', [...organizationIds])
    .where('revoked_at', 'is', null)
    .execute();
}

/** What a legacy key opens, read in one query. */
export interface LegacyKey extends Opened {
  readonly id: string;
  readonly name: string;
  readonly customer_id: number;
  readonly user_id: number | null;
  readonly permissions: JsonText<Permission[]>;
  readonly created_at: string;
  readonly expires_at: string | null;
}

const legacyKey = prepared((db, { hash }: { hash: string }) =>
  unscoped(db)
    .selectFrom('legacy_keys')
    .innerJoin('organizations', 'organizations.id', 'legacy_keys.organization_id')
    .select([
      'legacy_keys.id',
      'legacy_keys.name',
      'legacy_keys.customer_id',
      'legacy_keys.user_id',
      'legacy_keys.permissions',
      'legacy_keys.created_at',
      'legacy_keys.expires_at',
      ...openedTo(sql`'legacy_key:' || legacy_keys.id`, 'legacy_keys.customer_id'),
    ])
    .where('legacy_keys.hash', '=', hash)
    .where('legacy_keys.revoked_at', 'is', null)
    .where('organizations.suspended_at', 'is', null),
);

/** The legacy key with this hash that nobody revoked, expired or not. Found through the unique index. */
export const findLegacyKeyByHash = remembered<LegacyKey>((db, hash) => legacyKey.first(db, { hash }));

/** Notes that a legacy key was used; called at most once a minute for a key. */
export async function touchLegacyKey(db: Db, id: string, now: string): Promise<void> {
  await unscoped(db).updateTable('legacy_keys').set({ last_used_at: now }).where('id', '=', id).execute();
}
