import { sql } from 'kysely';
import type { Permission } from '../api-keys.ts';
import { type Opened, openedTo } from '../credential-access.ts';
import type { JsonText } from '../engine/codec.ts';
import type { Db } from '../engine/db.ts';
import { prepared } from '../engine/prepared.ts';
import { remembered } from '../engine/remembered.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { M2mSecretRow } from '../m2m-applications.ts';

/** What an application opens, read in one query. */
export interface Application extends Opened {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly customer_id: number | null;
  readonly permissions: JsonText<Permission[]>;
}

const application = prepared((db, { clientId }: { clientId: string }) =>
  unscoped(db)
    .selectFrom('m2m_applications')
    .innerJoin('organizations', 'organizations.id', 'm2m_applications.organization_id')
    .select([
      'm2m_applications.id',
      'm2m_applications.client_id',
      'm2m_applications.name',
      'm2m_applications.customer_id',
      'm2m_applications.permissions',
      ...openedTo(sql`'m2m:' || m2m_applications.id`, 'm2m_applications.customer_id'),
    ])
    .where('m2m_applications.client_id', '=', clientId)
    .where('m2m_applications.deleted_at', 'is', null)
    .where('organizations.suspended_at', 'is', null),
);

/**
 * The live application with this client id; undefined for one that was deleted, and where its organization is
 * suspended. Found through the unique index.
 */
export const findLiveApplication = remembered<Application>((db, clientId) =>
  application.first(db, { clientId }),
);

const secretUse = prepared(
  (db, shown: { readonly applicationId: string; readonly hash: string; readonly now: string }) =>
    unscoped(db)
      .updateTable('m2m_secrets')
      .set({ last_used_at: shown.now })
      .where('hash', '=', shown.hash)
      .where('application_id', '=', shown.applicationId)
      .where('revoked_at', 'is', null)
      .returning('id'),
);

/**
 * The id of the live secret with this hash, if the application has it, its use noted with the same write.
 * Undefined for any other.
 */
export async function useSecret(
  db: Db,
  shown: { readonly applicationId: string; readonly hash: string; readonly now: string },
): Promise<string | undefined> {
  const row = await secretUse.first(db, shown);
  return row?.id;
}

const secret = prepared((db, { id }: { id: string }) =>
  unscoped(db).selectFrom('m2m_secrets').selectAll().where('id', '=', id).where('revoked_at', 'is', null),
);

/** The secret with this id that nobody ended: tokens that it got are asked of it with each call. */
export const findLiveSecret = remembered<M2mSecretRow>((db, id) => secret.first(db, { id }));

/** Notes that a token of this secret was used: once, at the first. */
export async function proveSecret(db: Db, { id, now }: { id: string; now: string }): Promise<void> {
  await unscoped(db)
    .updateTable('m2m_secrets')
    .set({ proven_at: now })
    .where('id', '=', id)
    .where('proven_at', 'is', null)
    .execute();
}
