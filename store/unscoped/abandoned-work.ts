import type { DiscoveryAgentRow, DiscoverySessionRow } from '../discovery-sessions.ts';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { MediaBuyRow } from '../media-buys.ts';

/** What a process left under way, whosever it is, for another one to take over. */

/** Before every moment: nothing is older. */
const NEVER = '';

/** Sessions that were collecting when their process died, or that it has forgotten: begun before `overdue`. */
export function listAbandonedSessions(db: Db, overdue: string): Promise<DiscoverySessionRow[]> {
  return unscoped(db)
    .selectFrom('discovery_sessions')
    .selectAll()
    .where('status', '=', 'collecting')
    .where((eb) =>
      eb.or([
        eb('owner', 'not in', eb.selectFrom('processes').select('processes.id')),
        eb('created_at', '<', overdue),
      ]),
    )
    .execute();
}

export function listSessionAgents(db: Db, sessionId: string): Promise<DiscoveryAgentRow[]> {
  return unscoped(db)
    .selectFrom('discovery_agents')
    .selectAll()
    .where('session_id', '=', sessionId)
    .orderBy('storefront_id')
    .orderBy('agent_id')
    .execute();
}

/**
 * Media buys whose order was on its way to the seller when their process died, or that have been on their way
 * since before `overdue`: then the answer came and could not be written.
 */
export function listAbandonedOrders(db: Db, overdue = NEVER): Promise<MediaBuyRow[]> {
  return unscoped(db)
    .selectFrom('media_buys')
    .selectAll()
    .where('submission', '=', 'sending')
    .where((eb) =>
      eb.or([
        eb('owner', 'not in', eb.selectFrom('processes').select('processes.id')),
        eb('updated_at', '<', overdue),
      ]),
    )
    .execute();
}
