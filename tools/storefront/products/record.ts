import { z } from 'zod';
import type { EmbeddedProductRow } from '../../../store/embedded-products.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { ownProduct } from './schema.ts';

/** The parts of a stored AdCP product that its own seller is shown. */
const stored = z.object({
  description: z.string(),
  channels: z.array(z.string()),
  publisher_properties: z.array(z.object({ publisher_domain: z.string() })).min(1),
  format_ids: z.array(z.object({ id: z.string() })),
});

export function productRecord(row: EmbeddedProductRow, sourceId: string): z.input<typeof ownProduct> {
  const product = stored.parse(fromJson(row.product));
  return {
    productId: row.product_id,
    sourceId,
    name: row.name,
    description: product.description,
    status: row.status,
    channels: product.channels,
    publisherDomain: product.publisher_properties[0]?.publisher_domain ?? '',
    creativeFormatIds: product.format_ids.map(({ id }) => id),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
