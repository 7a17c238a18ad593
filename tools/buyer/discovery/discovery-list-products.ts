import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { reachSession } from '../../domain/discovery/reach.ts';
import { discoveryId } from '../../domain/discovery/schema.ts';
import { readSelection } from '../../domain/discovery/selection.ts';
import { listedSelection } from '../../domain/discovery/selection-schema.ts';

export const discoveryListProducts = defineTool({
  name: 'discovery_list_products',
  title: 'List chosen products',
  example: { discoveryId: 'disc_example' },
  description:
    'Lists the products that were chosen in a discovery session, in the order of choosing, with their prices ' +
    'and budgets.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/discovery/{discoveryId}/products' },
  input: z.strictObject({ discoveryId, detail }),
  output: listedSelection,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachSession(ctx, input.discoveryId),
  handler: async (ctx, input, session) => {
    const chosen = await readSelection(ctx, ctx.db, session);
    if (!isCompact(ctx, input)) return chosen;
    const products = chosen.products.map(({ groupId, groupName, selectedAt, ...said }) => said);
    return { ...chosen, products };
  },
});
