import type { AdvertiserRow } from '../../../../store/advertisers.ts';
import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import { accountsAtSellers } from '../../advertisers/linked-accounts.ts';
import type { BuyingParty, Order } from '../../sellers/port.ts';
import { later } from '../../time.ts';
import { planOf } from '../choice/allocation.ts';
import type { Fees } from '../choice/fees.ts';
import { placedBy, type Ordering as Terms } from '../choice/order-lines.ts';
import { asBuyProduct, type Line, type OwnTerms, packagesFor } from '../choice/order-packages.ts';
import { buyingParty, capOf, partyAt } from '../choice/party.ts';
import { wholeOrder } from '../choice/whole-lengths.ts';
import { orderIn } from '../payloads.ts';

export type NewBuy = Omit<MediaBuyRow, 'organization_id' | 'customer_id'>;

/** For whom sellers are ordered from, and under which account each of them. */
export interface Purchaser {
  readonly party: BuyingParty;
  readonly accounts: ReadonlyMap<string, string>;
}

/** Reads it: in the transaction that stores the orders, where there is one, so that it does not change meanwhile. */
export async function purchaserOf(
  ctx: Pick<Context, 'db' | 'scope' | 'services'>,
  advertiser: AdvertiserRow,
): Promise<Purchaser> {
  return {
    party: await buyingParty(ctx, advertiser),
    accounts: await accountsAtSellers(ctx, advertiser),
  };
}

interface Ordering extends Purchaser {
  readonly selections: readonly DiscoverySelectionRow[];
  readonly fees: Fees;
  /** What other buys of the campaign have of its budget. */
  readonly committed?: number;
  /** The buys whose place the orders take: periods and goals of their own go on. */
  readonly before?: readonly MediaBuyRow[];
}

/** One media buy a seller for the products chosen, ready to be stored and sent. Nothing is read for it. */
export function ordersFor(
  ctx: Context,
  campaign: CampaignRow & Terms,
  { party: buyer, accounts, selections, fees, committed = 0, before = [] }: Ordering,
): NewBuy[] {
  const party = { ...buyer, ...capOf(campaign) };
  const { budgets } = planOf(campaign, selections, committed);
  const owns = new Map(before.map((buy) => [buy.agent_id, buy]));
  const ownOf = (agentId: string) => owns.get(agentId) ?? NOTHING_OWN;
  const placed = placedBy(campaign, {
    sellers: selections.map(({ agent_id }) => agent_id),
    budgets,
    ownPeriods: (agentId) => ownOf(agentId).pacing_periods,
    now: ctx.now,
  });
  const bySeller = new Map<string, PlacedLine[]>();
  for (const [index, selection] of selections.entries()) {
    const lines = bySeller.get(selection.agent_id) ?? [];
    lines.push({ selection, budgetMinor: budgets[index] ?? 0, campaign: placed[index] ?? campaign });
    bySeller.set(selection.agent_id, lines);
  }
  return [...bySeller].map(([agentId, lines]) =>
    newBuy(ctx, {
      campaign,
      party: partyAt(party, accounts, agentId),
      lines,
      feeBps: fees(agentId) ?? 0,
      own: ownOf(agentId),
    }),
  );
}

/** A product, and the campaign as it is when its turn comes. */
interface PlacedLine extends Line {
  readonly campaign: CampaignRow & Terms;
}

interface BuyParts {
  readonly feeBps: number;
  readonly campaign: CampaignRow;
  readonly party: BuyingParty;
  readonly lines: readonly PlacedLine[];
  readonly own: OwnTerms;
}

const NOTHING_OWN: OwnTerms = { pacing_periods: null, optimization_goals: null };

function newBuy(ctx: Context, { campaign, party, lines, feeBps, own }: BuyParts): NewBuy {
  const id = ctx.newId('mb');
  const products = lines.map(({ selection, budgetMinor }) => asBuyProduct(selection, budgetMinor));
  const [first] = lines;
  const seller = first === undefined ? undefined : fromJson(first.selection.product);
  const startTime = later(campaign.start_at, ctx.now);
  const order = wholeOrder({
    party,
    idempotencyKey: idempotencyKey(id, 1),
    startTime,
    endTime: campaign.end_at,
    currency: campaign.currency,
    packages: lines.flatMap((line, index) =>
      packagesFor(line, { campaign: line.campaign, own, feeBps, product: products[index], now: ctx.now }),
    ),
  });
  return {
    id,
    advertiser_id: campaign.advertiser_id,
    campaign_id: campaign.id,
    agent_id: first?.selection.agent_id ?? '',
    agent_name: seller?.salesAgentName ?? '',
    storefront_id: Number(seller?.storefrontId ?? 0),
    name: `${campaign.name} – ${seller?.salesAgentName ?? ''}`,
    status: 'DRAFT',
    start_time: startTime,
    end_time: campaign.end_at,
    budget_minor: products.reduce((sum, { budget_minor }) => sum + budget_minor, 0),
    currency: campaign.currency,
    sandbox: party.sandbox ? 1 : 0,
    fee_bps: feeBps,
    products: toJson(products),
    packages: toJson([]),
    pacing_periods: own.pacing_periods,
    optimization_goals: own.optimization_goals,
    order_payload: JSON.stringify(order),
    attempt: 1,
    submission: 'sending',
    owner: ctx.services.processId,
    takeovers: 0,
    ...UNTOLD,
    version: 1,
    valid_from: ctx.now,
    updated_by: ctx.caller.principal,
    updated_reason: null,
    suggestion_id: null,
    revision: 1,
    edition: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
  };
}

/** What only the seller can tell. */
export const UNTOLD = {
  adcp_media_buy_id: null,
  adcp_status: null,
  adcp_task_id: null,
  error_code: null,
  error_owner: null,
  source_message: null,
  report_doubt: null,
  pending_reason: null,
  pending_since: null,
  impressions: 0,
  spend_minor: 0,
  clicks: 0,
  performance_at: null,
  spent_so_far: null,
  delivered: null,
  began_late_at: null,
  shown_total: null,
  shown_start: null,
  shown_end: null,
  listed_apart: null,
  figures_awaited_since: null,
  figures_reported_at: null,
  unfound_since: null,
  goes_on_since: null,
  held_spend_minor: null,
  figures_final: 0,
  forwarded_at: null,
  valid_actions: null,
} as const;

/** AdCP, idempotency: 16 to 255 letters, digits and `_.:-`. Made of the row, so that a repeat has the same. */
export function idempotencyKey(mediaBuyId: string, attempt: number): string {
  return `${mediaBuyId}.attempt-${attempt}`;
}

/**
 * The next attempt of a buy. Where the seller may have taken the last order it is repeated to the letter; a
 * refused one gets a new key, and a start that is not in the past.
 */
export function nextAttempt(
  buy: MediaBuyRow,
  now: string,
): Pick<MediaBuyRow, 'attempt' | 'order_payload' | 'start_time' | 'takeovers'> {
  if (buy.submission === 'unknown') {
    const { attempt, order_payload, start_time } = buy;
    return { attempt, order_payload, start_time, takeovers: 0 };
  }
  const attempt = buy.attempt + 1;
  const last = orderIn(buy);
  const startTime = later(last.startTime, now);
  const order = wholeOrder({ ...last, idempotencyKey: idempotencyKey(buy.id, attempt), startTime });
  return { attempt, order_payload: JSON.stringify(order), start_time: startTime, takeovers: 0 };
}

/** An order of a campaign that is executed anew, in the place of the one that its seller refused. */
export function inPlaceOf(
  buy: MediaBuyRow,
  { id: _, created_at: __, ...order }: NewBuy,
): Omit<NewBuy, 'id' | 'created_at' | 'version' | 'revision' | 'edition'> {
  const attempt = buy.attempt + 1;
  const { version: ___, revision: ____, edition: _____, ...columns } = order;
  const payload: Order = {
    ...orderIn(order),
    idempotencyKey: idempotencyKey(buy.id, attempt),
  };
  return { ...columns, attempt, order_payload: JSON.stringify(payload) };
}

/** Whether two orders buy the same products for the same money. */
export function sameLines(one: Pick<MediaBuyRow, 'products'>, other: Pick<MediaBuyRow, 'products'>): boolean {
  return linesIn(one) === linesIn(other);
}

function linesIn({ products }: Pick<MediaBuyRow, 'products'>): string {
  return JSON.stringify(
    fromJson(products)
      .map((line) => [
        line.product_id,
        line.pricing_option_id,
        line.budget_minor,
        line.bid_price,
        line.pacing,
      ])
      .sort(),
  );
}
