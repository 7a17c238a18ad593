import type { UtmParameter } from '../../../store/advertisers.ts';
import { type CampaignRow, campaignModes } from '../../../store/campaigns.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import { findStorefrontsByIdOrName } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { currencyMismatch } from '../../core/errors/money-refusals.ts';
import { invalid, invalidInput } from '../../core/errors/refusals.ts';
import { throwTogether } from '../../core/errors/told-together.ts';
import { utmColumn } from '../../domain/advertisers/delivery-columns.ts';
import { UTM_MAX } from '../../domain/advertisers/delivery-fields.ts';
import { keptConstraints } from '../../domain/campaigns/constraints.ts';
import { noSuchAmount, toMinor } from '../../domain/money.ts';

/** What callers write as columns of a campaign, the same where it is made and where it is changed. */

/** An amount as minor units; `field` is the caller's name for it. */
export function minorOf(field: string, amount: number, currency: string): number {
  const value = toMinor(amount, currency);
  if (value === undefined) throw invalid(field, noSuchAmount(currency));
  return value;
}

interface Money {
  readonly total?: number | null | undefined;
  readonly dailyCap?: number | null | undefined;
  readonly currency?: string | null | undefined;
}

/** What is wrong with a budget by itself: a campaign pays in the currency of its advertiser. */
export function moneyProblems(budget: Money, currency: string): AppError[] {
  const { total, dailyCap } = budget;
  const given = budget.currency ?? currency;
  const issues = Object.entries({ total, dailyCap }).flatMap(([field, amount]) =>
    // An amount in another currency is none of ours, and has the decimals of its own.
    typeof amount !== 'number' || toMinor(amount, given) !== undefined
      ? []
      : [{ path: `budget.${field}`, message: noSuchAmount(given) }],
  );
  return [
    ...(given === currency ? [] : [otherCurrency(given, currency)]),
    ...(issues.length === 0 ? [] : [invalidInput(issues)]),
  ];
}

function otherCurrency(given: string, currency: string): AppError {
  return currencyMismatch('budget.currency', `The advertiser pays in ${currency}, not in ${given}.`);
}

/** `others`: what else is wrong with the same call. */
export async function requireStorefronts(
  ctx: Context,
  ids: readonly number[],
  others: () => readonly AppError[],
): Promise<void> {
  if (ids.length === 0) return;
  const found = await findStorefrontsByIdOrName(ctx.db, ctx.scope, { ids, names: [] });
  const issues = ids.flatMap((id, index) =>
    found.some((row) => row.id === id)
      ? []
      : [{ path: `storefrontIds.${index}`, message: 'No such storefront.' }],
  );
  if (issues.length === 0) return;
  const suggestion = 'Find storefronts with storefront_list.';
  throwTogether([invalidInput(issues, { suggestion }), ...others()]);
}

/** The sum that periods are held against where the total cannot be read: none is beyond it. */
export const UNREAD = Number.MAX_SAFE_INTEGER;

/** Lists and objects as they are stored: what narrows nothing is null. */
export function constraintsColumn(given: Parameters<typeof keptConstraints>[0]): CampaignRow['constraints'] {
  const kept = keptConstraints(given);
  return kept === undefined ? null : toJson(kept);
}

export function storefrontsColumn(ids: readonly number[]): CampaignRow['storefront_ids'] {
  return ids.length === 0 ? null : toJson([...ids]);
}

interface Tags {
  readonly params: readonly UtmParameter[];
  readonly deleteMissing?: boolean | undefined;
}

/** The tags after a change: each by its name, and none that is not named where the rest is to go. */
export function utmAfter(
  given: Tags | undefined,
  before: CampaignRow['utm_config'] = null,
): CampaignRow['utm_config'] | undefined {
  return given === undefined ? undefined : utmColumn(tagsAfter(given, before));
}

export function utmProblems(given: Tags | undefined, before: CampaignRow['utm_config']): AppError[] {
  if (given === undefined || tagsAfter(given, before).length <= UTM_MAX) return [];
  return [invalid('utmConfig.params', `Together with those there are, ${UTM_MAX} at the most.`)];
}

function tagsAfter({ params, deleteMissing = false }: Tags, before: CampaignRow['utm_config']) {
  const stay = deleteMissing || before === null ? [] : fromJson(before);
  return [...new Map([...stay, ...params].map((tag) => [tag.paramKey, tag])).values()];
}

/** Goals make a performance campaign, unless the caller says otherwise. */
export function modeOf(
  mode: (typeof campaignModes)[number] | undefined,
  goals: CampaignRow['optimization_goals'],
): (typeof campaignModes)[number] {
  const [discovery, performance] = campaignModes;
  return mode ?? (goals === null ? discovery : performance);
}
