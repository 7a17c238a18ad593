import type { AdvertiserRow } from '../../../store/advertisers.ts';
import type { CampaignRow } from '../../../store/campaigns.ts';
import type { ChosenProduct, DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { BuyProduct, MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { currencyMismatch, insufficientMediaBudget, invalid } from '../../core/errors/refusals.ts';
import { toMajor } from '../money.ts';
import type { BuyingParty, Order, OrderPackage } from '../sellers/port.ts';
import { later } from '../time.ts';
import { allocate } from './allocation.ts';
import { buyingParty } from './party.ts';

type NewBuy = Omit<MediaBuyRow, 'organization_id' | 'customer_id'>;

const pacings = { EVEN: 'even', ASAP: 'asap', FRONTLOADED: 'front_loaded' } as const;

/** One media buy a seller for the products chosen, ready to be stored and sent. */
export async function ordersFor(
  ctx: Context,
  campaign: CampaignRow,
  { advertiser, selections }: { advertiser: AdvertiserRow; selections: readonly DiscoverySelectionRow[] },
): Promise<NewBuy[]> {
  const party = await buyingParty(ctx, advertiser);
  for (const selection of selections) {
    requireStorefront(selection, campaign);
    requireCurrency(selection, campaign);
  }
  const budgets = allocate(campaign, selections);
  for (const [index, selection] of selections.entries()) {
    requireLeast(selection, campaign, budgets[index] ?? 0);
  }
  const bySeller = new Map<string, { selection: DiscoverySelectionRow; budgetMinor: number }[]>();
  for (const [index, selection] of selections.entries()) {
    const lines = bySeller.get(selection.agent_id) ?? [];
    lines.push({ selection, budgetMinor: budgets[index] ?? 0 });
    bySeller.set(selection.agent_id, lines);
  }
  return [...bySeller.values()].map((lines) => newBuy(ctx, { campaign, party, lines }));
}

/** A campaign that names its storefronts buys from no other. */
function requireStorefront(selection: DiscoverySelectionRow, { storefront_ids }: CampaignRow): void {
  const product = fromJson(selection.product);
  if (storefront_ids === null || fromJson(storefront_ids).includes(Number(product.storefrontId))) return;
  throw invalid(
    'storefrontIds',
    `${product.name} is sold by ${product.salesAgentName}, which is none of the storefronts of this campaign.`,
    { suggestion: 'Drop the product with discovery_remove_products, and execute again.' },
  );
}

function requireCurrency(selection: DiscoverySelectionRow, { currency }: CampaignRow): void {
  const product = fromJson(selection.product);
  const option = optionOf(product, selection);
  if (option === undefined || option.currency === currency) return;
  throw currencyMismatch(
    'budget.currency',
    `${product.name} is sold in ${option.currency}; the campaign pays in ${currency}.`,
    {
      suggestion: `Drop the product with discovery_remove_products, or run it for an advertiser in ${option.currency}.`,
    },
  );
}

/** A share of the budget may be less than a seller sells for. */
function requireLeast(
  selection: DiscoverySelectionRow,
  { currency }: CampaignRow,
  budgetMinor: number,
): void {
  const product = fromJson(selection.product);
  const least = optionOf(product, selection)?.minSpend;
  const budget = toMajor(budgetMinor, currency);
  if (least === undefined || budget >= least) return;
  throw insufficientMediaBudget(
    `${product.name} starts at ${least} ${currency}; ${budget} ${currency} of budget.total fall to it.`,
    { productId: selection.product_id, minSpend: least, budget, currency },
  );
}

function optionOf({ pricingOptions }: ChosenProduct, { pricing_option_id }: DiscoverySelectionRow) {
  return pricingOptions.find(({ pricingOptionId }) => pricingOptionId === pricing_option_id);
}

interface BuyParts {
  readonly campaign: CampaignRow;
  readonly party: BuyingParty;
  readonly lines: readonly { readonly selection: DiscoverySelectionRow; readonly budgetMinor: number }[];
}

function newBuy(ctx: Context, { campaign, party, lines }: BuyParts): NewBuy {
  const id = ctx.newId('mb');
  const products = lines.map(({ selection, budgetMinor }) => asBuyProduct(selection, budgetMinor));
  const [first] = lines;
  const seller = first === undefined ? undefined : fromJson(first.selection.product);
  const startTime = later(campaign.start_at, ctx.now);
  const order: Order = {
    party,
    idempotencyKey: idempotencyKey(id, 1),
    startTime,
    endTime: campaign.end_at,
    currency: campaign.currency,
    packages: products.map((product) => asOrderPackage(product, campaign)),
  };
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
    products: toJson(products),
    packages: toJson([]),
    order_payload: JSON.stringify(order),
    attempt: 1,
    submission: 'sending',
    owner: ctx.services.processId,
    ...UNTOLD,
    version: 1,
    valid_from: ctx.now,
    updated_by: ctx.caller.principal,
    updated_reason: null,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
  };
}

/** What only the seller can tell. */
const UNTOLD = {
  adcp_media_buy_id: null,
  adcp_status: null,
  adcp_task_id: null,
  error_code: null,
  error_owner: null,
  source_message: null,
  pending_reason: null,
  pending_since: null,
  impressions: 0,
  spend_minor: 0,
  clicks: 0,
  performance_at: null,
} as const;

/** AdCP, idempotency: 16 to 255 letters, digits and `_.:-`. Made of the row, so that a repeat has the same. */
export function idempotencyKey(mediaBuyId: string, attempt: number): string {
  return `${mediaBuyId}.attempt-${attempt}`;
}

function asBuyProduct(selection: DiscoverySelectionRow, budgetMinor: number): BuyProduct {
  const product = fromJson(selection.product);
  return {
    product_id: selection.product_id,
    name: product.name,
    pricing_option_id: selection.pricing_option_id,
    budget_minor: budgetMinor,
    bid_price: selection.bid_price === null ? null : Number(selection.bid_price),
    format_ids: product.formatIds.map(({ agentUrl, id }) => ({ agent_url: agentUrl, id })),
  };
}

function asOrderPackage(product: BuyProduct, campaign: CampaignRow): OrderPackage {
  const { geo_countries = [] } = campaign.constraints === null ? {} : fromJson(campaign.constraints);
  return {
    product_id: product.product_id,
    pricing_option_id: product.pricing_option_id,
    budget: toMajor(product.budget_minor, campaign.currency),
    ...(product.bid_price === null ? {} : { bid_price: product.bid_price }),
    ...(campaign.pacing === null ? {} : { pacing: pacings[campaign.pacing] }),
    ...(product.format_ids.length === 0 ? {} : { format_ids: product.format_ids }),
    ...(geo_countries.length === 0 ? {} : { targeting_overlay: { geo_countries } }),
  };
}

/**
 * The next attempt of a buy. Where the seller may have taken the last order it is repeated to the letter; a
 * refused one gets a new key, and a start that is not in the past.
 */
export function nextAttempt(
  buy: MediaBuyRow,
  now: string,
): Pick<MediaBuyRow, 'attempt' | 'order_payload' | 'start_time'> {
  if (buy.submission === 'unknown') {
    return { attempt: buy.attempt, order_payload: buy.order_payload, start_time: buy.start_time };
  }
  const attempt = buy.attempt + 1;
  const last = fromJson<Order>(buy.order_payload);
  const startTime = later(last.startTime, now);
  const order: Order = { ...last, idempotencyKey: idempotencyKey(buy.id, attempt), startTime };
  return { attempt, order_payload: JSON.stringify(order), start_time: startTime };
}
