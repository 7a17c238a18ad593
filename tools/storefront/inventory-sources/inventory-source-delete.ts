import { z } from 'zod';
import { deleteInventorySource, holdInventorySource } from '../../../store/inventory-sources.ts';
import { countBuysThrough } from '../../../store/unscoped/market.ts';
import { needs } from '../../core/access.ts';
import { defineTool, type Rest } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { reachSource, sourceKind } from '../../domain/sellers/reach.ts';
import { withoutActive } from './following.ts';
import { sourceIdThere } from './schema.ts';

/** Whoever deletes the last one of an open storefront is told what follows. */
const instead: Rest['instead'] = {
  status: 200,
  means: 'Done, and the storefront is open without an active source.',
  when: ({ warnings }) => warnings !== undefined,
};

export const inventorySourceDelete = defineTool({
  name: 'inventory_source_delete',
  title: 'Delete inventory source',
  example: { sourceId: 'src_example' },
  description:
    'Deletes an inventory source of your storefront, for good. Refused with CONFLICT once anything was bought ' +
    'through it: disable it with inventory_source_update instead.',
  effect: 'delete',
  audit: { kind: sourceKind, ofInput: ({ sourceId }) => sourceId },
  access: needs('buyer:admin'),
  rest: { method: 'DELETE', path: '/inventory-sources/{sourceId}', status: 204, instead },
  input: z.strictObject({ sourceId: sourceIdThere }),
  output: z.object({
    success: z.literal(true).describe('The source is gone.'),
    sourceId: z.string().describe('The source that was deleted.'),
    warnings: z
      .array(z.string())
      .max(1)
      .optional()
      .describe('What follows for an open storefront without one.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachSource(ctx, input.sourceId),
  handler: async (ctx, input, found) => {
    await ctx.write(
      async (tx) => {
        ctx.requireVersion(await holdInventorySource(tx, ctx.scope, found.id));
        if ((await countBuysThrough(tx, found.agent_id)) > 0) {
          throw conflict(
            'Media buys were made through this source; they still need it.',
            'Set its status to DISABLED with inventory_source_update.',
          );
        }
        await deleteInventorySource(tx, ctx.scope, found.id);
      },
      { resourceId: found.source_id, resourceName: found.name },
    );

    const warnings = found.status === 'ACTIVE' ? await withoutActive(ctx) : [];
    return {
      success: true as const,
      sourceId: input.sourceId,
      ...(warnings.length === 0 ? {} : { warnings }),
    };
  },
});
