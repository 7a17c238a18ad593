import { z } from 'zod';
import { embeddedProductStatuses, listEmbeddedProducts } from '../../../store/embedded-products.ts';
import { listInventorySources } from '../../../store/inventory-sources.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { compactProduct, ownProductRecord } from './record.ts';
import { listedProduct } from './schema.ts';

export const productList = defineTool({
  name: 'product_list',
  title: 'List own products',
  example: { status: 'ACTIVE' },
  description:
    'Lists the products that your embedded sellers offer, oldest first. Products of agents at a URL are not ' +
    'here: those agents keep them. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: {
    method: 'GET',
    path: '/products',
    list: 'items',
    shows: { schema: z.array(listedProduct), from: ({ items }) => items },
  },
  input: z.strictObject({
    status: z.enum(embeddedProductStatuses).optional().describe('Only these; without it all.'),
    ...pagingFields({ byDefault: 20, max: 100 }),
    detail,
  }),
  spellings: pagingSpellings,
  output: listOf(listedProduct),
  errors: [],
  handler: async (ctx, input) => {
    const { take, skip, status } = input;
    const page = { take, skip };
    const { rows, total } = await listEmbeddedProducts(ctx.db, ctx.scope, { status, page });
    const sources = await listInventorySources(ctx.db, ctx.scope);
    const names = new Map(sources.map(({ id, source_id }) => [id, source_id]));
    const records = rows.map((row) => ownProductRecord(row, names.get(row.source_id) ?? ''));
    return {
      items: isCompact(ctx, input) ? records.map(compactProduct) : records,
      ...nextPage(page, rows.length, total),
    };
  },
});
