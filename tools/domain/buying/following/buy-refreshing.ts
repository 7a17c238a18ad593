import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { listGivenWay, listOpenChangesOf } from '../../../../store/media-buy-changes.ts';
import { findMediaBuy, type MediaBuyRow } from '../../../../store/media-buys.ts';
import { findSeller } from '../../../../store/unscoped/market.ts';
import type { Actor } from '../../../core/context.ts';
import { nowOf } from '../../../core/moments.ts';
import { withinSellerTimeout } from '../../sellers/deadline.ts';
import { noteRefusal } from '../../sellers/last-failures.ts';
import { SellerError } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { awaitedUntil } from '../answers/awaited-figures.ts';
import { afterReport, type BuyChange, isRefreshed } from '../answers/buy-status.ts';
import { afterLastReport } from '../answers/last-figures.ts';
import { sellersWords } from '../answers/told-words.ts';
import { livesThere } from '../answers/unfound-buys.ts';
import { afterNews } from '../campaign-settling.ts';
import { isAwaited, isUnresolved } from '../machines.ts';
import { isNews, storeChange } from '../orders/buy-writing.ts';
import { orderIn } from '../payloads.ts';
import { mediaBuyKind } from '../reach.ts';
import { type OwnedBy, serviceActor } from '../service-actor.ts';
import { boundNow } from '../spend/change-commitments.ts';
import { afterTime, isOverdue } from '../standing/buy-time.ts';
import { changesOfBuy } from './buy-difference.ts';
import { loggedBuy, loggedFigures } from './buy-entry.ts';
import { followBuys } from './campaign-following.ts';
import { type Asking, followOrder, POLL, refreshChanges } from './change-refreshing.ts';

/** Where the status of a buy comes from. */
export const refreshSources = [
  'direct_agent',
  'not_submitted',
  'persisted_terminal',
  'refresh_failed',
] as const;

/** A buy before and after its seller was asked. */
export interface Refreshed {
  readonly before: MediaBuyRow;
  readonly after: MediaBuyRow;
  readonly source: (typeof refreshSources)[number];
  readonly error?: string;
  /** What kind of failure it is. */
  readonly code?: SellerError['reason'];
}

/**
 * Asks the seller where a buy stands, if it can still have news, and stores what it says. One whose time is long over
 * is ended after that, whatever came of it.
 */
export async function refreshBuy(ctx: Asking, buy: MediaBuyRow): Promise<Refreshed> {
  const heard = await heardOf(ctx, buy);
  return { ...heard, after: await endedByTime(ctx, heard.after) };
}

async function endedByTime(ctx: Asking, buy: MediaBuyRow): Promise<MediaBuyRow> {
  const { ports, limits } = ctx.services;
  const now = nowOf(ports.clock);
  if (isAwaited(buy)) return withoutFigures(ctx, buy, now);
  if (!isOverdue(buy, { now, graceMs: limits.endGraceMs })) return buy;
  // It is to run on, and its seller has yet to say so; also where it was to end, of which nobody has heard either.
  if ((await mayComeTrue(ctx, buy)).some(({ proposed }) => (fromJson(proposed).end_time ?? now) > now))
    return buy;
  const actor = newsActor(ctx, buy, 'Flight is over');
  const ended = await keep(ctx, buy, { change: afterTime(buy), actor, updatedBy: 'service' });
  const { write } = actor;
  return ended === undefined ? buy : refreshChanges(ctx, ended, { report: undefined, write });
}

/** The figures that were waited for long enough are its last: what they leave of its budget is released. */
async function withoutFigures(ctx: Asking, buy: MediaBuyRow, now: string): Promise<MediaBuyRow> {
  const until = awaitedUntil(buy, ctx.services.limits.endGraceMs);
  if (until === undefined || until > now) return buy;
  const actor = newsActor(ctx, buy, 'Figures are final');
  const change = { figures_awaited_since: null };
  return (await keep(ctx, buy, { change, actor, updatedBy: 'service' })) ?? buy;
}

/** What waits, and what gave way to it and stands again where that is refused. */
async function mayComeTrue({ db, scope }: Asking, { id: mediaBuyId }: MediaBuyRow) {
  const open = await listOpenChangesOf(db, scope, { mediaBuyId });
  const before = await Promise.all(open.map((one) => listGivenWay(db, scope, one)));
  return [...open, ...before.flat()];
}

async function heardOf(ctx: Asking, buy: MediaBuyRow): Promise<Refreshed> {
  const submitted = buy.adcp_media_buy_id !== null || buy.adcp_task_id !== null;
  if (!submitted) {
    // What waited for an order that came to nothing ends with it, also where whoever heard of that died.
    const after = await followOrder(ctx, buy, newsActor(ctx, buy).write);
    return { before: buy, after, source: 'not_submitted' };
  }
  if (!isRefreshed(buy) && !isAwaited(buy)) {
    const { write } = newsActor(ctx, buy);
    const after = await refreshChanges(ctx, buy, { report: undefined, write });
    return { before: buy, after, source: 'persisted_terminal' };
  }
  try {
    return { before: buy, after: await askAgain(ctx, buy), source: 'direct_agent' };
  } catch (error) {
    if (!(error instanceof SellerError)) throw error;
    const after = error.isNotThere ? await asUnfound(ctx, buy) : buy;
    return { before: buy, after, source: 'refresh_failed', error: error.message, code: error.reason };
  }
}

/** Kept once, and taken back with the next that its seller tells of it. */
async function asUnfound(ctx: Asking, buy: MediaBuyRow): Promise<MediaBuyRow> {
  if (!livesThere(buy) || buy.unfound_since !== null) return buy;
  const change = { unfound_since: nowOf(ctx.services.ports.clock) };
  return (await keep(ctx, buy, { change, actor: newsActor(ctx, buy), updatedBy: 'seller' })) ?? buy;
}

async function askAgain(ctx: Asking, buy: MediaBuyRow): Promise<MediaBuyRow> {
  const { services } = ctx;
  const row = await findSeller(ctx.db, ctx.scope, buy.agent_id);
  if (row === undefined) throw new SellerError('error', 'The seller has left the marketplace.');
  const { party } = orderIn(buy);
  const reference = { party, mediaBuyId: buy.adcp_media_buy_id, taskId: buy.adcp_task_id };
  const seller = asSeller(row);
  const report = await withinSellerTimeout(services, ctx.signal, (signal) =>
    services.ports.sellers.getMediaBuy(seller, reference, signal),
  );
  await noteRefusal(services, { seller, task: 'create_media_buy', party }, report);
  const now = nowOf(services.ports.clock);
  const boundMinor = await boundNow(ctx.db, buy);
  const heard = isAwaited(buy) ? afterLastReport : afterReport;
  const after = await afterHearing(ctx, buy, heard(buy, report, { now, boundMinor }));
  // What was told is another order's.
  if (isUnresolved(after)) return after;
  const { write } = newsActor(ctx, buy);
  return refreshChanges(ctx, after, { report: report.kind === 'buy' ? report : undefined, write });
}

async function afterHearing(ctx: Asking, buy: MediaBuyRow, change: BuyChange): Promise<MediaBuyRow> {
  if (!isNews(buy, change)) return buy;
  const actor = newsActor(ctx, buy);
  const stored = await keep(ctx, buy, { change, actor, updatedBy: 'seller' });
  // Undefined when somebody else wrote first: then their word stands.
  return stored ?? (await findMediaBuy(ctx.db, ctx.scope, buy.id)) ?? buy;
}

/** News is the seller's doing and not the caller's, who only asked: the audit log says so. */
function newsActor(
  { services, requestId, asked }: Asking,
  owner: OwnedBy,
  title = 'News from the seller',
): Actor {
  const tool = asked?.tool ?? POLL;
  return serviceActor(services, owner, { tool, title, action: 'UPDATE', kind: mediaBuyKind, requestId });
}

/** What the news of its buys makes of a campaign. */
export async function settleByNews(
  ctx: Asking,
  campaign: CampaignRow,
  buys: readonly MediaBuyRow[],
): Promise<CampaignRow['status']> {
  const isSettled = afterNews(campaign, buys) === campaign.status;
  if (isSettled && campaign.waiting_limits === null) return campaign.status;
  const { write, now } = newsActor(ctx, campaign);
  return (await followBuys(write, ctx.scope, { id: campaign.id, now })) ?? campaign.status;
}

interface News {
  readonly change: BuyChange;
  readonly actor: Actor;
  readonly updatedBy: 'seller' | 'service';
}

async function keep(
  { services: { limits } }: Asking,
  buy: MediaBuyRow,
  { change, actor, updatedBy }: News,
): Promise<MediaBuyRow | undefined> {
  return actor.write(
    (tx) => storeChange(tx, buy, { limits, change, now: actor.now, updatedBy }),
    // Whoever came first has told it, and what changes nothing that is told is none.
    (stored) => {
      const changes = stored === undefined ? {} : changesOfBuy(buy, stored, told);
      if (Object.keys(changes).length === 0) return undefined;
      const { id, name, advertiser_id: advertiserId } = buy;
      return { resourceId: id, resourceName: name, advertiserId, changes };
    },
  );
}

/** What readers of the log look for, in the words and units of the record. */
function told(buy: MediaBuyRow): Record<string, unknown> {
  return {
    ...loggedFigures(buy),
    ...loggedBuy(buy),
    'adcp.media_buy_id': buy.adcp_media_buy_id,
    'adcp.status': buy.adcp_status,
    sourceMessage: sellersWords(buy) ?? null,
    pendingReason: buy.pending_reason,
    errorCode: buy.error_code,
    notFoundSince: buy.unfound_since,
  };
}
