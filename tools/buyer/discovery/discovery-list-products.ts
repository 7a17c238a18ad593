import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { reachSession } from '../../domain/discovery/reach.ts';
import { discoveryId } from '../../domain/discovery/schema.ts';
import { readSelection } from '../../domain/discovery/showing/selection.ts';
import { listedSelection, SELECTION_SHOWN } from '../../domain/discovery/showing/selection-schema.ts';
import { nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';

export const discoveryListProducts = defineTool({
  name: 'discovery_list_products',
  title: 'List chosen products',
  example: { discoveryId: 'disc_example' },
  description:
    'Lists the products that were chosen in a discovery session, in the order of choosing, with their prices ' +
    'and budgets. Pages with take and skip; sums, warnings and totalProducts are of the whole choice.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/discovery/{discoveryId}/products', list: 'products' },
  input: z.strictObject({ discoveryId, detail, ...pagingFields({ byDefault: 50, max: SELECTION_SHOWN }) }),
  spellings: pagingSpellings,
  output: listedSelection,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachSession(ctx, input.discoveryId),
  handler: async (ctx, input, session) => {
    const { hasMoreProducts: _, ...chosen } = await readSelection(ctx, ctx.db, {
      session,
      page: input,
    });
    const { products, totalProducts } = chosen;
    return {
      ...chosen,
      products: isCompact(ctx, input) ? products.map(inShort) : products,
      ...nextPage(input, products.length, totalProducts),
    };
  },
});

type Chosen = Awaited<ReturnType<typeof readSelection>>['products'][number];

function inShort({ groupId, groupName, selectedAt, ...said }: Chosen) {
  return said;
}
