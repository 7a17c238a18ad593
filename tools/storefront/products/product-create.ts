import { z } from 'zod';
import { countEmbeddedProducts, insertEmbeddedProduct } from '../../../store/embedded-products.ts';
import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import {
  holdInventorySource,
  type InventorySourceRow,
  listInventorySources,
} from '../../../store/inventory-sources.ts';
import { lockAccount } from '../../../store/organizations.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, contradicts, notFound } from '../../core/errors/refusals.ts';
import { counted } from '../../domain/counted.ts';
import { adcpProduct } from '../../domain/sellers/embedded/product.ts';
import { embeddedSellerKind, productKind } from './reach.ts';
import { ownProductRecord } from './record.ts';
import { ownProduct, productFields } from './schema.ts';

export const productCreate = defineTool({
  name: 'product_create',
  title: 'Create own product',
  example: {
    name: 'Morning display',
    description: 'Banners beside the morning news.',
    publisherDomain: 'news.example',
    channels: ['display'],
    countries: ['US'],
    pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 10 }],
    formats: ['display_300x250'],
  },
  description:
    'Adds a product to your embedded seller, offered to buyers from the next discovery on. Needs an inventory ' +
    'source of type MANAGED_SALES_AGENT; name it with sourceId when there are several.',
  effect: 'create',
  audit: { kind: productKind, ofResult: ({ productId }) => productId },
  access: needs('buyer:write'),
  rest: { method: 'POST', path: '/products', status: 201 },
  input: z.strictObject({
    sourceId: z.string().min(1).max(255).optional().describe('The embedded seller that offers it.'),
    name: productFields.name,
    description: productFields.description,
    publisherDomain: productFields.publisherDomain,
    channels: productFields.channels,
    countries: productFields.countries.default([]),
    deliveryType: productFields.deliveryType.default('non_guaranteed'),
    pricingOptions: productFields.pricingOptions,
    formats: productFields.formats,
    estimatedExposures: productFields.estimatedExposures.optional(),
  }),
  output: ownProduct,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: async (ctx, input) => {
    const sources = await listInventorySources(ctx.db, ctx.scope);
    return chooseSource(
      sources.filter(({ execution_type }) => execution_type === 'MANAGED_SALES_AGENT'),
      input.sourceId,
    );
  },
  handler: async (ctx, input, source) => {
    const productId = ctx.newId('prd');
    const product = adcpProduct({ ...input, productId, agentUrl: ctx.services.publicUrl() });
    const row = await ctx.write(
      async (tx) => {
        await roomForProduct(ctx, tx);
        await requireStillThere(ctx, tx, source);
        return insertEmbeddedProduct(tx, ctx.scope, {
          source_id: source.id,
          product_id: productId,
          name: input.name,
          status: 'ACTIVE',
          product: toJson(product),
          created_at: ctx.now,
          updated_at: ctx.now,
        });
      },
      { resourceId: productId, resourceName: input.name },
    );

    return ownProductRecord(row, source.source_id);
  },
});

/** Makes sure, in the transaction that adds a product, that its source is there: it could be deleted meanwhile. */
async function requireStillThere(ctx: Context, tx: Db, { id }: InventorySourceRow): Promise<void> {
  if ((await holdInventorySource(tx, ctx.scope, id)) === undefined) throw notFound(embeddedSellerKind);
}

/** Products off the market are kept; so many of them for each that may be on it. */
const KEPT_OF_EACH = 10;

/** Makes sure, in the transaction that adds one, that the storefront may have one more. */
async function roomForProduct(ctx: Context, tx: Db): Promise<void> {
  const { productsPerStorefront } = ctx.services.limits.quotas;
  await lockAccount(tx, ctx.scope);
  if ((await countEmbeddedProducts(tx, ctx.scope, 'ACTIVE')) >= productsPerStorefront) {
    throw conflict(
      `The storefront has ${counted(productsPerStorefront, 'product')} on the market, which is the limit.`,
      'Take one off the market with product_delete, or ask the operator of this service for more.',
    );
  }
  const most = productsPerStorefront * KEPT_OF_EACH;
  if ((await countEmbeddedProducts(tx, ctx.scope)) < most) return;
  throw conflict(
    `The storefront has had ${counted(most, 'product')}, which is the limit.`,
    'Delete the inventory source with inventory_source_delete and make another, or ask the operator for more.',
  );
}

function chooseSource(
  embedded: readonly InventorySourceRow[],
  sourceId: string | undefined,
): InventorySourceRow {
  const candidates = sourceId === undefined ? embedded : embedded.filter((row) => row.source_id === sourceId);
  const [only, another] = candidates;
  if (only === undefined) {
    throw notFound(embeddedSellerKind);
  }
  if (another !== undefined) {
    const names = embedded.map(({ source_id }) => source_id).join(', ');
    throw contradicts('sourceId', `There are several embedded sellers. Give one of: ${names}.`);
  }
  return only;
}
