import { z } from 'zod';
import type { EmbeddedProductRow } from '../../../store/embedded-products.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { listInventorySources } from '../../../store/inventory-sources.ts';
import type { Context } from '../../core/context.ts';
import { embeddedOption } from '../../domain/sellers/embedded/catalog.ts';
import type { listedProduct, ownProduct } from './schema.ts';

/** The parts of a stored AdCP product that its own seller is shown. */
const stored = z.object({
  description: z.string(),
  channels: z.array(z.string()),
  countries: z.array(z.string()).default([]),
  pricing_options: z.array(embeddedOption),
  publisher_properties: z.array(z.object({ publisher_domain: z.string() })).min(1),
  format_ids: z.array(z.object({ id: z.string() })),
  delivery_type: z.string().optional(),
  estimated_exposures: z.number().optional(),
});

/** What the seller calls the source that offers a product. */
export async function sourceOf(ctx: Context, product: EmbeddedProductRow): Promise<string> {
  const sources = await listInventorySources(ctx.db, ctx.scope);
  return sources.find(({ id }) => id === product.source_id)?.source_id ?? '';
}

export function ownProductRecord(row: EmbeddedProductRow, sourceId: string): z.input<typeof ownProduct> {
  const product = stored.parse(fromJson(row.product));
  return {
    productId: row.product_id,
    sourceId,
    name: row.name,
    description: product.description,
    status: row.status,
    channels: product.channels,
    countries: product.countries,
    pricingOptions: product.pricing_options.map((option) => ({
      pricingOptionId: option.pricing_option_id,
      pricingModel: option.pricing_model,
      currency: option.currency,
      fixedPrice: option.fixed_price,
      floorPrice: option.floor_price,
      minSpend: option.min_spend_per_package,
    })),
    publisherDomain: product.publisher_properties[0]?.publisher_domain ?? '',
    creativeFormatIds: product.format_ids.map(({ id }) => id),
    deliveryType: product.delivery_type,
    estimatedExposures: product.estimated_exposures,
    adUnitNames: [],
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.version,
  };
}

/** What a seller keeps its products apart by. */
export function compactProduct(product: z.input<typeof ownProduct>): z.input<typeof listedProduct> {
  const { description, publisherDomain, creativeFormatIds, adUnitNames, estimatedExposures, ...others } =
    product;
  const { createdAt, updatedAt, deliveryType, ...said } = others;
  return said;
}
