import { z } from 'zod';
import { listInventorySources } from '../../../store/inventory-sources.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { inventorySourceRecord } from './record.ts';
import { inventorySource } from './schema.ts';

export const inventorySourceList = defineTool({
  name: 'inventory_source_list',
  title: 'List inventory sources',
  example: {},
  description:
    'Lists the inventory sources your storefront sells through, oldest first, with their status. Returns items ' +
    'and total.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: {
    method: 'GET',
    path: '/inventory-sources',
    list: 'items',
    shows: { schema: z.array(inventorySource), from: ({ items }) => items },
  },
  input: z.strictObject({}),
  output: z.object({
    items: z.array(inventorySource).describe('The sources.'),
    total: z.number().int().describe('How many there are.'),
  }),
  errors: [],
  handler: async (ctx) => {
    const rows = await listInventorySources(ctx.db, ctx.scope);
    return { items: rows.map(inventorySourceRecord), total: rows.length };
  },
});
