import type { z } from 'zod';
import type { CampaignRow } from '../../store/campaigns.ts';
import { fromJson } from '../../store/codec.ts';
import { listSelections } from '../../store/discovery-selections.ts';
import { findStorefrontsByIdOrName } from '../../store/market.ts';
import { listMediaBuys, type MediaBuyRow } from '../../store/media-buys.ts';
import type { Context } from '../context.ts';
import { toMajor } from '../shared/money.ts';
import { committedMinor } from './rules.ts';
import type { campaign, campaignSummary } from './schema.ts';

export function asSummary(row: CampaignRow): z.input<typeof campaignSummary> {
  return {
    campaignId: row.id,
    advertiserId: String(row.advertiser_id),
    name: row.name,
    status: row.status,
    flightDates: { startDate: row.start_at, endDate: row.end_at },
    budget: {
      total: toMajor(row.budget_minor, row.currency),
      currency: row.currency,
      ...(row.daily_cap_minor === null ? {} : { dailyCap: toMajor(row.daily_cap_minor, row.currency) }),
      ...(row.pacing === null ? {} : { pacing: row.pacing }),
    },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A campaign with what hangs on it: its media buys, and while it is a draft its choice. */
export async function readCampaign(ctx: Context, row: CampaignRow): Promise<z.input<typeof campaign>> {
  const buys = await listMediaBuys(ctx.db, ctx.scope, row.id);
  const allocated = committedMinor(buys);
  return {
    ...asSummary(row),
    ...(row.brief === null ? {} : { brief: row.brief }),
    ...(row.constraints === null ? {} : { constraints: asConstraints(row) }),
    ...(await storefrontsOf(ctx, row)),
    optimizationApplyMode: row.optimization_apply_mode,
    allocatedBudget: toMajor(allocated, row.currency),
    unallocatedBudget: toMajor(row.budget_minor - allocated, row.currency),
    ...(await choiceOf(ctx, row)),
    mediaBuys: buys.map(asMediaBuy),
  };
}

function asConstraints(row: CampaignRow) {
  const { channels, geo_countries } = row.constraints === null ? {} : fromJson(row.constraints);
  return {
    ...(channels === undefined ? {} : { channels: [...channels] }),
    ...(geo_countries === undefined ? {} : { geo_countries: [...geo_countries] }),
  };
}

async function storefrontsOf(ctx: Context, row: CampaignRow) {
  if (row.storefront_ids === null) return {};
  const found = await findStorefrontsByIdOrName(ctx.db, { ids: fromJson(row.storefront_ids), names: [] });
  return { storefronts: found.map(({ id, platform_id, name }) => ({ id, platformId: platform_id, name })) };
}

async function choiceOf(ctx: Context, row: CampaignRow) {
  if (row.status !== 'DRAFT' || row.discovery_id === null) return {};
  const chosen = await listSelections(ctx.db, ctx.scope, row.discovery_id);
  return { discoveryId: row.discovery_id, productCount: chosen.length };
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
    ...(buy.error_code === null ? {} : { errorCode: buy.error_code }),
    ...(buy.source_message === null ? {} : { sourceMessage: buy.source_message }),
  };
}
