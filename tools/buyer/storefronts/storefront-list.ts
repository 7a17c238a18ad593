import { z } from 'zod';
import { storefrontChannels } from '../../../store/storefronts.ts';
import { listMarketStorefronts } from '../../../store/unscoped/market.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { compactStorefront, storefrontRecord } from '../../domain/storefronts/record.ts';
import { displayStatuses } from '../../domain/storefronts/rules.ts';
import { listedStorefront } from '../../domain/storefronts/schema.ts';

export const storefrontList = defineTool({
  name: 'storefront_list',
  title: 'List storefronts',
  example: { status: 'transacting', take: 20 },
  description:
    'Lists the storefronts (sellers of ad inventory) of this marketplace. Use it to see who sells, or to find ' +
    'the ids that pin a discovery to some sellers. discover_products asks all of them without this.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/storefronts', list: 'items' },
  input: z.strictObject({
    name: z.string().max(255).optional().describe('Part of the name, in any case.'),
    status: z.enum(displayStatuses).optional().describe('Which ones; without it all but the archived.'),
    channel: z.enum(storefrontChannels).optional().describe('Only those that sell this channel.'),
    publisherDomain: z.string().max(253).optional().describe('Only the one of this publisher.'),
    ...pagingFields({ byDefault: 20, max: 100 }),
    detail,
  }),
  spellings: pagingSpellings,
  notBuilt: ['region', 'visibility', 'status=neutral'],
  output: listOf(listedStorefront),
  errors: [],
  handler: async (ctx, input) => {
    const { take, skip, detail: _, ...filter } = input;
    const { rows, total } = await listMarketStorefronts(ctx.db, filter, { take, skip });
    const records = rows.map(storefrontRecord);
    const items = isCompact(ctx, input) ? records.map(compactStorefront) : records;
    return { items, ...nextPage(input, rows.length, total) };
  },
});
