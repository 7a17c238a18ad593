import { type CampaignRow, findCampaign } from '../../../../store/campaigns.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { type Scope, scopeOfRow } from '../../../../store/engine/scope.ts';
import { lockCampaign } from '../../../../store/held-campaigns.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import { beyondCapInWords, cappedCampaign, TAKE_LESS } from './beyond-cap.ts';
import { isSpending } from './pace.ts';

/**
 * Media buys that begin to spend later than they were reckoned with when they were ordered, or let go on: their seller
 * took its time, or waited for creatives. It has accepted by then, and nobody can take that back: the buyer is told.
 */

/**
 * What a buy takes a day by now beside those that spend, in words, where that is beyond the cap; undefined elsewhere.
 */
async function beyondWith(
  db: Db,
  buy: MediaBuyRow,
  { now, find }: { readonly now: string; readonly find?: typeof findCapped },
): Promise<string | undefined> {
  const campaign = await cappedCampaign(db, buy, find);
  if (campaign === undefined) return undefined;
  const tenant = scopeOfRow(buy);
  // What waits for a seller is told of when that has decided: it may come to nothing, or to something smaller.
  const others = (await listMediaBuys(db, tenant, campaign.id)).filter(
    (other) => other.id !== buy.id && isSpending(other),
  );
  const before = { buys: others, open: [] };
  return beyondCapInWords(campaign, { before, after: { ...before, buys: [...others, buy] } }, now);
}

/** A campaign, held where it has a daily cap: of two media buys that begin at once one counts the other. */
async function findCapped(db: Db, scope: Scope, id: string): Promise<CampaignRow | undefined> {
  const campaign = await findCampaign(db, scope, id);
  const hasNone = (campaign?.daily_cap_minor ?? null) === null;
  return hasNone ? campaign : lockCampaign(db, scope, id);
}

/** What is kept of it with a change of the pace of a buy: told once, and until something has mended it. */
export async function lateBeginning(
  db: Db,
  before: MediaBuyRow,
  { after, now }: { readonly after: MediaBuyRow; readonly now: string },
): Promise<Pick<MediaBuyRow, 'began_late_at'>> {
  const { began_late_at: since } = before;
  if (!isSpending(after)) return { began_late_at: null };
  const begins = !isSpending(before);
  if (!begins && since === null) return { began_late_at: null };
  const beyond = await beyondWith(db, after, { now, ...(begins ? { find: findCapped } : {}) });
  return { began_late_at: beyond === undefined ? null : (since ?? now) };
}

/** How a buy that began late stands by now, and what to do; undefined where that is mended. */
export async function beganLate(db: Db, buy: MediaBuyRow, now: string): Promise<string | undefined> {
  if (buy.began_late_at === null) return undefined;
  const beyond = await beyondWith(db, buy, { now });
  return beyond === undefined
    ? undefined
    : `It began later than it was reckoned with: ${beyond} ${TAKE_LESS}`;
}
