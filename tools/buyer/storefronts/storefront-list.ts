import { z } from 'zod';
import { storefrontChannels } from '../../../store/storefronts.ts';
import { listMarketStorefronts } from '../../../store/unscoped/market.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { compactStorefront, storefrontRecord } from '../../domain/storefronts/record.ts';
import { askedStatuses } from '../../domain/storefronts/rules.ts';
import { listedStorefront } from '../../domain/storefronts/schema.ts';
import { shownStorefronts } from '../../domain/storefronts/shown.ts';
import { domainLabels } from '../../domain/text.ts';

const output = listOf(listedStorefront);

export const storefrontList = defineTool({
  name: 'storefront_list',
  title: 'List storefronts',
  example: { status: 'transacting', take: 20 },
  description:
    'Lists the storefronts (sellers of ad inventory) of this marketplace. Use it to see who sells, or to find ' +
    'the ids that pin a discovery to some sellers. discover_products asks all of them without this.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/storefronts', list: 'items', shows: shownStorefronts(output) },
  input: z.strictObject({
    name: z.string().max(255).optional().describe('Part of the name, in any case.'),
    status: z.enum(askedStatuses).optional().describe('Which ones; without it all but the archived.'),
    channel: z.enum(storefrontChannels).optional().describe('Only those that sell this channel.'),
    region: z
      .string()
      .min(1)
      .max(32)
      .optional()
      .describe('Only those that sell in this country, such as US.'),
    visibility: z.enum(['public', 'private']).optional().describe('public: for every buyer, as all are.'),
    publisherDomain: domainLabels
      .optional()
      .describe('Only publishers with this domain, or whole parts of it.'),
    ...pagingFields({ byDefault: 20, max: 100 }),
    detail,
  }),
  spellings: pagingSpellings,
  output,
  errors: [],
  handler: async (ctx, input) => {
    const { take, skip, detail: _, status, visibility, ...others } = input;
    // None is for some buyers only, and none is neutral.
    if (visibility === 'private' || status === 'neutral') return { items: [], ...nextPage(input, 0, 0) };
    const filter = { ...others, status };
    const { rows, total } = await listMarketStorefronts(ctx.db, ctx.scope, {
      filter,
      page: { take, skip },
    });
    const records = rows.map(storefrontRecord);
    const items = isCompact(ctx, input) ? records.map(compactStorefront) : records;
    return { items, ...nextPage(input, rows.length, total) };
  },
});
