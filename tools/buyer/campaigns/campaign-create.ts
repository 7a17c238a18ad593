import { z } from 'zod';
import { type AdvertiserRow, lockCurrency } from '../../../store/advertisers.ts';
import { type CampaignRow, campaignModes, insertCampaign } from '../../../store/campaigns.ts';
import { listSelections, putSelections } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { invalid, staleWrite } from '../../core/errors/refusals.ts';
import { nameGiven } from '../../core/validation.ts';
import { requireActive } from '../../domain/advertisers/active.ts';
import { capsColumn } from '../../domain/advertisers/delivery-columns.ts';
import { advertiserKind, reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { asOne, constraintProblems } from '../../domain/buying/choice-problems.ts';
import { requireAhead } from '../../domain/buying/flight.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { targetingProblems } from '../../domain/buying/targeting.ts';
import { attachable } from '../../domain/discovery/attachment.ts';
import { type Chosen, choose } from '../../domain/discovery/choose.ts';
import { roomForChoices } from '../../domain/discovery/quotas.ts';
import { numericId, prefixedId } from '../../domain/ids.ts';
import { shortText } from '../../domain/text.ts';
import { exampleFlight } from '../../domain/time.ts';
import {
  constraintsColumn,
  minorOf,
  modeOf,
  requireCurrency,
  requirePeriods,
  requireStorefronts,
  storefrontsColumn,
  utmAfter,
} from './columns.ts';
import { campaignRecord } from './record.ts';
import { campaign, campaignFields, campaignNotBuilt, campaignSpellings } from './schema.ts';

const input = z.strictObject({
  advertiserId: numericId('the advertiser'),
  name: campaignFields.name,
  mode: z.enum(campaignModes).optional().describe('performance where sellers are to optimize for goals.'),
  budget: campaignFields.budget,
  flightDates: campaignFields.flightDates,
  brief: campaignFields.brief.optional(),
  constraints: campaignFields.constraints.optional(),
  storefrontIds: campaignFields.storefrontIds.optional(),
  discoveryId: prefixedId('the discovery session whose choice it buys', 'disc_').optional(),
  productIds: z
    .array(shortText(255))
    .max(100)
    .optional()
    .describe('Products of the session to choose as well.'),
  pacingPeriods: campaignFields.pacingPeriods.optional(),
  performanceConfig: campaignFields.performanceConfig.optional(),
  utmConfig: campaignFields.utmConfig.optional(),
  frequencyCaps: campaignFields.frequencyCaps.optional(),
  optimizationApplyMode: campaignFields.optimizationApplyMode.optional(),
});

type Input = z.output<typeof input>;

export const campaignCreate = defineTool({
  name: 'campaign_create',
  title: 'Create campaign',
  example: {
    advertiserId: 1,
    name: 'Spring launch',
    budget: { total: 1_000 },
    flightDates: exampleFlight,
    discoveryId: 'disc_example',
  },
  description:
    'Creates a draft campaign: name, budget and flight dates for an advertiser. With a discoveryId it buys the ' +
    'products chosen in that session. Nothing is spent before campaign_execute. Returns the campaign; what would ' +
    'stop or curtail it is in warnings.',
  effect: 'create',
  audit: { kind: campaignKind, ofResult: ({ campaign: made }) => made.campaignId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/campaigns', status: 201 },
  input,
  spellings: campaignSpellings,
  notBuilt: ['mode=directed', ...campaignNotBuilt],
  output: z.object({ campaign: campaign.describe('The campaign.') }),
  errors: ['NOT_FOUND', 'CURRENCY_MISMATCH', 'CONFLICT'],
  find: async (ctx, { advertiserId, discoveryId, storefrontIds = [] }) => {
    const advertiser = await reachAdvertiser(ctx, advertiserId);
    const session = discoveryId === undefined ? undefined : await attachable(ctx, discoveryId, advertiser);
    await requireStorefronts(ctx, storefrontIds);
    return { advertiser, session };
  },
  handler: async (ctx, request, { advertiser, session }) => {
    requireActive(advertiser);
    requireAhead(nameGiven(request, 'flightDates.endDate'), request.flightDates, ctx.now);
    const draft = newCampaign(ctx, request, advertiser);
    requirePeriods(request.pacingPeriods, draft);
    const chosen = await newlyChosen(ctx, request.productIds ?? [], session);
    await requireFitting(ctx, draft, chosen);

    const row = await ctx.write(
      async (tx) => {
        await keepCurrency(ctx, tx, advertiser);
        await putSelections(tx, ctx.scope, chosen);
        if (session !== undefined && chosen.length > 0) await roomForChoices(ctx, tx, session.id);
        return insertCampaign(tx, ctx.scope, draft);
      },
      ({ id, name }) => ({ resourceId: id, resourceName: name, advertiserId: advertiser.id }),
    );

    return { campaign: await campaignRecord(ctx, row) };
  },
});

/** The first campaign fixes the currency of its advertiser: the one that it was checked against. */
async function keepCurrency(ctx: Context, tx: Db, advertiser: AdvertiserRow): Promise<void> {
  if (advertiser.currency_locked === 1) return;
  const { id, primary_currency: currency } = advertiser;
  if (!(await lockCurrency(tx, ctx.scope, { id, currency, now: ctx.now }))) throw staleWrite(advertiserKind);
}

/** The products that are named and were not chosen yet: one chosen before keeps its price and its budget. */
async function newlyChosen(
  ctx: Context,
  productIds: readonly string[],
  session: DiscoverySessionRow | undefined,
): Promise<readonly Chosen[]> {
  if (productIds.length === 0) return [];
  if (session === undefined) {
    throw invalid('productIds', 'They are products of a discovery session: give its discoveryId as well.');
  }
  const before = await listSelections(ctx.db, ctx.scope, session.id);
  const wanted = [...new Set(productIds)].filter((id) => before.every((one) => one.product_id !== id));
  const choices = wanted.map((productId) => ({
    productId,
    calledAs: `productIds.${productIds.indexOf(productId)}`,
  }));
  return choose(ctx, session, choices);
}

/** What was chosen has to stay where the campaign stays. What can still be corrected is said in its warnings. */
async function requireFitting(
  ctx: Context,
  draft: Pick<CampaignRow, 'constraints' | 'discovery_id'>,
  chosen: readonly Chosen[],
): Promise<void> {
  if (draft.discovery_id === null || draft.constraints === null) return;
  const before = await listSelections(ctx.db, ctx.scope, draft.discovery_id);
  const refused = asOne(
    [...before, ...chosen].flatMap((choice) => [
      ...constraintProblems(fromJson(choice.product), draft),
      ...targetingProblems(choice, draft),
    ]),
  );
  if (refused !== undefined) throw refused;
}

function newCampaign(
  ctx: Context,
  request: Input,
  advertiser: AdvertiserRow,
): Omit<CampaignRow, 'organization_id' | 'customer_id'> {
  const { budget, flightDates, constraints = {}, storefrontIds = [], performanceConfig } = request;
  const currency = advertiser.primary_currency;
  requireCurrency(budget.currency, currency);
  const goals = performanceConfig === undefined ? null : toJson(performanceConfig.optimizationGoals);
  return {
    id: ctx.newId('cmp'),
    advertiser_id: advertiser.id,
    sandbox: advertiser.sandbox,
    name: request.name,
    status: 'DRAFT',
    start_at: flightDates.startDate,
    end_at: flightDates.endDate,
    budget_minor: minorOf(nameGiven(request, 'budget.total'), budget.total, currency),
    currency,
    daily_cap_minor:
      budget.dailyCap === undefined ? null : minorOf('budget.dailyCap', budget.dailyCap, currency),
    pacing: budget.pacing ?? null,
    brief: request.brief ?? null,
    mode: modeOf(request.mode, goals),
    constraints: constraintsColumn(constraints),
    pacing_periods: request.pacingPeriods === undefined ? null : toJson(request.pacingPeriods),
    optimization_goals: goals,
    storefront_ids: storefrontsColumn(storefrontIds),
    utm_config: utmAfter(request.utmConfig) ?? null,
    frequency_caps: capsColumn(ctx, request.frequencyCaps) ?? null,
    discovery_id: request.discoveryId ?? null,
    optimization_apply_mode: request.optimizationApplyMode ?? advertiser.optimization_apply_mode,
    version: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
  };
}
