import type { Generated, Selectable } from 'kysely';
import { byId } from './engine/by-id.ts';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export const serviceTokenRoles = ['ADMIN', 'READ_WRITE', 'READ'] as const;
export type ServiceTokenRole = (typeof serviceTokenRoles)[number];

export interface ServiceTokenTable {
  id: Generated<number>;
  organization_id: number;
  customer_id: number;
  /** The person it acts for: it opens nothing that the person does not hold. */
  user_id: number;
  created_by_user_id: number;
  name: string;
  description: string;
  role: ServiceTokenRole;
  access_client_id: string;
  /** SHA-256 of the secret, lowercase hex. The secret itself is kept nowhere. */
  hash: string;
  /** What a person gave the program that made it: it ends with that. Null for one that no program made. */
  oauth_grant_id: string | null;
  /** The addresses that the program's token was for: it opens no others. Null for all. */
  audience: JsonText<readonly string[]> | null;
  created_at: string;
  expires_at: string;
  last_used_at: string | null;
  archived_at: string | null;
}

export type ServiceTokenRow = Selectable<ServiceTokenTable>;

declare module './engine/database.ts' {
  interface Database {
    service_tokens: ServiceTokenTable;
  }
}

export function insertServiceToken(
  db: Db,
  tenant: Tenant,
  token: Omit<ServiceTokenRow, 'id' | 'organization_id' | 'last_used_at' | 'archived_at'>,
): Promise<ServiceTokenRow> {
  return db
    .insertInto('service_tokens')
    .values(ofOrganization(tenant, { ...token, last_used_at: null, archived_at: null }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** How many service tokens of an organization can still be used, and how many there are with the ended ones. */
export async function countServiceTokens(
  db: Db,
  tenant: Tenant,
  now: string,
): Promise<{ readonly live: number; readonly all: number }> {
  const { live, all } = await db
    .selectFrom('service_tokens')
    .$call(inOrganization(tenant))
    .select(({ fn, and, eb, case: when }) => [
      fn.countAll().as('all'),
      fn
        .count(
          when()
            .when(and([eb('archived_at', 'is', null), eb('expires_at', '>', now)]))
            .then(1)
            .end(),
        )
        .as('live'),
    ])
    .executeTakeFirstOrThrow();
  return { live: Number(live), all: Number(all) };
}

/** The service tokens of an organization, newest first, archived and expired ones included. */
export function listServiceTokens(db: Db, tenant: Tenant, page: Page): Promise<Counted<ServiceTokenRow>> {
  const found = db.selectFrom('service_tokens').$call(inOrganization(tenant));
  return counted(db, { asker: tenant, rows: found.selectAll().orderBy('id', 'desc'), found }, page);
}

export const findServiceToken = byId((db) => db.selectFrom('service_tokens').selectAll());

/** Ends a token for good. Undefined where it was archived before. */
export function archiveServiceToken(
  db: Db,
  tenant: Tenant,
  { id, now }: { id: number; now: string },
): Promise<ServiceTokenRow | undefined> {
  return db
    .updateTable('service_tokens')
    .set({ archived_at: now })
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('archived_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
