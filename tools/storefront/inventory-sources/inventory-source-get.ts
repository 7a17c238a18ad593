import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachSource } from '../../domain/sellers/reach.ts';
import { warningsOf } from './following.ts';
import { knownSourceRecord } from './record.ts';
import { knownSource, sourceIdThere } from './schema.ts';

export const inventorySourceGet = defineTool({
  name: 'inventory_source_get',
  title: 'Get inventory source',
  example: { sourceId: 'src_example' },
  description:
    'Gives one inventory source of your storefront by its sourceId, with its health. ' +
    'Its credential is never shown.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/inventory-sources/{sourceId}' },
  input: z.strictObject({ sourceId: sourceIdThere }),
  output: knownSource,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachSource(ctx, input.sourceId),
  handler: async (ctx, _input, found) => ({ ...knownSourceRecord(found), ...(await warningsOf(ctx, found)) }),
});
