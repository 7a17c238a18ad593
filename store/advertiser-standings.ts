import type { ExpressionBuilder } from 'kysely';
import type { CampaignStatus } from './campaigns.ts';
import type { Database } from './engine/database.ts';
import type { Db } from './engine/db.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount } from './engine/scoped.ts';
import { type ChangeAction, openChangeStates } from './media-buy-changes.ts';
import type { MediaBuyRow, MediaBuyStatus } from './media-buys.ts';

/** Campaigns of an advertiser in one state. */
export interface CampaignStanding {
  readonly advertiser_id: number;
  readonly status: CampaignStatus;
  readonly count: number;
  /** What they may spend, in the currency of the advertiser. */
  readonly budget_minor: number;
}

/** Served by `campaigns_by_advertiser`. */
export async function sumCampaigns(
  db: Db,
  scope: Scope,
  advertiserIds: readonly number[],
): Promise<CampaignStanding[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select((eb) => [
      'advertiser_id',
      'status',
      eb.fn.countAll().as('count'),
      eb.fn.sum('budget_minor').as('budget_minor'),
    ])
    .$call(inAccount(scope))
    .where(isOneOf(db, 'advertiser_id', advertiserIds))
    .groupBy(['advertiser_id', 'status'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count), budget_minor: Number(row.budget_minor) }));
}

/** Media buys of an advertiser in one state. */
export interface BuyStanding {
  readonly advertiser_id: number;
  readonly status: MediaBuyStatus;
  readonly count: number;
}

/** Those of campaigns that go on. Served by `media_buys_by_customer`. */
export async function countBuys(
  db: Db,
  scope: Scope,
  { advertiserIds, statuses }: { advertiserIds: readonly number[]; statuses: readonly MediaBuyStatus[] },
): Promise<BuyStanding[]> {
  const rows = await db
    .selectFrom('media_buys')
    .innerJoin('campaigns', 'campaigns.id', 'media_buys.campaign_id')
    .select((eb) => ['media_buys.advertiser_id', 'media_buys.status', eb.fn.countAll().as('count')])
    .where('media_buys.organization_id', '=', scope.organizationId)
    .where('media_buys.customer_id', '=', scope.customerId)
    .where('media_buys.status', 'in', statuses)
    .where(isOneOf(db, 'media_buys.advertiser_id', advertiserIds))
    .where('campaigns.organization_id', '=', scope.organizationId)
    .where('campaigns.status', 'in', ['ACTIVE', 'PAUSED'])
    .groupBy(['media_buys.advertiser_id', 'media_buys.status'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/**
 * How many media buys of campaigns that go on have a change for which their sellers need something of the buyer first.
 * Those that wait for input themselves are counted as that. Served by `media_buy_changes_by_state`.
 */
export async function countAskedOfBuyers(
  db: Db,
  scope: Scope,
  advertiserIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('media_buy_changes')
    .innerJoin('media_buys', 'media_buys.id', 'media_buy_changes.media_buy_id')
    .innerJoin('campaigns', 'campaigns.id', 'media_buy_changes.campaign_id')
    .select((eb) => [
      'media_buy_changes.advertiser_id',
      eb.fn.count('media_buy_changes.media_buy_id').distinct().as('count'),
    ])
    .where('media_buy_changes.organization_id', '=', scope.organizationId)
    .where('media_buy_changes.customer_id', '=', scope.customerId)
    .where('media_buy_changes.state', '=', 'waiting')
    .where('media_buy_changes.error_owner', '=', 'buyer_input')
    .where(isOneOf(db, 'media_buy_changes.advertiser_id', advertiserIds))
    .where('media_buys.organization_id', '=', scope.organizationId)
    .where('media_buys.status', '!=', 'INPUT_REQUIRED')
    .where('campaigns.organization_id', '=', scope.organizationId)
    .where('campaigns.status', 'in', ['ACTIVE', 'PAUSED'])
    .groupBy('media_buy_changes.advertiser_id')
    .execute();
  return new Map(rows.map((row) => [row.advertiser_id, Number(row.count)]));
}

/** Media buys of an advertiser that go on at their sellers though they, or their campaigns, were stopped. */
export interface RunningOn {
  readonly advertiser_id: number;
  readonly campaign_status: CampaignStatus;
  /** `unknown`: nobody knows whether its seller took the order. */
  readonly submission: MediaBuyRow['submission'];
  readonly count: number;
}

/**
 * Those whose time is not over, of campaigns that were called off or are held, or that had been over, where nothing
 * waits that is to stop them: of a stop that waits the seller is asked by itself, unless it took it and did nothing.
 * Served by `media_buys_by_customer`, and `media_buy_changes_by_buy`.
 */
export async function countRunningOn(
  db: Db,
  scope: Scope,
  {
    advertiserIds,
    open,
    now,
  }: { advertiserIds: readonly number[]; open: readonly MediaBuyStatus[]; now: string },
): Promise<RunningOn[]> {
  const rows = await db
    .selectFrom('media_buys')
    .innerJoin('campaigns', 'campaigns.id', 'media_buys.campaign_id')
    .select((eb) => [
      'media_buys.advertiser_id',
      'campaigns.status as campaign_status',
      'media_buys.submission',
      eb.fn.countAll().as('count'),
    ])
    .where('media_buys.organization_id', '=', scope.organizationId)
    .where('media_buys.customer_id', '=', scope.customerId)
    .where(isOneOf(db, 'media_buys.advertiser_id', advertiserIds))
    .where('campaigns.organization_id', '=', scope.organizationId)
    .where('media_buys.end_time', '>', now)
    .where((eb) => {
      const { and, not, or } = eb;
      const isToStop = (actions: readonly ChangeAction[]) => waitsToStop(eb, scope, actions);
      const isCalledOff = eb('campaigns.status', 'in', ['CANCELED', 'ARCHIVED']);
      return or([
        and([isCalledOff, eb('media_buys.submission', '=', 'unknown')]),
        and([isCalledOff, eb('media_buys.status', 'in', open), not(isToStop(['cancel', 'archive']))]),
        and([
          eb('campaigns.status', '=', 'PAUSED'),
          eb('media_buys.status', '=', 'ACTIVE'),
          not(isToStop(['pause', 'cancel', 'archive'])),
        ]),
        and([
          eb('campaigns.status', 'in', ['COMPLETED', 'ACTIVE']),
          eb('media_buys.goes_on_since', 'is not', null),
          eb('media_buys.status', 'in', open),
          not(isToStop(['cancel', 'archive'])),
        ]),
      ]);
    })
    .groupBy(['media_buys.advertiser_id', 'campaigns.status', 'media_buys.submission'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Whether a stop waits of a media buy: not one that its seller took and did not do. */
function waitsToStop(
  { exists, selectFrom }: ExpressionBuilder<Database, 'media_buys'>,
  scope: Scope,
  actions: readonly ChangeAction[],
) {
  return exists(
    selectFrom('media_buy_changes')
      .select('media_buy_changes.id')
      .whereRef('media_buy_changes.media_buy_id', '=', 'media_buys.id')
      .where('media_buy_changes.organization_id', '=', scope.organizationId)
      .where('media_buy_changes.state', 'in', openChangeStates)
      .where('media_buy_changes.action', 'in', actions)
      .where(({ eb, or }) =>
        // Of a media buy of which packages are called off the others go on.
        or([
          eb('media_buy_changes.action', '!=', 'cancel'),
          eb('media_buy_changes.proposed', 'not like', '%"packages":%'),
        ]),
      )
      .where(({ eb, or }) =>
        or([
          eb('media_buy_changes.state', '!=', 'waiting'),
          eb('media_buy_changes.error_code', 'is not', null),
          eb('media_buy_changes.error_owner', 'is', null),
          eb('media_buy_changes.error_owner', '!=', 'seller'),
        ]),
      ),
  );
}

/** How many spends of these advertisers wait for another person. Served by `spend_approvals_by_organization`. */
export async function countWaitingSpends(
  db: Db,
  scope: Scope,
  { advertiserIds, now }: { advertiserIds: readonly number[]; now: string },
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('spend_approvals')
    .select((eb) => ['advertiser_id', eb.fn.countAll().as('count')])
    .$call(inAccount(scope))
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .where(isOneOf(db, 'advertiser_id', advertiserIds))
    .groupBy('advertiser_id')
    .execute();
  return new Map(rows.map((row) => [row.advertiser_id, Number(row.count)]));
}
