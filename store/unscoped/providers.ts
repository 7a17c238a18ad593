import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { OrganizationProviderRow } from '../organization-providers.ts';

/** Providers that are believed: whoever named one goes on, and holds its domain as one that was verified. */
function believed(db: Db) {
  return unscoped(db)
    .selectFrom('organization_providers')
    .innerJoin('organization_domains', (join) =>
      join
        .onRef('organization_domains.verified_domain', '=', 'organization_providers.domain')
        .onRef('organization_domains.organization_id', '=', 'organization_providers.organization_id'),
    )
    .innerJoin('organizations', 'organizations.id', 'organization_providers.organization_id')
    .where('organizations.suspended_at', 'is', null);
}

/** Where the people of a domain sign in, whosever domain it is. */
export function findProviderOf(db: Db, domain: string): Promise<OrganizationProviderRow | undefined> {
  return believed(db)
    .selectAll('organization_providers')
    .where('organization_providers.domain', '=', domain)
    .executeTakeFirst();
}

/** Whether any organization brings an identity provider of its own. */
export async function hasProviders(db: Db): Promise<boolean> {
  const row = await believed(db).select('organization_providers.domain').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** The organizations that named a provider for a domain that is not theirs. */
export async function findForeignProviders(
  db: Db,
  { domain, owner }: { readonly domain: string; readonly owner: number },
): Promise<number[]> {
  const rows = await unscoped(db)
    .selectFrom('organization_providers')
    .select('organization_id')
    .where('domain', '=', domain)
    .where('organization_id', '!=', owner)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}
