import type { Generated, Insertable, Selectable } from 'kysely';
import { byId } from './engine/by-id.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export interface BrowserOriginTable {
  id: Generated<number>;
  organization_id: number;
  /** As a browser writes it: https, a host in lower case, a port where it is not 443. */
  origin: string;
  label: string | null;
  created_by: number | null;
  created_at: string;
  updated_at: string;
}

export type BrowserOriginRow = Selectable<BrowserOriginTable>;

declare module './engine/database.ts' {
  interface Database {
    browser_origins: BrowserOriginTable;
  }
}

export function listBrowserOrigins(db: Db, tenant: Tenant, page: Page): Promise<Counted<BrowserOriginRow>> {
  const found = db.selectFrom('browser_origins').$call(inOrganization(tenant));
  return counted(db, { asker: tenant, rows: found.selectAll().orderBy('id'), found }, page);
}

export function insertBrowserOrigin(
  db: Db,
  tenant: Tenant,
  origin: Omit<Insertable<BrowserOriginTable>, 'organization_id'>,
): Promise<BrowserOriginRow> {
  return db
    .insertInto('browser_origins')
    .values(ofOrganization(tenant, origin))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const findBrowserOrigin = byId((db) => db.selectFrom('browser_origins').selectAll());

export async function deleteBrowserOrigin(db: Db, tenant: Tenant, id: number): Promise<void> {
  await db.deleteFrom('browser_origins').$call(inOrganization(tenant)).where('id', '=', id).execute();
}
