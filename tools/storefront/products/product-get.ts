import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { fullDetail } from '../../domain/detail.ts';
import { prefixedId } from '../../domain/ids.ts';
import { productKind, reachProduct } from './reach.ts';
import { compactProduct, ownProductRecord, sourceOf } from './record.ts';
import { listedProduct } from './schema.ts';

export const productGet = defineTool({
  name: 'product_get',
  title: 'Get own product',
  example: { productId: 'prd_example' },
  description:
    'Gives one product of your embedded seller with everything you said of it; archived ones too. ' +
    `${productKind.lookUp} Change it with product_update.`,
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/products/{productId}' },
  input: z.strictObject({ productId: prefixedId('the product', 'prd_'), detail: fullDetail }),
  output: listedProduct,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachProduct(ctx, input.productId),
  handler: async (ctx, { detail }, found) => {
    const record = ownProductRecord(found, await sourceOf(ctx, found));
    return detail === 'compact' ? compactProduct(record) : record;
  },
});
