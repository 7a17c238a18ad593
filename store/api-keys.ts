import type { Selectable } from 'kysely';
import { byId } from './engine/by-id.ts';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export const permissions = ['buyer:read', 'buyer:write', 'buyer:admin', 'account:admin'] as const;
export type Permission = (typeof permissions)[number];

const environments = ['live', 'test'] as const;
export type Environment = (typeof environments)[number];

export interface ApiKeyTable {
  id: string;
  organization_id: number;
  /** Null: the key works in the first account that its grants reach. */
  customer_id: number | null;
  name: string;
  /** SHA-256 of the key, lowercase hex. The key itself is kept nowhere. */
  hash: string;
  obfuscated_value: string;
  /** A test key works in the sandbox only. */
  environment: Environment;
  permissions: JsonText<Permission[]>;
  /** The person who made it; null where the operator did. */
  created_by_user_id: number | null;
  created_at: string;
  updated_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export type ApiKeyRow = Selectable<ApiKeyTable>;

declare module './engine/database.ts' {
  interface Database {
    api_keys: ApiKeyTable;
  }
}

export async function insertApiKey(
  db: Db,
  tenant: Tenant,
  key: Omit<ApiKeyRow, 'organization_id'>,
): Promise<void> {
  await db.insertInto('api_keys').values(ofOrganization(tenant, key)).execute();
}

/** The keys of an organization, newest first, revoked ones included. */
export function listApiKeys(db: Db, tenant: Tenant): Promise<ApiKeyRow[]> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .$call(inOrganization(tenant))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** A page of the keys of an organization that nobody revoked, newest first. */
export function listUnrevokedApiKeys(db: Db, tenant: Tenant, page: Page): Promise<Counted<ApiKeyRow>> {
  const found = db.selectFrom('api_keys').$call(inOrganization(tenant)).where('revoked_at', 'is', null);
  const rows = found.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  return counted(db, { asker: tenant, rows, found }, page);
}

/** How many keys of an organization can be used at a moment. */
export async function countLiveApiKeys(db: Db, tenant: Tenant, now: string): Promise<number> {
  const { count } = await db
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .$call(inOrganization(tenant))
    .where('revoked_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The key with this id, revoked or not. */
export const findApiKey = byId((db) => db.selectFrom('api_keys').selectAll());

/** Ends a live key; gives it, or undefined when there is no such live key. */
export function revokeApiKey(
  db: Db,
  tenant: Tenant,
  key: { id: string; now: string },
): Promise<ApiKeyRow | undefined> {
  return db
    .updateTable('api_keys')
    .set({ revoked_at: key.now, updated_at: key.now })
    .$call(inOrganization(tenant))
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
