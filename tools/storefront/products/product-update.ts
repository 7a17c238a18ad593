import { z } from 'zod';
import {
  type EmbeddedProductRow,
  holdEmbeddedProduct,
  updateEmbeddedProduct,
} from '../../../store/embedded-products.ts';
import { toJson } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { changesBetween } from '../../core/changes.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { writeHeldUpdate } from '../../core/updating.ts';
import { prefixedId } from '../../domain/ids.ts';
import { embeddedIn } from '../../domain/sellers/embedded/catalog.ts';
import { changedProduct } from '../../domain/sellers/embedded/product.ts';
import { productKind, reachProduct } from './reach.ts';
import { ownProductRecord, sourceOf } from './record.ts';
import { ownProduct, productFields } from './schema.ts';

const input = z.strictObject({
  productId: prefixedId('the product', 'prd_'),
  name: productFields.name.optional(),
  description: productFields.description.optional(),
  publisherDomain: productFields.publisherDomain.optional(),
  channels: productFields.channels.optional(),
  countries: productFields.countries.optional(),
  deliveryType: productFields.deliveryType.optional(),
  pricingOptions: productFields.pricingOptions
    .optional()
    .describe('All the ways it can be bought from now on; one that is left out is withdrawn.'),
  formats: productFields.formats.optional(),
  estimatedExposures: productFields.estimatedExposures
    .nullable()
    .optional()
    .describe('Impressions a month; null takes it back.'),
});

export const productUpdate = defineTool({
  name: 'product_update',
  title: 'Update own product',
  example: { productId: 'prd_example', description: 'Banners beside the morning news, on weekdays.' },
  description:
    'Changes a product of your embedded seller; what is left out stays. Discoveries from now on find it as it is ' +
    'then; what was bought goes on as it was bought. A price that changes is a new pricing option: whoever chose ' +
    'the old one has to choose again. Returns the product as it now is.',
  effect: 'update',
  audit: { kind: productKind, ofInput: ({ productId }) => productId },
  access: needs('buyer:write'),
  rest: { method: 'PUT', path: '/products/{productId}' },
  input,
  output: ownProduct,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { productId }) => reachProduct(ctx, productId),
  handler: async (ctx, change, found) => {
    const sourceId = await sourceOf(ctx, found);
    const after = await writeHeldUpdate(ctx, {
      kind: productKind,
      hold: (tx) => holdEmbeddedProduct(tx, ctx.scope, found.id),
      given: (before) => {
        if (before.status !== 'ACTIVE') throw offTheMarket();
        return columnsOf(ctx, change, before);
      },
      update: (tx, set, version) =>
        updateEmbeddedProduct(tx, ctx.scope, { id: found.id, set: { ...set, version, updated_at: ctx.now } }),
      record: (row) => ownProductRecord(row, sourceId),
      about: ({ name }) => ({ resourceName: name }),
    });

    return ownProductRecord(after, sourceId);
  },
});

function columnsOf(ctx: Context, change: z.output<typeof input>, before: EmbeddedProductRow) {
  const { productId: _, ...said } = change;
  const stored = embeddedIn(before);
  const product = changedProduct(stored, {
    ...said,
    agentUrl: ctx.services.publicUrl(),
    newSuffix: () => ctx.newId('po').slice('po_'.length),
  });
  return { name: change.name, product: isSame(product, stored) ? undefined : toJson(product) };
}

/** Fields in another order, and those that are there without a value, make no other product. */
function isSame(one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  return Object.keys(changesBetween(one, other)).length === 0;
}

function offTheMarket() {
  return conflict('The product is off the market.', 'Make another with product_create.');
}
