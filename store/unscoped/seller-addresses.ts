import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** Where a seller is called, and on whose behalf. */
export interface SellerAddress {
  readonly organization_id: number;
  readonly endpoint_url: string;
}

/** The addresses of active sources, each once an organization; so many of them. */
export async function listSellerAddresses(db: Db, limit: number): Promise<SellerAddress[]> {
  const rows = await unscoped(db)
    .selectFrom('inventory_sources')
    .select(['organization_id', 'endpoint_url'])
    .distinct()
    .where('status', '=', 'ACTIVE')
    .where('endpoint_url', 'is not', null)
    .orderBy('organization_id')
    .orderBy('endpoint_url')
    .limit(limit)
    .execute();
  return rows.flatMap(({ organization_id, endpoint_url }) =>
    endpoint_url === null ? [] : [{ organization_id, endpoint_url }],
  );
}
