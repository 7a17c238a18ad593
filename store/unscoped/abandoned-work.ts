import { sql } from 'kysely';
import type { CampaignRow } from '../campaigns.ts';
import type { DiscoveryAgentRow, DiscoverySessionRow } from '../discovery-sessions.ts';
import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { MediaBuyChangeRow } from '../media-buy-changes.ts';
import type { MediaBuyRow } from '../media-buys.ts';

/** What a process left under way, whosever it is, for another one to take over. */

/** States of a campaign whose flight can end, as the index `campaigns_by_flight_end` has them. */
const RUNNING = ['ACTIVE', 'PAUSED'] as const;

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
        eb(eb.fn.coalesce('asked_at', 'created_at'), '<', overdue),
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

/**
 * Campaigns whose flight was over before a moment, the first of them first. Those with an order of which nobody
 * knows what became of it are left open. Served by `campaigns_by_flight_end`.
 */
export function listEndedCampaigns(
  db: Db,
  { now, limit }: { now: string; limit: number },
): Promise<CampaignRow[]> {
  return (
    unscoped(db)
      .selectFrom('campaigns')
      .selectAll()
      // As they stand in the index: it serves nobody who asks for states by a parameter.
      .where(
        'status',
        'in',
        RUNNING.map((status) => sql.lit(status)),
      )
      .where('end_at', '<=', now)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('media_buys')
              .select('media_buys.id')
              .whereRef('media_buys.organization_id', '=', 'campaigns.organization_id')
              .whereRef('media_buys.campaign_id', '=', 'campaigns.id')
              .where('media_buys.submission', 'in', ['sending', 'unknown']),
          ),
        ),
      )
      .orderBy('end_at')
      .limit(limit)
      .execute()
  );
}

/**
 * Changes of media buys that were on their way to the seller when their process died, that have been on their way
 * since before `overdue`, or whose answer was lost before then and that were not sent again so often.
 */
export function listAbandonedChanges(
  db: Db,
  { overdue, takeovers }: { overdue: string; takeovers: number },
): Promise<MediaBuyChangeRow[]> {
  return unscoped(db)
    .selectFrom('media_buy_changes')
    .selectAll()
    .where('state', 'in', ['sending', 'unknown'])
    .where((eb) =>
      eb.or([
        eb.and([
          eb('state', '=', 'sending'),
          eb('owner', 'not in', eb.selectFrom('processes').select('processes.id')),
        ]),
        eb.and([eb('state', '=', 'sending'), eb('updated_at', '<', overdue)]),
        eb.and([eb('updated_at', '<', overdue), eb('takeovers', '<', takeovers)]),
      ]),
    )
    .execute();
}
