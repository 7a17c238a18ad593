import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { tenantOfRow } from '../../../../store/engine/scope.ts';
import { lockCampaign, moveCampaign } from '../../../../store/held-campaigns.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';

/**
 * Which writes of a media buy make another version of its campaign: a change of the campaign changes its media buys as
 * well, and must not undo unseen what somebody else made of them.
 */

/** Who writes what a seller tells of, and what time makes of a buy. */
const NEWS: ReadonlySet<string> = new Set(['seller', 'service']);

interface BuyWritten {
  readonly columns: Partial<MediaBuyRow>;
  readonly by: string;
  /** Whether it makes another version of the buy. */
  readonly isVersion: boolean;
  readonly now: string;
}

/**
 * What moves the campaign of a buy on once that is written: nothing, where somebody else wrote first. The campaign is
 * held from now on: whoever holds both holds it first.
 */
export async function movingWith(
  db: Db,
  buy: MediaBuyRow,
  { columns, by, isVersion, now }: BuyWritten,
): Promise<() => Promise<void>> {
  const isMoved = isVersion && (NEWS.has(by) ? isOnOtherTerms(buy, { ...buy, ...columns }) : true);
  if (!isMoved) return () => Promise.resolve();
  const tenant = tenantOfRow(buy);
  await lockCampaign(db, tenant, buy.campaign_id);
  return () => moveCampaign(db, tenant, { id: buy.campaign_id, now });
}

/**
 * Whether anything is another that callers ask for. Not where a buy stands, nor what its seller shows beside the terms
 * and what was spent: a seller that reports now and then would make what its buyers read stale each time.
 */
function isOnOtherTerms(before: MediaBuyRow, after: MediaBuyRow): boolean {
  return termsOf(before) !== termsOf(after);
}

function termsOf({ start_time, end_time, packages }: MediaBuyRow): string {
  return JSON.stringify([start_time, end_time, fromJson(packages).map(askedOf)]);
}

function askedOf(one: BuyPackage) {
  const { package_id, product_id, budget_minor, pacing, bid_price, start_time, end_time } = one;
  const { targeting_overlay, paused, canceled } = one;
  return [
    ...[package_id, product_id, budget_minor, pacing, bid_price, start_time, end_time],
    ...[targeting_overlay, paused, canceled],
  ];
}
