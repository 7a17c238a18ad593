import type { z } from 'zod';
import type { CampaignConstraints, CampaignRow } from '../../../store/campaigns.ts';
import { listSelections } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import { findStorefrontsByIdOrName } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import { committedMinor, planOf } from '../../domain/buying/allocation.ts';
import { warningsOf } from '../../domain/buying/choice-problems.ts';
import { toMajor } from '../../domain/money.ts';
import type { campaign, campaignSummary } from './schema.ts';

export function campaignSummaryRecord(row: CampaignRow): z.input<typeof campaignSummary> {
  return {
    campaignId: row.id,
    advertiserId: String(row.advertiser_id),
    name: row.name,
    status: row.status,
    mode: 'discovery',
    management: 'managed',
    flightDates: { startDate: row.start_at, endDate: row.end_at },
    budget: {
      total: toMajor(row.budget_minor, row.currency),
      currency: row.currency,
      dailyCap: row.daily_cap_minor === null ? undefined : toMajor(row.daily_cap_minor, row.currency),
      pacing: row.pacing ?? undefined,
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A campaign with what hangs on it: its media buys, and while it is a draft its choice. */
export async function campaignRecord(ctx: Context, row: CampaignRow): Promise<z.input<typeof campaign>> {
  const buys = await listMediaBuys(ctx.db, ctx.scope, row.id);
  const draft = await draftOf(ctx, row);
  const allocated = draft?.allocated ?? committedMinor(buys);
  return {
    brief: row.brief ?? undefined,
    constraints: row.constraints === null ? undefined : asConstraints(fromJson(row.constraints)),
    storefronts:
      row.storefront_ids === null ? undefined : await storefrontsOf(ctx, fromJson(row.storefront_ids)),
    optimizationApplyMode: row.optimization_apply_mode,
    allocatedBudget: toMajor(allocated, row.currency),
    unallocatedBudget: toMajor(Math.max(0, row.budget_minor - allocated), row.currency),
    discoveryId: row.discovery_id ?? undefined,
    revision: row.version,
    productCount: draft?.productCount,
    warnings: draft?.warnings,
    mediaBuys: buys.map(asMediaBuy),
    // Last: V8 takes a slow path for fields that follow a spread, and this is read more than all else.
    ...campaignSummaryRecord(row),
  };
}

/** What a draft is to buy, and what stands in its way; undefined once it was executed, and without a choice. */
async function draftOf(ctx: Context, row: CampaignRow) {
  const { status, discovery_id: discoveryId } = row;
  if (status !== 'DRAFT' || discoveryId === null) return undefined;
  const selections = await listSelections(ctx.db, ctx.scope, discoveryId);
  const warnings = warningsOf(row, selections);
  return {
    productCount: selections.length,
    allocated: planOf(row, selections).allocated,
    warnings: warnings.length === 0 ? undefined : warnings,
  };
}

function asConstraints({ channels, geo_countries }: CampaignConstraints) {
  return {
    channels: channels === undefined ? undefined : [...channels],
    geo_countries: geo_countries === undefined ? undefined : [...geo_countries],
  };
}

async function storefrontsOf(ctx: Context, ids: readonly number[]) {
  const found = await findStorefrontsByIdOrName(ctx.db, { ids, names: [] });
  return found.map(({ id, platform_id, name }) => ({ id, platformId: platform_id, name }));
}

function asMediaBuy(buy: MediaBuyRow) {
  return {
    mediaBuyId: buy.id,
    name: buy.name,
    status: buy.status,
    salesAgentId: buy.agent_id,
    salesAgentName: buy.agent_name,
    budget: toMajor(buy.budget_minor, buy.currency),
    budgetCurrency: buy.currency,
    errorCode: buy.error_code ?? undefined,
    sourceMessage: buy.source_message ?? undefined,
    createdAt: buy.created_at,
    updatedAt: buy.updated_at,
  };
}
