import { z } from 'zod';
import type { BoughtRow } from '../../../store/bought-products.ts';
import type { DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct } from '../../../store/media-buy-packages.ts';
import { type MediaBuyRow, mediaBuyStatuses } from '../../../store/media-buys.ts';
import { isUnheld } from '../../domain/buying/answers/unsent.ts';
import { isKept } from '../../domain/buying/orders/kept-orders.ts';
import { openedWith } from '../../domain/discovery-opening.ts';
import { toMajor } from '../../domain/money.ts';
import { timestamp } from '../../domain/time.ts';

/** The products of a campaign (contract: CampaignProductEntry): what is chosen, and what is bought. */

export const entry = z.object({
  productId: z.string().describe('Id of the product at its seller.'),
  productName: z.string().optional().describe('Its name.'),
  salesAgentId: z.string().describe('Its seller.'),
  salesAgentName: z.string().optional().describe('Name of that seller.'),
  publisherDomain: z.string().optional().describe('Domain of its publisher, as the seller says.'),
  publisherName: z.string().optional().describe('The group it was found in: its publisher.'),
  bidPrice: z.number().optional().describe('What is bid for a unit.'),
  budget: z.number().optional().describe('What it was given; without it the rest is shared.'),
  pricingOptionId: z.string().optional().describe('How it is bought.'),
  pricingModel: z.string().optional().describe('What is paid for, such as cpm.'),
  selectedAt: timestamp.optional().describe('When it was chosen, or ordered; not in the compact form.'),
  searchContext: z
    .object({
      id: z.string().describe('Id of the session.'),
      brief: z.string().describe('What it asked for.'),
    })
    .optional()
    .describe('The session that it was chosen in; not in the compact form, which has searchContexts.'),
  mediaBuys: z
    .array(
      z.object({
        mediaBuyId: z.string().describe('Id of the media buy.'),
        status: z.enum(mediaBuyStatuses).describe('Where it stands.'),
        name: z.string().optional().describe('Its name; not in the compact form.'),
        packageIds: z.array(z.string()).describe('The packages that it is bought by.'),
      }),
    )
    .describe('The media buys that it is part of.'),
});

export type Entry = z.input<typeof entry>;

/** A media buy as far as it is read for this, its products already made of their JSON. */
export interface Bought extends Omit<BoughtRow, 'products'> {
  readonly products: readonly BuyProduct[];
}

export interface Named {
  readonly agent_id: string;
  readonly product_id: string;
}

/** A product that is bought and chosen no more. */
export interface Beside {
  readonly buy: Bought;
  readonly product: BuyProduct;
}

/** What is bought and not chosen, in the order of the buys. Pure. */
export function boughtBeside(buys: readonly Bought[], chosen: readonly Named[]): Beside[] {
  const names = new Set(chosen.map(nameOf));
  return buys.flatMap((buy) =>
    buy.products
      .filter(({ product_id }) => !names.has(nameOf({ agent_id: buy.agent_id, product_id })))
      .map((product) => ({ buy, product })),
  );
}

/** Of the products of a campaign, how many are bought, and how many can still be. */
interface Counted {
  readonly bought: number;
  readonly pending: number;
}

/**
 * Counts what is chosen: it is bought where a seller holds the order, or may hold it. What was chosen later of a seller
 * that has one of the campaign, or had one, is not ordered by it any more. Pure.
 */
export function countProducts(buys: readonly Bought[], chosen: readonly Named[]): Counted {
  const held = buys.filter((buy) => !isUnheld(buy));
  const bought = new Set(
    held.flatMap(({ agent_id, products }) =>
      products.map(({ product_id }) => nameOf({ agent_id, product_id })),
    ),
  );
  const closed = new Set(buys.filter(isKept).map(({ agent_id }) => agent_id));
  const others = chosen.filter((one) => !bought.has(nameOf(one)));
  return {
    bought: chosen.length - others.length,
    pending: others.filter(({ agent_id }) => !closed.has(agent_id)).length,
  };
}

/** The buys that hold a product. */
export function holding(buys: readonly Bought[], { agent_id, product_id }: Named): Bought[] {
  return buys.filter(
    (buy) => buy.agent_id === agent_id && buy.products.some((one) => one.product_id === product_id),
  );
}

function nameOf({ agent_id, product_id }: Named): string {
  return JSON.stringify([agent_id, product_id]);
}

type Packages = ReadonlyMap<string, MediaBuyRow['packages']>;

export interface Around {
  readonly buys: readonly Bought[];
  /** By the id of their buy. */
  readonly packages: Packages;
  readonly session: DiscoverySessionRow | undefined;
  readonly currency: string;
}

export function chosenEntryRecord(
  row: DiscoverySelectionRow,
  { buys, packages, session, currency }: Around,
): Entry {
  const { name, salesAgentName, pricingOptions, publisherProperties = [] } = fromJson(row.product);
  const { pricing_option_id: pricingOptionId } = row;
  const option = pricingOptions.find((one) => one.pricingOptionId === pricingOptionId);
  return {
    productId: row.product_id,
    productName: name,
    salesAgentId: row.agent_id,
    salesAgentName,
    publisherDomain: publisherProperties[0]?.publisherDomain,
    publisherName: row.group_name,
    bidPrice: row.bid_price === null ? undefined : Number(row.bid_price),
    budget: budgetOf(row, buys, currency),
    pricingOptionId,
    pricingModel: option?.pricingModel,
    selectedAt: row.selected_at,
    searchContext: session && { id: session.id, brief: openedWith(session).brief ?? '' },
    mediaBuys: holding(buys, row).map((buy) => asHolding(buy, row.product_id, packages)),
  };
}

/** What it has at its seller by now; until that holds an order, what it was given. */
function budgetOf(row: DiscoverySelectionRow, buys: readonly Bought[], currency: string): number | undefined {
  const bought = holding(buys, row)
    .filter((buy) => !isUnheld(buy))
    .flatMap(({ products }) => products.filter(({ product_id }) => product_id === row.product_id))
    .map(({ budget_minor }) => budget_minor);
  const minor = bought.length === 0 ? row.budget_minor : bought.reduce((sum, one) => sum + one, 0);
  return minor === null ? undefined : toMajor(minor, currency);
}

export function boughtEntryRecord({ buy, product }: Beside, packages: Packages): Entry {
  return {
    productId: product.product_id,
    productName: product.name,
    salesAgentId: buy.agent_id,
    salesAgentName: buy.agent_name,
    bidPrice: product.bid_price ?? undefined,
    budget: toMajor(product.budget_minor, buy.currency),
    pricingOptionId: product.pricing_option_id,
    selectedAt: buy.created_at,
    mediaBuys: [asHolding(buy, product.product_id, packages)],
  };
}

function asHolding({ id, status, name }: Bought, productId: string, packages: Packages) {
  const all = packages.get(id);
  const isOwn = ({ product_id, of_all }: BuyPackage) => of_all === true || product_id === productId;
  const own = all === undefined ? [] : fromJson(all).filter(isOwn);
  return { mediaBuyId: id, status, name, packageIds: own.map(({ package_id }) => package_id) };
}

/** What one decides by: the session is told once beside the products, and when something was chosen is not. */
export function inShort({ selectedAt, searchContext, publisherName, mediaBuys, ...said }: Entry): Entry {
  return { ...said, mediaBuys: mediaBuys.map(({ name, ...buy }) => buy) };
}
