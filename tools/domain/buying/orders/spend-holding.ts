import type { CampaignRow } from '../../../../store/campaigns.ts';
import { listSelections } from '../../../../store/discovery-selections.ts';
import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import { isOver, lockCampaign, lockMediaBuy } from '../../../../store/held-campaigns.ts';
import { listOpenChanges, type MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { staleWrite } from '../../../core/errors/refusals.ts';
import { requireAllowed } from '../../approvals/waiting.ts';
import { type Done, withdrawDone } from '../../approvals/withdrawing.ts';
import { isLive } from '../machines.ts';
import { orderIn, updateIn } from '../payloads.ts';
import { campaignKind, mediaBuyKind } from '../reach.ts';
import { commitChanges, countedMinor, raisesAmong } from '../spend/change-commitments.ts';
import { commitOrders, type Sending } from './order-storing.ts';

/** What waits for another person: orders, raises and reactivations that leave a campaign above the limit. */

/** Orders that go out anew. One that its seller may have taken was allowed when it first went out. */
export async function requireOrdersAllowed(
  tx: Db,
  ctx: Context,
  { campaign, sending }: { campaign: CampaignRow; sending: readonly Sending[] },
): Promise<void> {
  const spending = sending.filter(({ buy, repeat }) => !repeat && !fromFlag(buy.sandbox));
  if (spending.length === 0) return;
  const { currency, id: campaignId, version } = campaign;
  const done: Done = { spends: 'orders' };
  await requireAllowed(tx, ctx, {
    currency,
    bind: () => commitOrders(tx, ctx, sending),
    spendOf: async () => ({
      advertiserId: campaign.advertiser_id,
      campaignId,
      mediaBuyId: null,
      revision: version,
      currency,
      amountMinor: await heldBy(tx, ctx, campaignId),
      does: {
        from: campaign.start_at,
        to: campaign.end_at,
        orders: spending.map((one) => orderOf(one, campaign)).sort(),
        ...(isCapped(campaign) ? { capped: await cappedBy(tx, ctx, campaign) } : {}),
      },
      done,
      keys: sending.map(({ buy }) => orderIn(buy).idempotencyKey),
      hold: async (asking) => {
        const held = await lockCampaign(asking, ctx.scope, campaignId);
        // Somebody else may have executed it: it is read anew, and asked for as it is then.
        if (held?.version !== version) throw staleWrite(campaignKind);
      },
    }),
  });
  await withdrawDone(tx, ctx.scope, { campaignId, done, now: ctx.now });
}

/**
 * Of an order what makes it the one it is: its key and a start that is now are made anew each time. When packages
 * begin, the periods say of which they are.
 */
function orderOf({ buy }: Sending, campaign: CampaignRow): string {
  const { idempotencyKey: _, startTime: __, ...order } = orderIn(buy);
  const sent = order.packages.map(({ gross_minor: ___, start_time: ____, ...one }) => one);
  const packages = isCapped(campaign) ? sent.map(({ budget: _____, ...one }) => one) : sent;
  const periods = buy.pacing_periods ?? campaign.pacing_periods;
  return JSON.stringify([
    buy.agent_id,
    isCapped(campaign) ? { fee: buy.fee_bps } : buy.budget_minor,
    { ...order, packages },
    ...(periods === null ? [] : [periods]),
  ]);
}

/** Whether what its orders come to falls with what is left of its flight. */
function isCapped({ daily_cap_minor: cap }: CampaignRow): boolean {
  return cap !== null;
}

/** What the budgets of these orders are made of, whenever that is. */
async function cappedBy(tx: Db, { scope }: Context, { daily_cap_minor: cap, discovery_id: id }: CampaignRow) {
  const chosen = id === null ? [] : await listSelections(tx, scope, id);
  const own = chosen.map((one) => JSON.stringify([one.agent_id, one.product_id, one.budget_minor]));
  return { cap, own: own.sort() };
}

/** Raises, and buys that go on after a pause. What was asked of the same buys has nobody waiting for it then. */
export async function requireChangesAllowed(tx: Db, ctx: Context, recorded: Recorded): Promise<void> {
  await requireRaisesAllowed(tx, ctx, recorded);
  const [first] = recorded;
  if (first === undefined) return;
  const { campaign_id: campaignId } = first.buy;
  for (const done of doneBy(recorded)) await withdrawDone(tx, ctx.scope, { campaignId, done, now: ctx.now });
}

type Recorded = Parameters<typeof raisesAmong>[0];

/** What changes do that a spend may wait for: a lower budget takes the place of a raise as well. */
function doneBy(recorded: Recorded): Done[] {
  const idsOf = (which: Recorded) => which.map(({ buy }) => buy.id);
  const resumed = recorded.filter(({ change }) => change.action === 'resume');
  const priced = recorded.filter(({ change }) => fromJson(change.proposed).budget_minor !== undefined);
  return [
    { spends: 'going on', mediaBuyIds: idsOf(resumed) },
    { spends: 'budget', mediaBuyIds: idsOf(priced) },
  ];
}

async function requireRaisesAllowed(tx: Db, ctx: Context, recorded: Recorded): Promise<void> {
  const spending = raisesAmong(recorded).filter(({ buy }) => !fromFlag(buy.sandbox));
  const [first, another] = spending;
  if (first === undefined) return;
  const { advertiser_id, campaign_id, currency, id, revision } = first.buy;
  await requireAllowed(tx, ctx, {
    currency,
    bind: () => commitChanges(tx, ctx, recorded),
    spendOf: async () => ({
      advertiserId: advertiser_id,
      campaignId: campaign_id,
      mediaBuyId: another === undefined ? id : null,
      revision,
      currency,
      amountMinor: await heldBy(tx, ctx, campaign_id),
      does: recorded.map(changeOf).sort(),
      done: {
        spends: spending.some(({ change }) => change.action !== 'resume') ? 'budget' : 'going on',
        mediaBuyIds: spending.map(({ buy }) => buy.id),
      },
      keys: recorded.map(({ change }) => updateIn(change).idempotencyKey),
      hold: (asking) =>
        holdLiving(
          asking,
          ctx,
          spending.map(({ buy }) => buy),
        ),
    }),
  });
}

function changeOf({ change }: { readonly change: MediaBuyChangeRow }): string {
  const { idempotencyKey: _, startTime: __, newPackages, ...asked } = updateIn(change);
  // Of a period that is under way what is added begins now.
  const added = newPackages?.map(({ start_time: ___, ...sent }) => sent);
  const told = added === undefined ? asked : { ...asked, newPackages: added };
  return JSON.stringify([change.media_buy_id, change.action, change.committed_minor, told]);
}

/** What all media buys of a campaign hold, with what was written in this transaction. */
async function heldBy(tx: Db, ctx: Context, campaignId: string): Promise<number> {
  // Changes first: one that its seller confirms in between counts twice then, and never not at all.
  const open = await listOpenChanges(tx, ctx.scope, { campaignId });
  const buys = await listMediaBuys(tx, ctx.scope, campaignId);
  return buys.reduce((sum, buy) => sum + countedMinor(buy, open), 0);
}

/** In the order in which whoever ends one holds them. */
async function holdLiving(
  tx: Db,
  { scope }: Context,
  buys: readonly Pick<MediaBuyRow, 'id' | 'campaign_id'>[],
): Promise<void> {
  const [first] = buys;
  const campaign = first && (await lockCampaign(tx, scope, first.campaign_id));
  if (campaign === undefined || isOver(campaign)) throw staleWrite(campaignKind);
  for (const id of buys.map((buy) => buy.id).sort()) {
    const buy = await lockMediaBuy(tx, scope, id);
    if (buy === undefined || !isLive(buy)) throw staleWrite(mediaBuyKind);
  }
}
