import { z } from 'zod';
import { pageOfInventorySources } from '../../../store/inventory-sources.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { compactSource, knownSourceRecord } from './record.ts';
import { listedSource } from './schema.ts';

export const inventorySourceList = defineTool({
  name: 'inventory_source_list',
  title: 'List inventory sources',
  example: { detail: 'compact' },
  description:
    'Lists the inventory sources your storefront sells through, oldest first, with their status. Returns items ' +
    'and total. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: {
    method: 'GET',
    path: '/inventory-sources',
    list: 'items',
    shows: { schema: z.array(listedSource), from: ({ items }) => items },
  },
  input: z.strictObject({ detail, ...pagingFields({ byDefault: 50, max: 100 }) }),
  spellings: pagingSpellings,
  output: z.object({
    items: z.array(listedSource).describe('This page of the sources.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, input) => {
    const { rows, total } = await pageOfInventorySources(ctx.db, ctx.scope, input);
    const records = rows.map(knownSourceRecord);
    return {
      items: isCompact(ctx, input) ? records.map(compactSource) : records,
      ...nextPage(input, rows.length, total),
    };
  },
});
