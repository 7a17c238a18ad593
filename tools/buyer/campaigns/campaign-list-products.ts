import { z } from 'zod';
import { listBought, listPackagesOf } from '../../../store/bought-products.ts';
import type { CampaignRow } from '../../../store/campaigns.ts';
import {
  type DiscoverySelectionRow,
  listChosenNames,
  listSelections,
  pageOfSelections,
} from '../../../store/discovery-selections.ts';
import { type DiscoverySessionRow, findSession } from '../../../store/discovery-sessions.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { Page } from '../../../store/engine/paging.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { isUnheld } from '../../domain/buying/answers/unsent.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { isCampaignOver } from '../../domain/buying/standing/unheld-words.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { openedWith } from '../../domain/discovery-opening.ts';
import { prefixedId } from '../../domain/ids.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { timestamp } from '../../domain/time.ts';
import {
  type Beside,
  type Bought,
  boughtBeside,
  boughtEntryRecord,
  chosenEntryRecord,
  countProducts,
  type Entry,
  entry,
  holding,
  inShort,
} from './product-entries.ts';

const PRODUCTS_MAX = 200;

export const campaignListProducts = defineTool({
  name: 'campaign_list_products',
  title: 'List campaign products',
  example: { campaignId: 'cmp_example' },
  description:
    'Lists the products of a campaign: what is chosen in its discovery session and what its media buys hold, with the ' +
    'packages of each. Change the choice with discovery_add_products while it is a draft. Pages with take and ' +
    'skip; summary is of all products.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns/{campaignId}/products', list: 'products' },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    mediaBuyId: z
      .array(prefixedId('a media buy', 'mb_'))
      .max(100)
      .optional()
      .describe('Only what these of its media buys hold.'),
    detail,
    ...pagingFields({ byDefault: 50, max: PRODUCTS_MAX }),
  }),
  spellings: pagingSpellings,
  output: z.object({
    campaignId: z.string().describe('Id of the campaign.'),
    discoveryId: z.string().nullable().describe('The session it buys from.'),
    products: z
      .array(entry)
      .max(PRODUCTS_MAX)
      .describe('This page of what is chosen, then of what is bought beside it.'),
    ...pageCounters,
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
  handler: async (ctx, input, campaign) => {
    const { id, discovery_id: discoveryId } = campaign;
    const { mediaBuyId: ids = [] } = input;
    const isNarrowed = ids.length > 0;
    const bought = await listBought(ctx.db, ctx.scope, id);
    const buys = bought.filter((buy) => !isNarrowed || ids.includes(buy.id)).map(read);
    const session = discoveryId === null ? undefined : await findSession(ctx.db, ctx.scope, discoveryId);
    const named = session === undefined ? [] : await listChosenNames(ctx.db, ctx.scope, session.id);
    const beside = boughtBeside(buys, named);
    const chosen = isNarrowed ? named.filter((one) => holding(buys, one).length > 0) : named;
    const page = await readPage(ctx, input, {
      ...{ campaign, buys, session, beside, isNarrowed },
      chosen: chosen.length,
    });
    const totalProducts = chosen.length + beside.length;
    const counts = countProducts(buys, chosen);
    const besideBought = beside.filter(({ buy }) => !isUnheld(buy)).length;
    return {
      campaignId: id,
      discoveryId,
      products: isCompact(ctx, input) ? page.map(inShort) : page,
      ...nextPage(input, page.length, totalProducts),
      searchContexts: session === undefined ? [] : [asContext(session, chosen.length)],
      summary: {
        totalProducts,
        productsOnMediaBuys: counts.bought + besideBought,
        productsPending: isCampaignOver(campaign.status) ? 0 : counts.pending,
      },
    };
  },
});

function read({ products, ...buy }: Awaited<ReturnType<typeof listBought>>[number]): Bought {
  return { ...buy, products: fromJson(products) };
}

interface All {
  readonly campaign: CampaignRow;
  readonly buys: readonly Bought[];
  readonly session: DiscoverySessionRow | undefined;
  /** How many products are chosen: those come first. */
  readonly chosen: number;
  readonly beside: readonly Beside[];
  /** Whether of what is chosen only that is meant which these media buys hold. */
  readonly isNarrowed: boolean;
}

/** One page of the products: choices and packages are read of what stands on it alone. */
async function readPage(ctx: Context, { take, skip }: Page, all: All): Promise<Entry[]> {
  const { campaign, buys, session, chosen, beside } = all;
  const rows =
    session === undefined || skip >= chosen ? [] : await chosenOn(ctx, { take, skip }, { ...all, session });
  const others = beside.slice(Math.max(0, skip - chosen), Math.max(0, skip + take - chosen));
  const shown = [...rows.flatMap((row) => holding(buys, row)), ...others.map(({ buy }) => buy)];
  const packages = await packagesOf(ctx, campaign.id, shown);
  const around = { buys, packages, session, currency: campaign.currency };
  return [
    ...rows.map((row) => chosenEntryRecord(row, around)),
    ...others.map((one) => boughtEntryRecord(one, packages)),
  ];
}

async function chosenOn(
  ctx: Context,
  { take, skip }: Page,
  { session: { id: sessionId }, buys, isNarrowed }: All & { readonly session: DiscoverySessionRow },
): Promise<readonly DiscoverySelectionRow[]> {
  if (!isNarrowed)
    return (await pageOfSelections(ctx.db, ctx.scope, { sessionId, page: { take, skip } })).rows;
  const all = await listSelections(ctx.db, ctx.scope, sessionId);
  return all.filter((row) => holding(buys, row).length > 0).slice(skip, skip + take);
}

async function packagesOf(ctx: Context, campaignId: string, buys: readonly Bought[]) {
  const ids = [...new Set(buys.map(({ id }) => id))];
  const rows = ids.length === 0 ? [] : await listPackagesOf(ctx.db, ctx.scope, { campaignId, ids });
  return new Map(rows.map(({ id, packages }) => [id, packages]));
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
