import { type EmbeddedProductRow, findEmbeddedProduct } from '../../../../store/embedded-products.ts';
import type { Context } from '../../../core/context.ts';
import { byRevision, type Kind } from '../../../core/kinds.ts';
import { reached } from '../../../core/reach.ts';
import { sourceKind } from '../reach.ts';

export const productKind: Kind = {
  type: 'PRODUCT',
  word: 'product',
  lookUp: 'Find its id with product_list.',
  versioned: byRevision,
};

/** Where a product is to be put: the embedded seller among the sources of a storefront. */
export const embeddedSellerKind: Kind = {
  ...sourceKind,
  word: 'embedded seller',
  lookUp: 'Make one with inventory_source_create and executionType MANAGED_SALES_AGENT.',
};

export async function reachProduct(ctx: Context, productId: string): Promise<EmbeddedProductRow> {
  return reached(ctx, await findEmbeddedProduct(ctx.db, ctx.scope, productId), productKind);
}
