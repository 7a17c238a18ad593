import type { Selectable } from 'kysely';
import type { Permission } from './api-keys.ts';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export interface M2mApplicationTable {
  id: string;
  organization_id: number;
  /** The account it works in; null for one that may work in each, and once it is deleted. */
  customer_id: number | null;
  client_id: string;
  name: string;
  description: string | null;
  permissions: JsonText<Permission[]>;
  created_by_user_id: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface M2mSecretTable {
  id: string;
  organization_id: number;
  application_id: string;
  /** SHA-256 of the secret, lowercase hex. The secret itself is kept nowhere. */
  hash: string;
  /** Its last four characters. */
  hint: string;
  /** The person who made it; null for one made before that was kept. */
  created_by_user_id: number | null;
  created_at: string;
  /** When it last got a token. */
  last_used_at: string | null;
  /** When a token that it got was first used. */
  proven_at: string | null;
  revoked_at: string | null;
}

export type M2mApplicationRow = Selectable<M2mApplicationTable>;
export type M2mSecretRow = Selectable<M2mSecretTable>;

declare module './engine/database.ts' {
  interface Database {
    m2m_applications: M2mApplicationTable;
    m2m_secrets: M2mSecretTable;
  }
}

export function insertApplication(
  db: Db,
  tenant: Tenant,
  application: Omit<M2mApplicationRow, 'organization_id'>,
): Promise<M2mApplicationRow> {
  return db
    .insertInto('m2m_applications')
    .values(ofOrganization(tenant, application))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A page of the applications of an organization that were not deleted, newest first. */
export function listApplications(db: Db, tenant: Tenant, page: Page): Promise<Counted<M2mApplicationRow>> {
  const found = live(db, tenant);
  const rows = found.selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  return counted(db, { asker: tenant, rows, found }, page);
}

export async function countApplications(db: Db, tenant: Tenant): Promise<number> {
  const { total } = await live(db, tenant)
    .select((eb) => eb.fn.countAll().as('total'))
    .executeTakeFirstOrThrow();
  return Number(total);
}

function live(db: Db, tenant: Tenant) {
  return db.selectFrom('m2m_applications').$call(inOrganization(tenant)).where('deleted_at', 'is', null);
}

/** The application with this id that was not deleted. */
export function findApplication(db: Db, tenant: Tenant, id: string): Promise<M2mApplicationRow | undefined> {
  return db
    .selectFrom('m2m_applications')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Ends an application with its secrets and its hold on an account. False where there is no such live one. */
export async function deleteApplication(
  db: Db,
  tenant: Tenant,
  { id, now }: { id: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('m2m_applications')
    .set({ deleted_at: now, updated_at: now, customer_id: null })
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  await db
    .updateTable('m2m_secrets')
    .set({ revoked_at: now })
    .$call(inOrganization(tenant))
    .where('application_id', '=', id)
    .where('revoked_at', 'is', null)
    .execute();
  return true;
}

export function insertSecret(
  db: Db,
  tenant: Tenant,
  secret: Pick<M2mSecretRow, 'id' | 'application_id' | 'hash' | 'hint' | 'created_by_user_id' | 'created_at'>,
): Promise<M2mSecretRow> {
  const unused = { last_used_at: null, proven_at: null, revoked_at: null };
  return db
    .insertInto('m2m_secrets')
    .values(ofOrganization(tenant, { ...secret, ...unused }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The live secrets of an application, the newest first. */
export function listSecrets(db: Db, tenant: Tenant, applicationId: string): Promise<M2mSecretRow[]> {
  return db
    .selectFrom('m2m_secrets')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('application_id', '=', applicationId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Ends a secret. False where no such secret is live. */
export async function retireSecret(
  db: Db,
  tenant: Tenant,
  secret: { id: string; applicationId: string; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('m2m_secrets')
    .set({ revoked_at: secret.now })
    .$call(inOrganization(tenant))
    .where('id', '=', secret.id)
    .where('application_id', '=', secret.applicationId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Holds an application until the transaction ends, so that its secrets stay as they are counted. */
export async function lockApplication(db: Db, tenant: Tenant, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('m2m_applications')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
