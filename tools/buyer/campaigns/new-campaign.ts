import { z } from 'zod';
import { type AdvertiserRow, lockCurrency } from '../../../store/advertisers.ts';
import { type CampaignRow, campaignModes, campaignTypes } from '../../../store/campaigns.ts';
import { listSelections } from '../../../store/discovery-selections.ts';
import { fromFlag, fromJson, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { invalid, invalidInput, staleWrite } from '../../core/errors/refusals.ts';
import { capsColumn } from '../../domain/advertisers/delivery-columns.ts';
import { advertiserKind } from '../../domain/advertisers/reach.ts';
import { asOne, constraintProblems } from '../../domain/buying/choice/choice-problems.ts';
import { pastProblems } from '../../domain/buying/choice/flight.ts';
import { targetingProblems } from '../../domain/buying/choice/targeting.ts';
import type { Stage } from '../../domain/buying/ways-out.ts';
import { pacingProblems } from '../../domain/campaigns/pacing-periods.ts';
import type { Chosen } from '../../domain/discovery/choosing/choose.ts';
import { requireTargetable } from '../../domain/discovery/declared-targeting.ts';
import { numericId } from '../../domain/ids.ts';
import {
  constraintsColumn,
  minorOf,
  modeOf,
  moneyProblems,
  storefrontsColumn,
  UNREAD,
  utmAfter,
} from './campaign-columns.ts';
import { campaignFields } from './schema.ts';

/** What a campaign is made of, whoever makes it. */
export const newCampaignFields = {
  advertiserId: numericId('the advertiser'),
  name: campaignFields.name,
  mode: z.enum(campaignModes).optional().describe('performance where sellers are to optimize for goals.'),
  campaignType: z.enum(campaignTypes).optional().describe('Kept as it is given; nothing depends on it.'),
  budget: campaignFields.budget,
  flightDates: campaignFields.flightDates,
  brief: campaignFields.brief.optional(),
  constraints: campaignFields.constraints.optional(),
  storefrontIds: campaignFields.storefrontIds.optional(),
  pacingPeriods: campaignFields.pacingPeriods.optional(),
  performanceConfig: campaignFields.performanceConfig.optional(),
  utmConfig: campaignFields.utmConfig.optional(),
  frequencyCaps: campaignFields.frequencyCaps.optional(),
  optimizationApplyMode: campaignFields.optimizationApplyMode.optional(),
};

const given = z.strictObject(newCampaignFields);

export type NewCampaign = z.output<typeof given> & { readonly discoveryId?: string | undefined };

/** Whether a campaign would be the first of its advertiser. */
export function fixesCurrency({ currency_locked }: Pick<AdvertiserRow, 'currency_locked'>): boolean {
  return currency_locked === 0;
}

/** The first campaign fixes the currency of its advertiser: the one that it was checked against. */
export async function keepCurrency(ctx: Context, tx: Db, advertiser: AdvertiserRow): Promise<void> {
  if (!fixesCurrency(advertiser)) return;
  const { id, primary_currency: currency } = advertiser;
  if (!(await lockCurrency(tx, ctx.scope, { id, currency, now: ctx.now }))) throw staleWrite(advertiserKind);
}

/** What was chosen has to stay where the campaign stays. What can still be corrected is said in its warnings. */
export async function requireFitting(
  ctx: Context,
  draft: Pick<CampaignRow, 'constraints' | 'discovery_id' | 'sandbox' | 'status'>,
  chosen: readonly Chosen[],
): Promise<void> {
  const { discovery_id: id, constraints, sandbox } = draft;
  if (id === null || (constraints === null && !fromFlag(sandbox))) return;
  const all = [...(await listSelections(ctx.db, ctx.scope, id)), ...chosen];
  if (constraints !== null) requireFit(draft, all, 'new');
  await requireTargetable(ctx, { chosen: all, drafts: [draft], sandbox }, { stage: 'new' });
}

/** The same of a choice as it will stand. */
export function requireFit(
  draft: Pick<CampaignRow, 'constraints'>,
  selections: readonly Chosen[],
  stage: Stage,
): void {
  const refused = asOne(
    selections.flatMap((choice) => [
      ...constraintProblems(fromJson(choice.product), draft, stage),
      ...targetingProblems(choice, draft, stage),
    ]),
  );
  if (refused !== undefined) throw refused;
}

/** Everything that is wrong with what a campaign is to be made of, as far as the call and its advertiser show it. */
export function problemsOfNew(
  request: Omit<NewCampaign, 'advertiserId'>,
  { primary_currency: own }: Pick<AdvertiserRow, 'primary_currency'>,
  now: string,
): AppError[] {
  const { budget, flightDates, mode, performanceConfig, pacingPeriods } = request;
  const { startDate: startAt, endDate: endAt } = flightDates;
  const { currency = own } = budget;
  const money = moneyProblems(budget, own);
  const budgetMinor = money.length > 0 ? UNREAD : minorOf('budget.total', budget.total, own);
  const periods =
    pacingPeriods === undefined
      ? []
      : pacingProblems(pacingPeriods, { startAt, endAt, budgetMinor, currency });
  const isWithoutGoals = mode === 'performance' && performanceConfig === undefined;
  return [
    ...money,
    ...pastProblems('flightDates.endDate', flightDates, now),
    ...(isWithoutGoals ? [invalid('performanceConfig', 'Required: a performance campaign has goals.')] : []),
    ...(periods.length === 0 ? [] : [invalidInput(periods)]),
  ];
}

export function newCampaign(
  ctx: Context,
  request: NewCampaign,
  advertiser: AdvertiserRow,
): Omit<CampaignRow, 'organization_id' | 'customer_id'> {
  const { budget, flightDates, constraints = {}, storefrontIds = [], performanceConfig } = request;
  const currency = advertiser.primary_currency;
  const goals = performanceConfig === undefined ? null : toJson(performanceConfig.optimizationGoals);
  return {
    id: ctx.newId('cmp'),
    advertiser_id: advertiser.id,
    sandbox: advertiser.sandbox,
    name: request.name,
    status: 'DRAFT',
    start_at: flightDates.startDate,
    end_at: flightDates.endDate,
    budget_minor: minorOf('budget.total', budget.total, currency),
    currency,
    daily_cap_minor:
      budget.dailyCap === undefined ? null : minorOf('budget.dailyCap', budget.dailyCap, currency),
    pacing: budget.pacing ?? null,
    brief: request.brief ?? null,
    mode: modeOf(request.mode, goals),
    campaign_type: request.campaignType ?? null,
    constraints: constraintsColumn(constraints),
    pacing_periods: request.pacingPeriods === undefined ? null : toJson(request.pacingPeriods),
    optimization_goals: goals,
    storefront_ids: storefrontsColumn(storefrontIds),
    waiting_limits: null,
    spend_asked: 0,
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
