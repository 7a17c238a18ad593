import { findCampaign } from '../../../../store/campaigns.ts';
import { scopeOfRow } from '../../../../store/engine/scope.ts';
import { listMediaBuys } from '../../../../store/media-buys.ts';
import { claimPoll, type DueBuy, listBuysToAsk } from '../../../../store/unscoped/media-buy-polls.ts';
import type { Services } from '../../../core/context.ts';
import { fromNow, nowOf } from '../../../core/moments.ts';
import { openStatuses } from '../machines.ts';
import { refreshBuy, settleByNews } from './buy-refreshing.ts';

/** Sellers asked at a time, and of one of them. */
const AT_ONCE = 16;
const PER_AGENT = 2;

/**
 * Asks sellers about buys that nobody has heard of for so long, one round of them; gives whether there may be
 * more. What they say is stored, told and logged as when a buyer asks.
 */
export async function pollBuys(
  services: Services,
  { everyMs, signal }: { readonly everyMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const { store, ports } = services;
  const before = fromNow(ports.clock, -everyMs);
  const due = await listBuysToAsk(store.db, {
    statuses: openStatuses,
    before,
    perAgent: PER_AGENT,
    limit: AT_ONCE,
  });
  await Promise.all(due.map((buy) => poll(services, buy, signal)));
  return due.length === AT_ONCE;
}

async function poll(services: Services, buy: DueBuy, signal: AbortSignal): Promise<void> {
  const { store, ports, processId, log } = services;
  const { db } = store;
  if (!(await claimPoll(db, buy, nowOf(ports.clock)))) return;
  const { asked_at: _, ...row } = buy;
  const scope = scopeOfRow(buy);
  const asking = { db, scope, services, signal, requestId: processId };
  try {
    const { before, after } = await refreshBuy(asking, row);
    const campaign = await findCampaign(db, scope, buy.campaign_id);
    if (campaign === undefined) return;
    if (after.status === before.status && campaign.waiting_limits === null) return;
    await settleByNews(asking, campaign, await listMediaBuys(db, scope, campaign.id));
  } catch (err) {
    // One that cannot be stored holds up none of the others.
    log.error({ err, mediaBuyId: buy.id }, 'asking about a media buy failed');
  }
}
