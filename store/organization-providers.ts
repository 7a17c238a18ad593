import type { Selectable } from 'kysely';
import type { Sealed } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';

export interface OrganizationProviderTable {
  /** In lower case. The provider is believed for addresses of this domain, and for no others. */
  domain: string;
  organization_id: number;
  issuer: string;
  client_id: string;
  /** Encrypted for `organization_provider:<domain>`. */
  secret_sealed: Sealed;
  created_at: string;
}

export type OrganizationProviderRow = Selectable<OrganizationProviderTable>;

declare module './engine/database.ts' {
  interface Database {
    organization_providers: OrganizationProviderTable;
  }
}

export function listProviders(db: Db, tenant: Tenant): Promise<OrganizationProviderRow[]> {
  return db
    .selectFrom('organization_providers')
    .selectAll()
    .$call(inOrganization(tenant))
    .orderBy('domain')
    .execute();
}

/** The provider that the organization named for a domain. */
export function findProvider(
  db: Db,
  tenant: Tenant,
  domain: string,
): Promise<OrganizationProviderRow | undefined> {
  return db
    .selectFrom('organization_providers')
    .selectAll()
    .$call(inOrganization(tenant))
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** Names the provider of a domain. One that the organization named before gives way to it. */
export async function setProvider(
  db: Db,
  tenant: Tenant,
  provider: Omit<OrganizationProviderRow, 'organization_id'>,
): Promise<void> {
  await removeProvider(db, tenant, provider.domain);
  await db.insertInto('organization_providers').values(ofOrganization(tenant, provider)).execute();
}

/** The organization has no provider from now on. */
export async function removeProviders(db: Db, tenant: Tenant): Promise<void> {
  await db.deleteFrom('organization_providers').$call(inOrganization(tenant)).execute();
}

/** False where the organization has none for the domain. */
export async function removeProvider(db: Db, tenant: Tenant, domain: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('organization_providers')
    .$call(inOrganization(tenant))
    .where('domain', '=', domain)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
