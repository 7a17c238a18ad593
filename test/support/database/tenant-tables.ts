import { openStore } from '../../../store/open.ts';

/**
 * The tables whose rows belong to one organization, as the migrated tables themselves tell by their column: no
 * query on them goes without its scope.
 */
export const tenantTables: readonly string[] = await findTenantTables();

async function findTenantTables(): Promise<string[]> {
  const store = openStore('file::memory:');
  try {
    await store.migrate();
    const tables = await store.db.introspection.getTables();
    const owned = tables.filter(({ columns }) => columns.some(({ name }) => name === 'organization_id'));
    return owned.map(({ name }) => name).sort();
  } finally {
    await store.close();
  }
}
