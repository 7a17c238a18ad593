import type { z } from 'zod';
import type { CampaignRow } from '../../../store/campaigns.ts';
import { countSelectionsOf, listSelections } from '../../../store/discovery-selections.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import { listOpenChanges, type MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../store/media-buys.ts';
import type { SpendApprovalRow } from '../../../store/spend-approvals.ts';
import { findStorefrontsByIdOrName } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import { shownCaps } from '../../domain/advertisers/delivery-columns.ts';
import { awaitedInWords, awaitedOf, awaitedOfEach } from '../../domain/approvals/awaited.ts';
import { waitingRecord } from '../../domain/approvals/record.ts';
import { openByNow } from '../../domain/buying/changes/late-changes.ts';
import { undeclaredWarnings } from '../../domain/buying/changes/undeclared-targeting.ts';
import { ahead, planOf } from '../../domain/buying/choice/allocation.ts';
import { fewWarnings, warningsOf } from '../../domain/buying/choice/choice-warnings.ts';
import { feesOfCampaigns } from '../../domain/buying/choice/fees.ts';
import { isLive } from '../../domain/buying/machines.ts';
import { stopsOf, stopsWithoutChoice } from '../../domain/buying/orders/draft-stops.ts';
import { waitingUnasked } from '../../domain/buying/spend/limits-following.ts';
import { pendingUpdate } from '../../domain/buying/spend/pending-update.ts';
import { beyondTotal, takenMinor } from '../../domain/buying/spend/taking.ts';
import { warningsOfLiving } from '../../domain/buying/standing/still-living.ts';
import { omittedOf } from '../../domain/discovery/choosing/omitted-still.ts';
import { toMajor } from '../../domain/money.ts';
import { campaignMediaBuyRecord, mediaBuyReferenceRecord } from './media-buy-record.ts';
import type { campaign, campaignSummary } from './schema.ts';

function campaignSummaryRecord(row: CampaignRow): z.input<typeof campaignSummary> {
  return {
    campaignId: row.id,
    advertiserId: String(row.advertiser_id),
    name: row.name,
    status: row.status,
    mode: row.mode,
    campaignType: row.campaign_type ?? undefined,
    management: 'managed',
    sandbox: fromFlag(row.sandbox),
    flightDates: { startDate: row.start_at, endDate: row.end_at },
    budget: {
      total: toMajor(row.budget_minor, row.currency),
      currency: row.currency,
      dailyCap: row.daily_cap_minor === null ? undefined : toMajor(row.daily_cap_minor, row.currency),
      pacing: row.pacing ?? undefined,
    },
    constraints: row.constraints === null ? undefined : fromJson(row.constraints),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/**
 * Campaigns in a list, with what of them waits for another person, the drafts among them with how many products are
 * chosen.
 */
export async function listedRecords(
  { db, scope, now }: Pick<Context, 'db' | 'scope' | 'now'>,
  rows: readonly CampaignRow[],
): Promise<z.input<typeof campaignSummary>[]> {
  const awaited = await awaitedOfEach({ db, scope, now }, rows);
  const choices = rows.map(({ status, discovery_id }) => (status === 'DRAFT' ? discovery_id : null));
  const counts = await countSelectionsOf(db, scope, [...new Set(choices.filter((id) => id !== null))]);
  return rows.map((row, index) => {
    const sessionId = choices[index] ?? null;
    const waiting = awaited.get(row.id)?.map(waitingRecord);
    const record = { ...campaignSummaryRecord(row), ...(waiting && { waitingApprovals: waiting }) };
    return sessionId === null ? record : { ...record, productCount: counts.get(sessionId) ?? 0 };
  });
}

/** What the log tells of a change: the campaign by itself. */
export function loggedCampaign(row: CampaignRow): Readonly<Record<string, unknown>> {
  return {
    ...campaignSummaryRecord(row),
    brief: row.brief ?? undefined,
    ...settingsOf(row),
    pendingUpdate: pendingUpdate(row),
    storefrontIds: row.storefront_ids === null ? undefined : fromJson(row.storefront_ids),
    discoveryId: row.discovery_id ?? undefined,
    optimizationApplyMode: row.optimization_apply_mode,
  };
}

function settingsOf(row: CampaignRow) {
  return {
    pacingPeriods: row.pacing_periods === null ? undefined : fromJson(row.pacing_periods),
    performanceConfig:
      row.optimization_goals === null ? undefined : { optimizationGoals: fromJson(row.optimization_goals) },
    utmConfig: row.utm_config === null ? undefined : { params: [...fromJson(row.utm_config)] },
    frequencyCaps: shownCaps(row.frequency_caps, { targetLevel: 'CAMPAIGN', targetId: row.id }),
  };
}

async function openChangesOf(ctx: Context, campaignId: string) {
  return openByNow(ctx.db, await listOpenChanges(ctx.db, ctx.scope, { campaignId }), ctx.now);
}

/**
 * A campaign with what hangs on it: its media buys, and while it is a draft its choice, with what stands in its way.
 */
export async function campaignRecord(ctx: Context, row: CampaignRow): Promise<z.input<typeof campaign>> {
  const buys = await listMediaBuys(ctx.db, ctx.scope, row.id);
  const awaited = await awaitedOf(ctx, row);
  // Nothing is asked of sellers about what does not live.
  const open = buys.some(isLive) ? await openChangesOf(ctx, row.id) : [];
  const { discovery_id: discoveryId } = row;
  // What a draft is to buy; nothing once it was executed, and without a choice.
  const draft =
    row.status === 'DRAFT' && discoveryId !== null
      ? await draftOf(ctx, row, { discoveryId, buys })
      : undefined;
  const allocated = draft?.allocated ?? takenMinor({ buys, open });
  return {
    brief: row.brief ?? undefined,
    storefronts:
      row.storefront_ids === null ? undefined : await storefrontsOf(ctx, fromJson(row.storefront_ids)),
    optimizationApplyMode: row.optimization_apply_mode,
    allocatedBudget: toMajor(allocated, row.currency),
    unallocatedBudget: toMajor(row.budget_minor - allocated, row.currency),
    discoveryId: discoveryId ?? undefined,
    revision: row.version,
    productCount: draft?.products.length,
    products: draft?.products,
    pendingUpdate: pendingUpdate(row),
    warnings: withAwaited(
      awaited,
      draft?.warnings ?? warningsOfNone(row, { buys, open, taken: allocated, now: ctx.now }),
    ),
    mediaBuyRefs: buys.map((buy) => mediaBuyReferenceRecord(buy, open)),
    mediaBuys: buys.map((buy) => campaignMediaBuyRecord(buy, open)),
    // Last: V8 takes a slow path for fields that follow a spread, and this is read more than all else.
    ...settingsOf(row),
    ...campaignSummaryRecord(row),
  };
}

/** What waits for another person is told first: while it does, the rest can wait. */
function withAwaited(awaited: readonly SpendApprovalRow[], warnings: string[] | undefined) {
  return awaited.length === 0 ? warnings : [...awaited.map(awaitedInWords), ...(warnings ?? [])];
}

interface Running {
  readonly buys: readonly MediaBuyRow[];
  readonly open: readonly MediaBuyChangeRow[];
  /** What they take of its budget, minor units. */
  readonly taken: number;
  readonly now: string;
}

/** Where there is no choice to hold it against: of a draft that this is so. */
function warningsOfNone(row: CampaignRow, running: Running): string[] | undefined {
  const isWithout = row.status === 'DRAFT' && row.discovery_id === null;
  return isWithout ? stopsWithoutChoice(row, running.now) : warningsOfRunning(row, running);
}

function warningsOfRunning(row: CampaignRow, { buys, open, taken, now }: Running): string[] | undefined {
  const more = [waitingUnasked(row, { buys, open }), beyondTotal(row, { buys, taken })];
  const warnings = [...(warningsOfLiving(row, { buys, open, now }) ?? []), ...more].filter(
    (one) => one !== undefined,
  );
  return warnings.length === 0 ? undefined : warnings;
}

/** What a draft is to buy from its session, and what stands in its way. */
async function draftOf(
  ctx: Context,
  row: CampaignRow,
  { discoveryId, buys }: { readonly discoveryId: string; readonly buys: readonly MediaBuyRow[] },
) {
  const selections = await listSelections(ctx.db, ctx.scope, discoveryId);
  const terms = ahead(row, ctx.now);
  const undeclared = await undeclaredWarnings(ctx.db, selections, [row]);
  // This is read more than all else: fees where they decide something, and no look at them without a choice.
  const fees = selections.length === 0 ? () => undefined : (await feesOfCampaigns(ctx, [row]))(row);
  const stops =
    selections.length === 0
      ? stopsWithoutChoice(row, ctx.now)
      : await stopsOf(ctx, row, { selections, fees, before: buys });
  const omitted = await omittedOf(ctx, discoveryId, selections);
  const warnings = fewWarnings([...omitted, ...stops, ...undeclared, ...warningsOf(terms, selections, fees)]);
  return {
    products: selections.map(({ product_id }) => ({ productId: product_id })),
    allocated: planOf(terms, selections).allocated,
    warnings: warnings.length === 0 ? undefined : warnings,
  };
}

async function storefrontsOf(ctx: Context, ids: readonly number[]) {
  const found = await findStorefrontsByIdOrName(ctx.db, ctx.scope, { ids, names: [] });
  return found.map(({ id, platform_id, name }) => ({ id, platformId: platform_id, name }));
}
