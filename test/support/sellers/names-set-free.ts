import { unscoped } from '../../../store/engine/unscoped.ts';
import type { TestServer } from '../server/server.ts';

/**
 * Has sellers call by other ids what earlier tests bought: no two orders of one seller have the same, and tests have
 * theirs answer every order alike. Of which seller, where it is not of all.
 */
export async function setNamesFree({ store: { db } }: TestServer, agentId?: string): Promise<void> {
  await unscoped(db)
    .updateTable('media_buys')
    .set(({ ref }) => ({ adcp_media_buy_id: ref('id') }))
    .where('adcp_media_buy_id', 'is not', null)
    .$if(agentId !== undefined, (query) => query.where('agent_id', '=', agentId ?? ''))
    .execute();
}
