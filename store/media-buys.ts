import type { Selectable, Updateable } from 'kysely';
import type { PacingPeriods } from './campaigns.ts';
import { byId } from './engine/by-id.ts';
import type { Flag, JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { prepared } from './engine/prepared.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { atVersion, type Change, inOrganization, nextVersion, ofAccount } from './engine/scoped.ts';
import type { DeliveredBeside, ShownTotal, SpentSoFar } from './media-buy-figures.ts';
import type { BuyGoal } from './media-buy-goals.ts';
import type { BuyPackage, BuyProduct } from './media-buy-packages.ts';

export const mediaBuyStatuses = [
  'DRAFT',
  'PENDING_APPROVAL',
  'INPUT_REQUIRED',
  'ACTIVE',
  'PAUSED',
  'COMPLETED',
  'CANCELED',
  'FAILED',
  'REJECTED',
  'ARCHIVED',
] as const;

/**
 * What is known of the last attempt to place the buy. `sending` is committed before the seller is called;
 * `unknown` says that the seller may or may not have taken the order.
 */
export const submissions = ['unsent', 'sending', 'answered', 'unknown'] as const;

export const errorCodes = [
  'product_no_longer_available',
  'source_rejected',
  'storefront_rejected',
  'source_unavailable',
  'invalid_request',
  'quote_expired',
  'platform_error',
] as const;
export const errorOwners = ['buyer_input', 'platform', 'seller'] as const;
export const pendingReasons = [
  'awaiting_storefront_approval',
  'awaiting_source_moderation',
  'creative_processing_at_source',
  'awaiting_creative_approval',
  'no_creatives_attached',
  'source_rejected_creatives',
  'forward_failed_retrying',
  'forward_failed_needs_correction',
  'accepted_awaiting_trafficking',
  'scheduled_not_started',
] as const;

export type MediaBuyStatus = (typeof mediaBuyStatuses)[number];

export interface MediaBuyTable {
  id: string;
  organization_id: number;
  customer_id: number;
  advertiser_id: number;
  campaign_id: string;
  agent_id: string;
  agent_name: string;
  storefront_id: number;
  name: string;
  status: MediaBuyStatus;
  start_time: string;
  end_time: string;
  budget_minor: number;
  currency: string;
  sandbox: Flag;
  /** The part of its budget that is a fee, in hundredths of a percent; the rest is the seller's. */
  fee_bps: number;
  products: JsonText<readonly BuyProduct[]>;
  packages: JsonText<readonly BuyPackage[]>;
  /** Periods of its own; null: those of its campaign. */
  pacing_periods: JsonText<PacingPeriods> | null;
  /** Goals of its own; null: those of its campaign. */
  optimization_goals: JsonText<readonly BuyGoal[]> | null;
  order_payload: string;
  attempt: number;
  submission: (typeof submissions)[number];
  owner: string | null;
  /** How often the order was sent again because nobody stored what came of it. */
  takeovers: number;
  adcp_media_buy_id: string | null;
  adcp_status: string | null;
  adcp_task_id: string | null;
  error_code: (typeof errorCodes)[number] | null;
  error_owner: (typeof errorOwners)[number] | null;
  source_message: string | null;
  /** Why its last report was not taken, or did not come; null where it was. */
  report_doubt: string | null;
  pending_reason: (typeof pendingReasons)[number] | null;
  pending_since: string | null;
  impressions: number;
  spend_minor: number;
  clicks: number;
  performance_at: string | null;
  /** As it was when its pace last changed; null before it began. */
  spent_so_far: JsonText<SpentSoFar> | null;
  /** What the last report counts beside; null where none did. */
  delivered: JsonText<DeliveredBeside> | null;
  /** Since when it spends what is beyond the daily cap of its campaign, because it began late; null elsewhere. */
  began_late_at: string | null;
  /** The total that its seller shows where it lists no packages: data from outside, and no money of ours. */
  shown_total: JsonText<ShownTotal> | null;
  /** What its seller shows where that was not ordered, of ends a day or more; null where it was, or is not told. */
  shown_start: string | null;
  shown_end: string | null;
  /** The fields that its seller, which lists it more than once, does not show alike; null where there are none. */
  listed_apart: JsonText<readonly string[]> | null;
  /** Since when it is over, as long as its seller may still report figures of it; null before, and once they stand. */
  figures_awaited_since: string | null;
  /** Of one that is held: what was spent when it was; null elsewhere. */
  held_spend_minor: number | null;
  /** Whether its seller called the last figures that were taken final. */
  figures_final: Flag;
  /** When its seller first reported since what is owed of it; null until then, and while it goes on. */
  figures_reported_at: string | null;
  /** Since when its seller says that it does not have it; null where it has, or was not heard. */
  unfound_since: string | null;
  /** Since when its seller shows it as one that goes on, although it had been over; null elsewhere. */
  goes_on_since: string | null;
  version: number;
  valid_from: string;
  updated_by: string | null;
  updated_reason: string | null;
  suggestion_id: string | null;
  /** Counts what a version is made of: what was agreed and where it stands, not what was delivered. */
  revision: number;
  /**
   * Counts what a caller may have decided on: each version, each word of its seller about where it stands, each change
   * that was asked of it and each that came to its end.
   */
  edition: number;
  /** When the seller took the order. */
  forwarded_at: string | null;
  /** What the seller says may be done with the buy; null where it says nothing of it. */
  valid_actions: JsonText<readonly string[]> | null;
  created_at: string;
  updated_at: string;
  archived_at: string | null;
}

export type MediaBuyRow = Selectable<MediaBuyTable>;

declare module './engine/database.ts' {
  interface Database {
    media_buys: MediaBuyTable;
  }
}

export async function insertMediaBuy(
  db: Db,
  scope: Scope,
  buy: Omit<MediaBuyRow, 'organization_id' | 'customer_id'>,
): Promise<MediaBuyRow> {
  return db.insertInto('media_buys').values(ofAccount(scope, buy)).returningAll().executeTakeFirstOrThrow();
}

const one = byId((db) => db.selectFrom('media_buys').selectAll());

/** A media buy of an organization, whether or not the caller's grants reach it. */
export function findMediaBuy(db: Db, tenant: Tenant, id: string): Promise<MediaBuyRow | undefined> {
  return one(db, tenant, id);
}

const ofCampaign = prepared(
  (db, { organizationId, campaignId }: { organizationId: number; campaignId: string }) =>
    db
      .selectFrom('media_buys')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('campaign_id', '=', campaignId)
      .orderBy('created_at')
      .orderBy('id'),
);

/** The buys of a campaign, in the order in which they were made. */
export function listMediaBuys(db: Db, scope: Scope, campaignId: string): Promise<MediaBuyRow[]> {
  return ofCampaign.all(db, { organizationId: scope.organizationId, campaignId });
}

/** Writes the changes if nobody wrote in between; undefined when somebody did. */
export function updateMediaBuy(
  db: Db,
  tenant: Tenant,
  change: Change<string, Updateable<MediaBuyTable>>,
): Promise<MediaBuyRow | undefined> {
  return db
    .updateTable('media_buys')
    .set(nextVersion(change))
    .$call(inOrganization(tenant))
    .$call(atVersion(change))
    .returningAll()
    .executeTakeFirst();
}
