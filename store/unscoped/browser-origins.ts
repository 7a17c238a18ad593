import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** The organizations that have named an origin as their own, asked before anybody is known. */
export async function findOrganizationsOfOrigin(db: Db, origin: string): Promise<number[]> {
  const rows = await unscoped(db)
    .selectFrom('browser_origins')
    .select('organization_id')
    .where('origin', '=', origin)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}
