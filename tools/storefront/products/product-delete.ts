import { z } from 'zod';
import { holdEmbeddedProduct, setEmbeddedProductStatus } from '../../../store/embedded-products.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { prefixedId } from '../../domain/ids.ts';
import { productKind, reachProduct } from './reach.ts';

export const productDelete = defineTool({
  name: 'product_delete',
  title: 'Delete own product',
  example: { productId: 'prod_example' },
  description:
    'Takes a product of your embedded seller off the market. What was bought of it goes on; discoveries from ' +
    'now on do not find it.',
  effect: 'delete',
  audit: { kind: productKind, ofInput: ({ productId }) => productId },
  access: needs('buyer:admin'),
  rest: { method: 'DELETE', path: '/products/{productId}' },
  input: z.strictObject({ productId: prefixedId('the product', 'prd_') }),
  output: z.object({
    success: z.literal(true).describe('The product is off the market.'),
    productId: z.string().describe('The product that was deleted.'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachProduct(ctx, input.productId),
  handler: async (ctx, input, found) => {
    await ctx.write(
      async (tx) => {
        const before = await holdEmbeddedProduct(tx, ctx.scope, found.id);
        ctx.requireVersion(before);
        if (before?.status === 'ARCHIVED') return false;
        await setEmbeddedProductStatus(tx, ctx.scope, { id: found.id, status: 'ARCHIVED', now: ctx.now });
        return true;
      },
      // One that is off the market already stays, and nothing is logged.
      (isNew) =>
        isNew ? { resourceId: found.product_id, resourceName: found.name, action: 'ARCHIVE' } : undefined,
    );

    return { success: true as const, productId: input.productId };
  },
});
