import type { CampaignRow } from '../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { listOpenChanges } from '../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { reachAdvertiser } from '../advertisers/reach.ts';
import { requirePriced } from '../ledger/pricing.ts';
import type { Order } from '../sellers/port.ts';
import { ahead, committedMinor } from './allocation.ts';
import { isToBeSent } from './buy-status.ts';
import { asOne, problemsOf, warningsOf } from './choice-problems.ts';
import { isEndedThere, withoutEnded } from './ended-at-seller.ts';
import { feesFor, unpriced } from './fees.ts';
import { type NewBuy, ordersFor } from './order-making.ts';
import { placeOrders, type Sending, sameLines, sendAgain } from './order-placing.ts';
import { boughtAlready } from './rebuying.ts';

/** What an execute does with a campaign that was executed before. */
export interface Retry {
  readonly warnings: readonly string[];
  /** True where an order goes out that no seller has seen: it needs days to run. */
  readonly isNew: boolean;
  work(tx: Db): Promise<Sending[]>;
}

/**
 * What failed is sent again, as it was, or as the choice is now: a buy that was refused can be given other products,
 * and another seller can be chosen in its place. What lives is left as it is.
 */
export async function retryOf(
  ctx: Context,
  campaign: CampaignRow,
  { rebuy }: { rebuy: boolean },
): Promise<Retry> {
  const buys = await listMediaBuys(ctx.db, ctx.scope, campaign.id);
  const chosen = await chosenFor(ctx, campaign);
  const open = chosen.filter(({ agent_id }) => !buys.some((buy) => buy.agent_id === agent_id && isKept(buy)));
  if (chosen.length === 0) return asItWas(ctx, campaign, buys);
  const asked = await listOpenChanges(ctx.db, ctx.scope, { campaignId: campaign.id });
  const committed = committedMinor(buys.filter(isKept), asked);
  const advertiser = await reachAdvertiser(ctx, campaign.advertiser_id);
  const fees = await feesFor(ctx, advertiser);
  const terms = ahead(campaign, ctx.now);
  const orders = await ordersFor(ctx, terms, {
    advertiser,
    selections: open,
    fees,
    committed,
    before: buys,
  });
  const changed = orders.filter((order) => !isAsBefore(campaign, buys, order));
  const refused = asOne([...problemsOf(terms, open, { committed, fees }), ...unpriced(open, fees)]);
  return {
    warnings: [
      ...withoutEnded(chosen, buys).warnings,
      ...(changed.length === 0 ? [] : warningsOf(terms, open, committed)),
    ],
    isNew: changed.length > 0 || buys.some((buy) => isToBeSent(buy) && buy.submission !== 'unknown'),
    work: async (tx) => {
      const now = await listMediaBuys(tx, ctx.scope, campaign.id);
      const again = now.filter(
        (buy) => isToBeSent(buy) && !isReplaced(buy, changed) && isWanted(buy, orders),
      );
      if (refused !== undefined && (changed.length > 0 || again.some(isRefusedOnce))) throw refused;
      const selections = open.filter(({ agent_id }) => changed.some((order) => order.agent_id === agent_id));
      const bought = rebuy ? undefined : asOne(await boughtAlready(tx, ctx, { campaign, selections }));
      if (bought !== undefined) throw bought;
      const before = now.filter(
        (buy) => !isKept(buy) && (isReplaced(buy, changed) || !isWanted(buy, orders)),
      );
      const placed = await placeOrders(tx, ctx, { orders: changed, before });
      return [...(await sendAll(tx, ctx, again)), ...placed];
    },
  };
}

async function chosenFor(ctx: Context, { discovery_id: id }: CampaignRow): Promise<DiscoverySelectionRow[]> {
  return id === null ? [] : listSelections(ctx.db, ctx.scope, id);
}

/** Without a choice to go by, what never arrived is sent again. */
function asItWas(ctx: Context, campaign: CampaignRow, buys: readonly MediaBuyRow[]): Retry {
  return {
    warnings: [],
    isNew: buys.some((buy) => isToBeSent(buy) && buy.submission !== 'unknown'),
    work: async (tx) =>
      sendAll(tx, ctx, (await listMediaBuys(tx, ctx.scope, campaign.id)).filter(isToBeSent)),
  };
}

async function sendAll(tx: Db, ctx: Context, buys: readonly MediaBuyRow[]): Promise<Sending[]> {
  const sending: Sending[] = [];
  await requirePriced(tx, buys);
  for (const buy of buys) sending.push(await sendAgain(tx, ctx, buy));
  return sending;
}

/** A buy that a further execute leaves alone: it lives, or its seller took it and it has ended. */
function isKept(buy: MediaBuyRow): boolean {
  const { status, submission } = buy;
  if (isEndedThere(buy)) return true;
  if (status === 'DRAFT') return submission !== 'unsent';
  return submission === 'sending' || !['FAILED', 'REJECTED', 'ARCHIVED'].includes(status);
}

function isRefusedOnce({ submission }: MediaBuyRow): boolean {
  return submission !== 'unknown';
}

/** Of an order that may have been taken nobody makes another one: the same is asked about again. */
function isWanted({ agent_id, submission }: MediaBuyRow, orders: readonly NewBuy[]): boolean {
  return submission === 'unknown' || orders.some((order) => order.agent_id === agent_id);
}

function isReplaced({ agent_id, submission }: MediaBuyRow, changed: readonly NewBuy[]): boolean {
  return submission !== 'unknown' && changed.some((order) => order.agent_id === agent_id);
}

/** Whether its seller was sent the very same order before. Periods go by: their orders are made anew. */
function isAsBefore({ pacing_periods }: CampaignRow, buys: readonly MediaBuyRow[], order: NewBuy): boolean {
  const before = buys.find(({ agent_id }) => agent_id === order.agent_id);
  if (before === undefined || before.status === 'ARCHIVED') return false;
  if (before.submission === 'unknown') return true;
  return (
    (before.pacing_periods ?? pacing_periods) === null &&
    sameLines(before, order) &&
    ownTermsIn(before) === ownTermsIn(order)
  );
}

/** The frequency cap and the account that an order carries: its advertiser may have others by now. */
function ownTermsIn({ order_payload }: Pick<MediaBuyRow, 'order_payload'>): string {
  const { frequencyCap = null, accountId = null } = fromJson<Order>(order_payload).party;
  return JSON.stringify([frequencyCap, accountId]);
}
