import type { CampaignRow } from '../../../store/campaigns.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { listOpenChanges, type MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import { listMediaBuys } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { requireAllowed } from '../approvals/waiting.ts';
import type { BuyUpdate, Order } from '../sellers/port.ts';
import { countedMinor, raisesAmong } from './change-commitments.ts';
import type { Sending } from './order-placing.ts';

/** What waits for another person: orders, raises and reactivations that leave a campaign above the limit. */

/** Orders that go out anew. One that its seller may have taken was allowed when it first went out. */
export async function requireOrdersAllowed(
  tx: Db,
  ctx: Context,
  { campaign, sending }: { campaign: CampaignRow; sending: readonly Sending[] },
): Promise<void> {
  const spending = sending.filter(({ buy, repeat }) => !repeat && !fromFlag(buy.sandbox));
  if (spending.length === 0) return;
  const { currency } = campaign;
  await requireAllowed(tx, ctx, {
    currency,
    spendOf: async () => ({
      advertiserId: campaign.advertiser_id,
      campaignId: campaign.id,
      mediaBuyId: null,
      revision: campaign.version,
      currency,
      amountMinor: await heldBy(tx, ctx, campaign.id),
      does: { from: campaign.start_at, to: campaign.end_at, orders: spending.map(orderOf).sort() },
    }),
  });
}

/** Of an order what makes it the one it is: its key and a start that is now are made anew each time. */
function orderOf({ buy }: Sending): string {
  const { idempotencyKey: _, startTime: __, ...order } = fromJson<Order>(buy.order_payload);
  return JSON.stringify([buy.agent_id, buy.budget_minor, order]);
}

/** Raises, and buys that go on after a pause. */
export async function requireChangesAllowed(
  tx: Db,
  ctx: Context,
  recorded: Parameters<typeof raisesAmong>[0],
): Promise<void> {
  const spending = raisesAmong(recorded).filter(({ buy }) => !fromFlag(buy.sandbox));
  const [first, another] = spending;
  if (first === undefined) return;
  const { advertiser_id, campaign_id, currency, id, revision } = first.buy;
  await requireAllowed(tx, ctx, {
    currency,
    spendOf: async () => ({
      advertiserId: advertiser_id,
      campaignId: campaign_id,
      mediaBuyId: another === undefined ? id : null,
      revision,
      currency,
      amountMinor: await heldBy(tx, ctx, campaign_id),
      does: recorded.map(changeOf).sort(),
    }),
  });
}

function changeOf({ change }: { readonly change: MediaBuyChangeRow }): string {
  const { idempotencyKey: _, startTime: __, ...asked } = fromJson<BuyUpdate>(change.payload);
  return JSON.stringify([change.media_buy_id, change.action, change.committed_minor, asked]);
}

/** What all media buys of a campaign hold, with what was written in this transaction. */
async function heldBy(tx: Db, ctx: Context, campaignId: string): Promise<number> {
  // Changes first: one that its seller confirms in between counts twice then, and never not at all.
  const open = await listOpenChanges(tx, ctx.scope, { campaignId });
  const buys = await listMediaBuys(tx, ctx.scope, campaignId);
  return buys.reduce((sum, buy) => sum + countedMinor(buy, open), 0);
}
