import { type EmbeddedProductRow, findEmbeddedProduct } from '../../../store/embedded-products.ts';
import type { Context } from '../../core/context.ts';
import { byRevision, type Kind } from '../../core/kinds.ts';
import { reached } from '../../core/reach.ts';
import { lookUps } from '../../domain/look-ups.ts';
import { sourceKind } from '../../domain/sellers/reach.ts';

export const productKind: Kind = {
  type: 'PRODUCT',
  word: 'product',
  lookUp: lookUps.product,
  versioned: byRevision,
};

/** Where a product is to be put: the embedded seller among the sources of a storefront. */
export const embeddedSellerKind: Kind = {
  ...sourceKind,
  word: 'embedded seller',
  lookUp:
    'Find yours with inventory_source_list, or make one with inventory_source_create and executionType ' +
    'MANAGED_SALES_AGENT.',
};

export async function reachProduct(ctx: Context, productId: string): Promise<EmbeddedProductRow> {
  return reached(ctx, await findEmbeddedProduct(ctx.db, ctx.scope, productId), productKind);
}
