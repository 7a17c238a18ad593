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

/** Media buys that are failed, though their sellers named them. Served by `media_buys_failed_and_named`. */
export function listNamedFailures(db: Db, limit: number): Promise<MediaBuyRow[]> {
  return unscoped(db)
    .selectFrom('media_buys')
    .selectAll()
    .where('status', '=', 'FAILED')
    .where('adcp_media_buy_id', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute();
}

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
 * Media buys whose order was on its way to the seller when their process died, or was laid down by it, or that have
 * been on their way since before `overdue`: then the answer came and could not be written.
 */
export function listAbandonedOrders(db: Db, overdue: string): Promise<MediaBuyRow[]> {
  return unscoped(db)
    .selectFrom('media_buys')
    .selectAll()
    .where('submission', '=', 'sending')
    .where((eb) =>
      eb.or([
        eb('owner', 'is', null),
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

/** Where a look at the campaigns that run is, in the order of the ends of their flights. */
export type CampaignPlace = Pick<CampaignRow, 'end_at' | 'id'>;

/** A campaign that runs, with how many media buys it has, and how many of them live or were written lately. */
export type WatchedCampaign = CampaignRow & { readonly buys: number; readonly living: number };

interface Watch {
  readonly after: CampaignPlace;
  /** Statuses of media buys that live. */
  readonly open: readonly MediaBuyRow['status'][];
  /** Since when a media buy was written lately: whoever did so may be about to move its campaign on. */
  readonly since: string;
  readonly limit: number;
}

/** The next of the campaigns that run, behind a place. Served by `campaigns_by_flight_end`. */
export async function listRunningCampaigns(
  db: Db,
  { after, open, since, limit }: Watch,
): Promise<WatchedCampaign[]> {
  const rows = await unscoped(db)
    .selectFrom('campaigns')
    .selectAll()
    .select(({ selectFrom }) => {
      const buys = selectFrom('media_buys')
        .select(({ fn }) => fn.countAll().as('count'))
        .whereRef('media_buys.organization_id', '=', 'campaigns.organization_id')
        .whereRef('media_buys.campaign_id', '=', 'campaigns.id');
      const living = buys.where((eb) =>
        eb.or([
          eb('media_buys.status', 'in', open),
          eb('media_buys.submission', 'in', ['sending', 'unknown']),
          eb('media_buys.updated_at', '>=', since),
        ]),
      );
      return [buys.as('buys'), living.as('living')];
    })
    .where(
      'status',
      'in',
      RUNNING.map((status) => sql.lit(status)),
    )
    .where('end_at', '>=', after.end_at)
    .where((eb) => eb.or([eb('end_at', '>', after.end_at), eb('id', '>', after.id)]))
    .orderBy('end_at')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, buys: Number(row.buys), living: Number(row.living) }));
}

/**
 * Changes of media buys that were on their way to the seller when their process died or laid them down, that have been
 * on their way since before `overdue`, or whose answer was lost before then and that were not sent again so often.
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
        eb.and([eb('state', '=', 'sending'), eb('owner', 'is', null)]),
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
