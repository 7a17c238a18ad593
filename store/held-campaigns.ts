import type { CampaignRow } from './campaigns.ts';
import type { Db } from './engine/db.ts';
import type { Tenant } from './engine/scope.ts';
import { inOrganization } from './engine/scoped.ts';

/**
 * Holds a campaign until the transaction ends, so that what its media buys take is counted by one at a time, and gives
 * it as it is by then. It writes a column as it stands, because not every database can lock a row by reading it.
 */
export function lockCampaign(tx: Db, tenant: Tenant, id: string): Promise<CampaignRow | undefined> {
  return tx
    .updateTable('campaigns')
    .set((eb) => ({ version: eb.ref('version') }))
    .$call(inOrganization(tenant))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}
