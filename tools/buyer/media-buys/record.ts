import type { z } from 'zod';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { Digest } from '../../core/ports.ts';
import { toMajor } from '../../domain/money.ts';
import type { mediaBuy } from './schema.ts';

const HASH_LENGTH = 16;

export function mediaBuyRecord(row: MediaBuyRow, digest: Digest): z.input<typeof mediaBuy> {
  return {
    media_buy_id: row.id,
    customer_id: row.customer_id,
    name: row.name,
    status: row.status,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version_hash: digest(`${row.id}:${row.version}`).slice(0, HASH_LENGTH),
    valid_from: row.valid_from,
    updated_by: row.updated_by ?? undefined,
    updated_reason: row.updated_reason ?? undefined,
    start_time: row.start_time,
    end_time: row.end_time,
    products: fromJson(row.products).map((product, index) => ({
      product_id: product.product_id,
      sales_agent_id: row.agent_id,
      sales_agent_name: row.agent_name,
      budget: toMajor(product.budget_minor, row.currency),
      pricing_option_id: product.pricing_option_id,
      bid_price: product.bid_price ?? undefined,
      display_order: index + 1,
      creative_formats: product.format_ids.map(({ agent_url, id }) => ({ agent_url, id })),
    })),
    packages: packagesOf(row),
    creatives: [],
    optimization_goals: [],
    productValidationDebug: [],
    adcp: { media_buy_id: row.adcp_media_buy_id ?? undefined, status: row.adcp_status ?? undefined },
    performance: {
      impressions: row.impressions,
      spend: toMajor(row.spend_minor, row.currency),
      clicks: row.clicks,
      last_updated: row.performance_at ?? undefined,
    },
    sandbox: fromFlag(row.sandbox),
    archived_at: row.archived_at ?? undefined,
  };
}

function packagesOf(row: MediaBuyRow): z.input<typeof mediaBuy>['packages'] {
  return fromJson(row.packages).map(({ package_id, product_id, budget_minor }) => ({
    package_id,
    product_id,
    budget: budget_minor === null ? null : toMajor(budget_minor, row.currency),
    product_ids: product_id === null ? [] : [product_id],
    creatives: [],
    created_at: row.created_at,
    sales_agent_id: row.agent_id,
    sales_agent_name: row.agent_name,
  }));
}
