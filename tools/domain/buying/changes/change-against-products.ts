import type { CampaignRow } from '../../../../store/campaigns.ts';
import {
  type ChosenProduct,
  type DiscoverySelectionRow,
  listSelections,
} from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Context } from '../../../core/context.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { toMajor, toMinor } from '../../money.ts';
import { leastSpend, wrongBid } from '../../pricing.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { outsideProduct } from '../../targeting/products.ts';
import { tooLittle } from '../choice/choice-problems.ts';
import { productsOf } from '../choice/package-lines.ts';
import { outsideTogether } from '../choice/targeting.ts';
import type { WantedPackage } from './change-packages.ts';
import type { Planned } from './change-standing.ts';

/** What is asked of packages, held against the products that were bought, as it was when they were chosen. */
export async function againstProducts(
  ctx: Context,
  { discovery_id: sessionId, constraints }: Pick<CampaignRow, 'discovery_id' | 'constraints'>,
  planned: readonly Planned[],
): Promise<Issue[]> {
  const isAsked = planned.some(
    ({ wanted, terms }) => wanted.packages?.some(isOfProducts) || terms.asked.newPackages !== undefined,
  );
  if (!isAsked || sessionId === null) return [];
  const chosen = await listSelections(ctx.db, ctx.scope, sessionId);
  return planned.flatMap(({ buy, wanted: { packages = [], called }, terms }) => [
    ...packages.flatMap((wanted, index) =>
      problemsOf(buy, wanted, { chosen, constraints }).map(({ path, message }) => ({
        path: called(`packages.${index}.${path}`),
        message,
      })),
    ),
    ...addedProblems(buy, terms.asked.newPackages ?? [], chosen).map((message) => ({
      path: called('pacingPeriods'),
      message,
    })),
  ]);
}

function isOfProducts({ targetingOverlay, bidPrice, budget }: WantedPackage): boolean {
  return (targetingOverlay ?? bidPrice ?? budget) !== undefined;
}

/** What a change is held against. */
interface Held extends Pick<CampaignRow, 'constraints'> {
  readonly chosen: readonly DiscoverySelectionRow[];
}

/** Held against each product that has something in the package, every problem once. */
function problemsOf(buy: MediaBuyRow, wanted: WantedPackage, held: Held): Issue[] {
  const part = fromJson(buy.packages).find(({ package_id }) => package_id === wanted.packageId);
  if (part === undefined) return [];
  const all = productsOf(fromJson(buy.products), part);
  const budgeted = all.filter(({ budget_minor }) => budget_minor > 0);
  const found = (budgeted.length > 0 ? budgeted : all).flatMap((bought) =>
    problemsOfOne(buy, wanted, { ...held, part, bought }),
  );
  return [...new Map(found.map((one) => [`${one.path} ${one.message}`, one])).values()];
}

function problemsOfOne(
  buy: MediaBuyRow,
  wanted: WantedPackage,
  { chosen, constraints, part, bought }: Held & Omit<Bought, 'found'>,
): Issue[] {
  const { targetingOverlay = {} } = wanted;
  const bidPrice = wanted.bidPrice ?? undefined;
  const found = offerOf(buy, bought, chosen);
  if (found === undefined) return [];
  const { product, option } = found;
  const outside =
    outsideProduct(targetingOverlay, product) ?? outsideTogether(targetingOverlay, { constraints }, product);
  const wrong = option === undefined || bidPrice === undefined ? undefined : wrongBid(option, bidPrice);
  return [
    ...(outside === undefined
      ? []
      : [{ path: `targetingOverlay.${outside.field}`, message: outside.message }]),
    ...(wrong === undefined ? [] : [{ path: 'bidPrice', message: wrong }]),
    ...(nothingLeft(buy, wanted, product) ?? beneath(buy, wanted, { part, bought, found })),
  ];
}

interface Offer {
  readonly product: ChosenProduct;
  readonly option: ChosenProduct['pricingOptions'][number] | undefined;
}

/** What was chosen of a product that was bought, and how it is paid for. */
function offerOf(
  { agent_id: agentId }: MediaBuyRow,
  { product_id: id, pricing_option_id: optionId }: Pick<BuyProduct, 'product_id' | 'pricing_option_id'>,
  chosen: readonly DiscoverySelectionRow[],
): Offer | undefined {
  const row = chosen.find(({ agent_id, product_id }) => agent_id === agentId && product_id === id);
  if (row === undefined) return undefined;
  const product = fromJson(row.product);
  const option = product.pricingOptions.find(({ pricingOptionId }) => pricingOptionId === optionId);
  return { product, option };
}

interface Bought {
  readonly part: BuyPackage;
  readonly bought: BuyProduct;
  readonly found: Offer;
}

/** A budget of which its fee leaves nothing. */
function nothingLeft(
  { currency, fee_bps: feeBps }: MediaBuyRow,
  { budget }: WantedPackage,
  { name }: ChosenProduct,
): Issue[] | undefined {
  const grossMinor = budget === undefined ? undefined : toMinor(budget, currency);
  if (grossMinor === undefined || mediaBudgetOf(grossMinor, feeBps) > 0) return undefined;
  return [{ path: 'budget', message: `${NOTHING_LEFT} ${name} once its fee is taken.` }];
}

const NOTHING_LEFT = 'Nothing of its budget is left for';

/**
 * A budget beneath what the product is sold for: one that is lowered, and one that stands while the bid for a flat
 * rate, which is owed whole, goes above it. What stands beneath already may stay, or be raised.
 */
function beneath(
  { currency, fee_bps: feeBps }: MediaBuyRow,
  { budget, bidPrice }: WantedPackage,
  { part, bought, found: { product, option } }: Bought,
): Issue[] {
  const minor = mediaMinorOf({ budget, part, currency, feeBps });
  if (minor === undefined || option === undefined) return [];
  const bid = part.bid_price ?? bought.bid_price;
  const least = leastSpend(option, bidPrice ?? bid);
  const isNoLess = minor >= (part.budget_minor ?? Number.POSITIVE_INFINITY);
  const falls = toMajor(minor, currency);
  if (falls >= least || (isNoLess && least <= leastSpend(option, bid))) return [];
  const message = tooLittle(product.name, { least, budget: falls, of: 'its budget', feeBps, currency });
  return [{ path: budget === undefined ? 'bidPrice' : 'budget', message }];
}

interface Budgeted extends Pick<WantedPackage, 'budget'>, Pick<Bought, 'part'> {
  readonly currency: string;
  readonly feeBps: number;
}

/** What the seller gets for a package: of the budget that is asked for, or of the one that it has. */
function mediaMinorOf({ budget, part, currency, feeBps }: Budgeted): number | undefined {
  if (budget === undefined) return part.budget_minor ?? undefined;
  const grossMinor = toMinor(budget, currency);
  return grossMinor === undefined ? undefined : mediaBudgetOf(grossMinor, feeBps);
}

/** The same of packages that the buy gets beside those it has; each product once. */
function addedProblems(
  buy: MediaBuyRow,
  added: readonly OrderPackage[],
  chosen: readonly DiscoverySelectionRow[],
): string[] {
  const { currency, fee_bps: feeBps } = buy;
  const messages = added.flatMap((one) => {
    const { budget, bid_price: bid } = one;
    const { product, option } = offerOf(buy, one, chosen) ?? {};
    if (budget <= 0) return [`${NOTHING_LEFT} ${product?.name ?? one.product_id} once its fee is taken.`];
    const least = option === undefined ? 0 : leastSpend(option, bid);
    if (product === undefined || budget >= least) return [];
    return [tooLittle(product.name, { least, budget, of: 'its budget', feeBps, currency })];
  });
  return [...new Set(messages)];
}
