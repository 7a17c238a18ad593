import type { Selectable } from 'kysely';
import type { Permission } from './api-keys.ts';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export interface LegacyKeyTable {
  id: string;
  organization_id: number;
  customer_id: number;
  /** Whose key it is; null for one of the account. */
  user_id: number | null;
  name: string;
  /** SHA-256 of the key, lowercase hex. The key itself is kept nowhere. */
  hash: string;
  obfuscated_value: string;
  /** What it opens; of a person, no more than the person holds. */
  permissions: JsonText<Permission[]>;
  created_at: string;
  last_used_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
}

export type LegacyKeyRow = Selectable<LegacyKeyTable>;

declare module './engine/database.ts' {
  interface Database {
    legacy_keys: LegacyKeyTable;
  }
}

/** Takes in a key that was made elsewhere. False where it was taken in before. */
export async function importLegacyKey(
  db: Db,
  tenant: Tenant,
  key: Omit<LegacyKeyRow, 'organization_id'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('legacy_keys')
    .values(ofOrganization(tenant, key))
    .onConflict((taken) => taken.column('hash').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The keys of an organization, newest first, ended ones included: all of them, or those of one person. */
export function listLegacyKeys(
  db: Db,
  tenant: Tenant,
  { userId, page }: { userId: number | null; page: Page },
): Promise<Counted<LegacyKeyRow>> {
  const found = db
    .selectFrom('legacy_keys')
    .$call(inOrganization(tenant))
    .$if(userId !== null, (query) => query.where('user_id', '=', userId));
  const rows = found.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  return counted(db, { asker: tenant, rows, found }, page);
}

/** The key with this id that nobody ended. */
export function findLegacyKey(db: Db, tenant: Tenant, id: string): Promise<LegacyKeyRow | undefined> {
  return db
    .selectFrom('legacy_keys')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

/** Ends a key. Undefined where no such live one is the organization's. */
export function revokeLegacyKey(
  db: Db,
  tenant: Tenant,
  { id, now }: { id: string; now: string },
): Promise<LegacyKeyRow | undefined> {
  return db
    .updateTable('legacy_keys')
    .set({ revoked_at: now })
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
}
