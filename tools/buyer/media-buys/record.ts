import type { z } from 'zod';
import { findCampaign } from '../../../store/campaigns.ts';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import { listMediaBuyVersions } from '../../../store/media-buy-versions.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { findSeller } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import type { Digest } from '../../core/ports.ts';
import { awaitedOf } from '../../domain/approvals/awaited.ts';
import { deliveredByPackage } from '../../domain/buying/answers/performance.ts';
import { boundStillInWords } from '../../domain/buying/changes/bound-still.ts';
import { LAST_CHANGES, lastChanges, saidByNow } from '../../domain/buying/changes/late-changes.ts';
import { packagesNow, productIdsOf, statusOfPackage } from '../../domain/buying/choice/package-lines.ts';
import { hasEnded } from '../../domain/buying/machines.ts';
import { accountInWords } from '../../domain/buying/orders/order-accounts.ts';
import { orderLines } from '../../domain/buying/payloads.ts';
import { budgetParts, packageBudget } from '../../domain/buying/spend/budget-parts.ts';
import { beganLate } from '../../domain/buying/spend/late-beginnings.ts';
import { awaitedForInWords } from '../../domain/buying/standing/awaited-spends.ts';
import { standingOf } from '../../domain/buying/standing/buy-standing.ts';
import { packagesTold } from '../../domain/buying/standing/pending-change.ts';
import { versionHash } from '../../domain/buying/versions.ts';
import { toMajor } from '../../domain/money.ts';
import type { mediaBuy } from './schema.ts';

/** A media buy with its versions and the changes that were asked of it. */
export async function mediaBuyRecord(ctx: Context, row: MediaBuyRow): Promise<z.input<typeof mediaBuy>> {
  const asked = { mediaBuyId: row.id, limit: LAST_CHANGES };
  const versions = await listMediaBuyVersions(ctx.db, ctx.scope, asked);
  const changes = await saidByNow(ctx.db, row, {
    changes: await lastChanges(ctx.db, row, LAST_CHANGES),
    now: ctx.now,
  });
  return {
    ...mediaBuyColumns(row, ctx.services.ports.digest),
    standing: standingOf(row, changes, {
      now: ctx.now,
      graceMs: ctx.services.limits.endGraceMs,
      takeovers: ctx.services.limits.orderTakeovers,
      late: await beganLate(ctx.db, row, ctx.now),
      hasLeft: await hasLeft(ctx, row),
      ...(await ofCampaign(ctx, row)),
      account: hasEnded(row.status) ? undefined : await accountInWords(ctx, row),
    }),
    history: [asVersion(row), ...versions.map((one) => asVersion({ ...one, currency: row.currency }))],
    changes: changes.slice(0, LAST_CHANGES).map((one) => asChange(one, boundStillInWords(row, one, changes))),
  };
}

/**
 * Where the campaign of a buy stands, and what waits there: for one that has come to its end it decides nothing, and
 * is not looked up.
 */
async function ofCampaign(ctx: Context, row: MediaBuyRow) {
  const campaign = hasEnded(row.status) ? undefined : await findCampaign(ctx.db, ctx.scope, row.campaign_id);
  if (campaign === undefined) return {};
  const awaited = awaitedForInWords(row, await awaitedOf(ctx, campaign));
  return { campaign: campaign.status, awaited };
}

/** Whether the seller of an order of which nobody knows is not there to be asked. Of others it is not looked up. */
async function hasLeft({ db, scope }: Context, { submission, agent_id }: MediaBuyRow): Promise<boolean> {
  return submission === 'unknown' && (await findSeller(db, scope, agent_id)) === undefined;
}

type Versioned = Pick<
  MediaBuyRow,
  | 'status'
  | 'valid_from'
  | 'budget_minor'
  | 'currency'
  | 'start_time'
  | 'end_time'
  | 'updated_by'
  | 'updated_reason'
  | 'suggestion_id'
> & { readonly valid_to?: string };

function asVersion(row: Versioned) {
  return {
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    status: row.status,
    budget: toMajor(row.budget_minor, row.currency),
    start_time: row.start_time,
    end_time: row.end_time,
    updated_by: row.updated_by ?? undefined,
    updated_reason: row.updated_reason ?? undefined,
    suggestion_id: row.suggestion_id ?? undefined,
  };
}

function asChange(row: MediaBuyChangeRow, boundStill: string | undefined) {
  const { action, state, created_at, requested_by, reason, source_message } = row;
  return {
    action,
    ...packagesTold(row),
    state,
    asked_at: created_at,
    asked_by: requested_by ?? undefined,
    reason: reason ?? undefined,
    message: boundStill ?? source_message ?? undefined,
  };
}

function mediaBuyColumns(row: MediaBuyRow, digest: Digest): Omit<z.input<typeof mediaBuy>, 'standing'> {
  return {
    media_buy_id: row.id,
    customer_id: row.customer_id,
    name: row.name,
    status: row.status,
    created_at: row.created_at,
    updated_at: row.updated_at,
    version_hash: versionHash(row, digest),
    valid_from: row.valid_from,
    updated_by: row.updated_by ?? undefined,
    updated_reason: row.updated_reason ?? undefined,
    suggestion_id: row.suggestion_id ?? undefined,
    start_time: row.start_time,
    end_time: row.end_time,
    budget: toMajor(row.budget_minor, row.currency),
    budget_currency: row.currency,
    ...budgetParts(row),
    products: fromJson(row.products).map((product, index) => ({
      product_id: product.product_id,
      product_name: product.name,
      sales_agent_id: row.agent_id,
      sales_agent_name: row.agent_name,
      budget: toMajor(product.budget_minor, row.currency),
      pricing_option_id: product.pricing_option_id,
      bid_price: product.bid_price ?? undefined,
      pacing: product.pacing,
      targeting_overlay: product.targeting_overlay,
      display_order: index + 1,
      creative_formats: product.format_ids.map(({ agent_url, id }) => ({ agent_url, id })),
    })),
    packages: packagesOf(row),
    creatives: [],
    optimization_goals: goalsOf(row),
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

/** What was ordered, where it stands and what came of it. */
export function compactMediaBuy(record: z.input<typeof mediaBuy>): z.input<typeof mediaBuy> {
  return {
    media_buy_id: record.media_buy_id,
    name: record.name,
    status: record.status,
    updated_reason: record.updated_reason,
    start_time: record.start_time,
    end_time: record.end_time,
    budget: record.budget,
    budget_currency: record.budget_currency,
    products: record.products.map(({ creative_formats, display_order, ...said }) => said),
    packages: record.packages.map((part) => shortPackage(part, record)),
    adcp: record.adcp,
    performance: record.performance,
    sandbox: record.sandbox,
    archived_at: record.archived_at,
    standing: shortly(record.standing),
  };
}

type Package = z.input<typeof mediaBuy>['packages'][number];

/** Where a package stands is told of one that does not go on, and when it runs where that is not when its buy does. */
function shortPackage(
  { package_id, product_id, budget, status, start_time, end_time }: Package,
  buy: z.input<typeof mediaBuy>,
) {
  return {
    package_id,
    product_id,
    budget,
    status: status === 'active' ? undefined : status,
    start_time: start_time === buy.start_time ? undefined : start_time,
    end_time: end_time === buy.end_time ? undefined : end_time,
  };
}

/** What it waits for and who has to do what, without what is looked up. */
function shortly(standing: z.input<typeof mediaBuy>['standing']) {
  const { forwardedAt, pendingSince, ...said } = standing;
  return said;
}

/** Goals of its own, or those that its order was sent with. */
function goalsOf(buy: MediaBuyRow): { [field: string]: unknown }[] {
  if (buy.optimization_goals !== null) return fromJson(buy.optimization_goals).map((goal) => ({ ...goal }));
  const told = orderLines(buy).flatMap(({ optimization_goals = [] }) => optimization_goals);
  return [...new Map(told.map((goal) => [JSON.stringify(goal), { ...goal }])).values()];
}

function packagesOf(row: MediaBuyRow): z.input<typeof mediaBuy>['packages'] {
  const [products, delivered] = [fromJson(row.products), deliveredByPackage(row)];
  return packagesNow(row).map((part) => ({
    package_id: part.package_id,
    product_id: part.product_id,
    budget: packageBudget(row, part),
    status: statusOfPackage(row, part),
    start_time: part.shown_start ?? part.start_time,
    end_time: part.shown_end ?? part.end_time,
    pacing: part.pacing,
    bid_price: part.bid_price,
    targeting_overlay: part.targeting_overlay,
    delivery: delivered.get(part.package_id),
    product_ids: productIdsOf(products, part),
    creatives: [],
    created_at: row.created_at,
    sales_agent_id: row.agent_id,
    sales_agent_name: row.agent_name,
  }));
}
