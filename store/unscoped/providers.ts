import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { OrganizationProviderRow } from '../organization-providers.ts';

/** Where the people of a domain sign in, whosever domain it is. */
export function findProviderOf(db: Db, domain: string): Promise<OrganizationProviderRow | undefined> {
  return unscoped(db)
    .selectFrom('organization_providers')
    .selectAll()
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** Whether any organization brings an identity provider of its own. */
export async function hasProviders(db: Db): Promise<boolean> {
  const row = await unscoped(db)
    .selectFrom('organization_providers')
    .select('domain')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
