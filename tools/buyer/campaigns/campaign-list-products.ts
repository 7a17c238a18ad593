import { z } from 'zod';
import { type DiscoverySelectionRow, listSelections } from '../../../store/discovery-selections.ts';
import { type DiscoverySessionRow, findSession } from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import {
  type BuyProduct,
  listMediaBuys,
  type MediaBuyRow,
  mediaBuyStatuses,
} from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { prefixedId } from '../../domain/ids.ts';
import { toMajor } from '../../domain/money.ts';
import { openedWith } from '../../domain/opening.ts';
import { timestamp } from '../../domain/time.ts';

const entry = z.object({
  productId: z.string().describe('Id of the product at its seller.'),
  productName: z.string().optional().describe('Its name.'),
  salesAgentId: z.string().describe('Its seller.'),
  salesAgentName: z.string().optional().describe('Name of that seller.'),
  publisherName: z.string().optional().describe('The group it was found in: its publisher.'),
  bidPrice: z.number().optional().describe('What is bid for a unit.'),
  budget: z.number().optional().describe('What it was given; without it the rest is shared.'),
  pricingOptionId: z.string().optional().describe('How it is bought.'),
  selectedAt: timestamp.describe('When it was chosen, or ordered.'),
  searchContext: z
    .object({
      id: z.string().describe('Id of the session.'),
      brief: z.string().describe('What it asked for.'),
    })
    .optional()
    .describe('The session that it was chosen in.'),
  mediaBuys: z
    .array(
      z.object({
        mediaBuyId: z.string().describe('Id of the media buy.'),
        status: z.enum(mediaBuyStatuses).describe('Where it stands.'),
        name: z.string().describe('Its name.'),
        packageIds: z.array(z.string()).describe('The packages that it is bought by.'),
      }),
    )
    .describe('The media buys that it is part of.'),
});

type Entry = z.input<typeof entry>;

export const campaignListProducts = defineTool({
  name: 'campaign_list_products',
  title: 'List campaign products',
  example: { campaignId: 'cmp_example' },
  description:
    'Lists the products of a campaign: what is chosen in its discovery session and what its media buys hold, with the ' +
    'packages of each. Change the choice with discovery_add_products while it is a draft.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns/{campaignId}/products' },
  input: z.strictObject({ campaignId: prefixedId('the campaign', 'cmp_') }),
  output: z.object({
    campaignId: z.string().describe('Id of the campaign.'),
    discoveryId: z.string().nullable().describe('The session it buys from.'),
    products: z.array(entry).describe('What is chosen, then what is bought beside it.'),
    searchContexts: z
      .array(
        z.object({
          id: z.string().describe('Id of the session.'),
          brief: z.string().describe('What it asked for.'),
          channels: z.array(z.string()).describe('On which channels.'),
          countries: z.array(z.string()).describe('In which countries.'),
          createdAt: timestamp.describe('When it began.'),
          productCount: z.number().int().describe('How many of its products are chosen.'),
        }),
      )
      .describe('The sessions that products were chosen in.'),
    summary: z
      .object({
        totalProducts: z.number().int().describe('How many there are.'),
        productsOnMediaBuys: z.number().int().describe('How many of them are bought.'),
        productsPending: z.number().int().describe('How many are not bought yet.'),
      })
      .describe('The same in figures.'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, { campaignId }) => reachCurrentCampaign(ctx, campaignId),
  handler: async (ctx, _input, { id, discovery_id: discoveryId, currency }) => {
    const buys = (await listMediaBuys(ctx.db, ctx.scope, id)).filter(({ status }) => status !== 'ARCHIVED');
    const session = discoveryId === null ? undefined : await findSession(ctx.db, ctx.scope, discoveryId);
    const chosen = session === undefined ? [] : await listSelections(ctx.db, ctx.scope, session.id);
    const products = [
      ...chosen.map((row) => asChosen(row, { buys, session, currency })),
      ...buys.flatMap((buy) => boughtBeside(buy, chosen)),
    ];
    const productsOnMediaBuys = products.filter(({ mediaBuys }) => mediaBuys.length > 0).length;
    return {
      campaignId: id,
      discoveryId,
      products,
      searchContexts: session === undefined ? [] : [asContext(session, chosen.length)],
      summary: {
        totalProducts: products.length,
        productsOnMediaBuys,
        productsPending: products.length - productsOnMediaBuys,
      },
    };
  },
});

interface Around {
  readonly buys: readonly MediaBuyRow[];
  readonly session: DiscoverySessionRow | undefined;
  readonly currency: string;
}

function asChosen(row: DiscoverySelectionRow, { buys, session, currency }: Around): Entry {
  const { name, salesAgentName } = fromJson(row.product);
  const holding = buys.filter((buy) => buy.agent_id === row.agent_id && holds(buy, row.product_id));
  return {
    productId: row.product_id,
    productName: name,
    salesAgentId: row.agent_id,
    salesAgentName,
    publisherName: row.group_name,
    bidPrice: row.bid_price === null ? undefined : Number(row.bid_price),
    budget: row.budget_minor === null ? undefined : toMajor(row.budget_minor, currency),
    pricingOptionId: row.pricing_option_id,
    selectedAt: row.selected_at,
    searchContext: session && { id: session.id, brief: openedWith(session).brief ?? '' },
    mediaBuys: holding.map((buy) => asHolding(buy, row.product_id)),
  };
}

function holds({ products }: MediaBuyRow, productId: string): boolean {
  return fromJson(products).some(({ product_id }) => product_id === productId);
}

function asHolding(buy: MediaBuyRow, productId: string) {
  const packages = fromJson(buy.packages).filter(({ product_id }) => product_id === productId);
  return {
    mediaBuyId: buy.id,
    status: buy.status,
    name: buy.name,
    packageIds: packages.map(({ package_id }) => package_id),
  };
}

/** What is bought and chosen no more. */
function boughtBeside(buy: MediaBuyRow, chosen: readonly DiscoverySelectionRow[]): Entry[] {
  const isChosen = ({ product_id }: BuyProduct) =>
    chosen.some((row) => row.agent_id === buy.agent_id && row.product_id === product_id);
  return fromJson(buy.products)
    .filter((product) => !isChosen(product))
    .map((product) => ({
      productId: product.product_id,
      productName: product.name,
      salesAgentId: buy.agent_id,
      salesAgentName: buy.agent_name,
      bidPrice: product.bid_price ?? undefined,
      budget: toMajor(product.budget_minor, buy.currency),
      pricingOptionId: product.pricing_option_id,
      selectedAt: buy.created_at,
      mediaBuys: [asHolding(buy, product.product_id)],
    }));
}

function asContext(session: DiscoverySessionRow, productCount: number) {
  const { brief = '', channels = [], countries = [] } = openedWith(session);
  return {
    id: session.id,
    brief,
    channels: [...channels],
    countries: [...countries],
    createdAt: session.created_at,
    productCount,
  };
}
