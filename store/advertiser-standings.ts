import type { CampaignStatus } from './campaigns.ts';
import type { Db } from './engine/db.ts';
import { isOneOf } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount } from './engine/scoped.ts';
import type { MediaBuyStatus } from './media-buys.ts';

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
