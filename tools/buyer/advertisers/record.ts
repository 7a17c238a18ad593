import type { z } from 'zod';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import type { advertiser } from './schema.ts';

export function advertiserRecord(row: AdvertiserRow): z.input<typeof advertiser> {
  return {
    id: String(row.id),
    name: row.name,
    description: row.description ?? undefined,
    brand: row.brand,
    status: row.status,
    sandbox: fromFlag(row.sandbox),
    primaryCurrency: row.primary_currency,
    currencyLocked: fromFlag(row.currency_locked),
    optimizationApplyMode: row.optimization_apply_mode,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
