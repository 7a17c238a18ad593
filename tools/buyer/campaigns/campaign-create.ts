import { z } from 'zod';
import { type AdvertiserRow, lockCurrency } from '../../../store/advertisers.ts';
import { type CampaignRow, insertCampaign } from '../../../store/campaigns.ts';
import { listSelections } from '../../../store/discovery-selections.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { findStorefrontsByIdOrName } from '../../../store/unscoped/market.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { currencyMismatch, invalid, invalidInput, staleWrite } from '../../core/errors/refusals.ts';
import { nameGiven } from '../../core/validation.ts';
import { requireActive } from '../../domain/advertisers/active.ts';
import { advertiserKind, reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { asOne, constraintProblems } from '../../domain/buying/choice-problems.ts';
import { requireAhead } from '../../domain/buying/flight.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { attachable } from '../../domain/discovery/attachment.ts';
import { numericId, prefixedId } from '../../domain/ids.ts';
import { decimalsOf, toMinor } from '../../domain/money.ts';
import { exampleFlight } from '../../domain/time.ts';
import { campaignRecord } from './record.ts';
import { campaign, campaignFields, campaignModes, campaignSpellings } from './schema.ts';

const input = z.strictObject({
  advertiserId: numericId('the advertiser'),
  name: campaignFields.name,
  mode: z.enum(campaignModes).optional().describe('How its products are chosen: by discovery.'),
  budget: campaignFields.budget,
  flightDates: campaignFields.flightDates,
  brief: campaignFields.brief.optional(),
  constraints: campaignFields.constraints.optional(),
  storefrontIds: z
    .array(numericId('a storefront'))
    .max(50)
    .optional()
    .describe('Pins the campaign to these sellers.'),
  discoveryId: prefixedId('the discovery session whose choice it buys', 'disc_').optional(),
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
  notBuilt: [
    'mode=performance',
    'mode=directed',
    'productIds',
    'performanceConfig',
    'audienceConfig',
    'optimizationApplyMode',
    'catalogId',
    'pacingPeriods',
    'utmConfig',
    'dataDelivery',
    'frequencyCaps',
    'constraints.geo_countries_exclude',
    'constraints.geo_regions',
    'constraints.geo_regions_exclude',
    'constraints.geo_metros',
    'constraints.geo_metros_exclude',
    'constraints.geo_postal_areas',
    'constraints.geo_postal_areas_exclude',
    'constraints.language',
    'constraints.device_platform',
    'constraints.device_type',
    'constraints.device_type_exclude',
    'constraints.countries',
  ],
  output: z.object({ campaign: campaign.describe('The campaign.') }),
  errors: ['NOT_FOUND', 'CURRENCY_MISMATCH', 'CONFLICT'],
  find: async (ctx, { advertiserId, discoveryId }) => {
    const advertiser = await reachAdvertiser(ctx, advertiserId);
    if (discoveryId !== undefined) await attachable(ctx, discoveryId, advertiser);
    return advertiser;
  },
  handler: async (ctx, request, advertiser) => {
    requireActive(advertiser);
    requireAhead(nameGiven(request, 'flightDates.endDate'), request.flightDates, ctx.now);
    await requireStorefronts(ctx, request.storefrontIds ?? []);
    const draft = newCampaign(ctx, request, advertiser);
    await requireFitting(ctx, draft);

    const row = await ctx.write(
      async (tx) => {
        await keepCurrency(ctx, tx, advertiser);
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

async function requireStorefronts(ctx: Context, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await findStorefrontsByIdOrName(ctx.db, { ids, names: [] });
  const issues = ids.flatMap((id, index) =>
    found.some((row) => row.id === id)
      ? []
      : [{ path: `storefrontIds.${index}`, message: 'No such storefront.' }],
  );
  if (issues.length > 0) throw invalidInput(issues, { suggestion: 'Find storefronts with storefront_list.' });
}

/** What was chosen has to stay where the campaign stays. What can still be corrected is said in its warnings. */
async function requireFitting(
  ctx: Context,
  draft: Pick<CampaignRow, 'constraints' | 'discovery_id'>,
): Promise<void> {
  if (draft.discovery_id === null || draft.constraints === null) return;
  const selections = await listSelections(ctx.db, ctx.scope, draft.discovery_id);
  const refused = asOne(selections.flatMap(({ product }) => constraintProblems(fromJson(product), draft)));
  if (refused !== undefined) throw refused;
}

function newCampaign(
  ctx: Context,
  request: Input,
  advertiser: AdvertiserRow,
): Omit<CampaignRow, 'organization_id' | 'customer_id'> {
  const { budget, flightDates, constraints, storefrontIds } = request;
  const currency = advertiser.primary_currency;
  if (budget.currency !== undefined && budget.currency !== currency) {
    throw currencyMismatch(
      'budget.currency',
      `The advertiser pays in ${currency}, not in ${budget.currency}.`,
    );
  }
  return {
    id: ctx.newId('cmp'),
    advertiser_id: advertiser.id,
    name: request.name,
    status: 'DRAFT',
    start_at: flightDates.startDate,
    end_at: flightDates.endDate,
    budget_minor: minor(nameGiven(request, 'budget.total'), budget.total, currency),
    currency,
    daily_cap_minor:
      budget.dailyCap === undefined ? null : minor('budget.dailyCap', budget.dailyCap, currency),
    pacing: budget.pacing ?? null,
    brief: request.brief ?? null,
    constraints: constraints === undefined ? null : toJson(constraints),
    storefront_ids: storefrontIds === undefined || storefrontIds.length === 0 ? null : toJson(storefrontIds),
    discovery_id: request.discoveryId ?? null,
    optimization_apply_mode: advertiser.optimization_apply_mode,
    version: 1,
    created_at: ctx.now,
    updated_at: ctx.now,
    archived_at: null,
  };
}

function minor(field: string, amount: number, currency: string): number {
  const value = toMinor(amount, currency);
  if (value === undefined)
    throw invalid(field, `${currency} has ${decimalsOf(currency)} decimals at the most.`);
  return value;
}
