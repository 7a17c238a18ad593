import type { CampaignStatus } from './campaigns.ts';
import type { Db } from './engine/db.ts';
import type { Scope } from './engine/scope.ts';
import type { MediaBuyStatus } from './media-buys.ts';

/** A campaign of which media buys live: its seller holds each, or nobody knows whether it does. */
export interface LivingCampaign {
  readonly id: string;
  readonly name: string;
  readonly status: CampaignStatus;
  /** How many of its media buys live. */
  readonly living: number;
}

interface Wanted {
  readonly advertiserId: number;
  /** Statuses of media buys that live. */
  readonly open: readonly MediaBuyStatus[];
  readonly limit: number;
}

/**
 * The campaigns of an advertiser of which media buys live, the oldest first, and how many they are in all. Served by
 * `campaigns_by_advertiser`, and for the media buys of each by `media_buys_by_campaign`.
 */
export async function listLiving(
  db: Db,
  scope: Scope,
  { advertiserId, open, limit }: Wanted,
): Promise<{ readonly rows: LivingCampaign[]; readonly total: number }> {
  // Crossed, not joined: SQLite then begins with the campaigns, and not with every media buy of the organization.
  const living = db
    .selectFrom('campaigns')
    .crossJoin('media_buys')
    .whereRef('media_buys.campaign_id', '=', 'campaigns.id')
    .where('campaigns.organization_id', '=', scope.organizationId)
    .where('campaigns.customer_id', '=', scope.customerId)
    .where('campaigns.advertiser_id', '=', advertiserId)
    .where('media_buys.organization_id', '=', scope.organizationId)
    .where((eb) =>
      eb.or([eb('media_buys.status', 'in', open), eb('media_buys.submission', 'in', ['sending', 'unknown'])]),
    );
  const rows = await living
    .select(({ fn }) => [
      'campaigns.id',
      'campaigns.name',
      'campaigns.status',
      fn.count('media_buys.id').as('living'),
    ])
    .groupBy(['campaigns.id', 'campaigns.name', 'campaigns.status'])
    .orderBy('campaigns.id')
    .limit(limit)
    .execute();
  if (rows.length < limit) return { rows: rows.map(counted), total: rows.length };
  const { total } = await living
    .select(({ fn }) => fn.count('campaigns.id').distinct().as('total'))
    .executeTakeFirstOrThrow();
  return { rows: rows.map(counted), total: Number(total) };
}

function counted<R extends { readonly living: number | string | bigint }>(row: R) {
  return { ...row, living: Number(row.living) };
}
