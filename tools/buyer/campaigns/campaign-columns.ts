import type { UtmParameter } from '../../../store/advertisers.ts';
import { type CampaignRow, campaignModes, type PacingPeriods } from '../../../store/campaigns.ts';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import { findStorefrontsByIdOrName } from '../../../store/unscoped/market.ts';
import type { Context } from '../../core/context.ts';
import { currencyMismatch } from '../../core/errors/money-refusals.ts';
import { invalid, invalidInput } from '../../core/errors/refusals.ts';
import { utmColumn } from '../../domain/advertisers/delivery-columns.ts';
import { UTM_MAX } from '../../domain/advertisers/delivery-fields.ts';
import { keptConstraints } from '../../domain/campaigns/constraints.ts';
import { pacingProblems } from '../../domain/campaigns/pacing-periods.ts';
import { noSuchAmount, toMinor } from '../../domain/money.ts';

/** What callers write as columns of a campaign, the same where it is made and where it is changed. */

/** An amount as minor units; `field` is the caller's name for it. */
export function minorOf(field: string, amount: number, currency: string): number {
  const value = toMinor(amount, currency);
  if (value === undefined) throw invalid(field, noSuchAmount(currency));
  return value;
}

/** A campaign pays in the currency of its advertiser. */
export function requireCurrency(given: string | undefined, currency: string): void {
  if (given === undefined || given === currency) return;
  throw currencyMismatch('budget.currency', `The advertiser pays in ${currency}, not in ${given}.`);
}

export async function requireStorefronts(ctx: Context, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const found = await findStorefrontsByIdOrName(ctx.db, ctx.scope, { ids, names: [] });
  const issues = ids.flatMap((id, index) =>
    found.some((row) => row.id === id)
      ? []
      : [{ path: `storefrontIds.${index}`, message: 'No such storefront.' }],
  );
  if (issues.length > 0) throw invalidInput(issues, { suggestion: 'Find storefronts with storefront_list.' });
}

type Bounds = Pick<CampaignRow, 'start_at' | 'end_at' | 'budget_minor' | 'currency'>;

/** Periods fit the flight and the budget that they are periods of. */
export function requirePeriods(pacing: PacingPeriods | null | undefined, bounds: Bounds): void {
  if (pacing === null || pacing === undefined) return;
  const { start_at: startAt, end_at: endAt, budget_minor: budgetMinor, currency } = bounds;
  const issues = pacingProblems(pacing, { startAt, endAt, budgetMinor, currency });
  if (issues.length > 0) throw invalidInput(issues);
}

/** Lists and objects as they are stored: what narrows nothing is null. */
export function constraintsColumn(given: Parameters<typeof keptConstraints>[0]): CampaignRow['constraints'] {
  const kept = keptConstraints(given);
  return kept === undefined ? null : toJson(kept);
}

export function storefrontsColumn(ids: readonly number[]): CampaignRow['storefront_ids'] {
  return ids.length === 0 ? null : toJson([...ids]);
}

/** The tags after a change: each by its name, and none that is not named where the rest is to go. */
export function utmAfter(
  given:
    | { readonly params: readonly UtmParameter[]; readonly deleteMissing?: boolean | undefined }
    | undefined,
  before: CampaignRow['utm_config'] = null,
): CampaignRow['utm_config'] | undefined {
  if (given === undefined) return undefined;
  const { params, deleteMissing = false } = given;
  const stay = deleteMissing || before === null ? [] : fromJson(before);
  const named = new Map([...stay, ...params].map((tag) => [tag.paramKey, tag]));
  if (named.size > UTM_MAX)
    throw invalid('utmConfig.params', `Together with those there are, ${UTM_MAX} at the most.`);
  return utmColumn([...named.values()]);
}

/** Goals make a performance campaign, unless the caller says otherwise; one without goals is none. */
export function modeOf(
  mode: (typeof campaignModes)[number] | undefined,
  goals: CampaignRow['optimization_goals'],
): (typeof campaignModes)[number] {
  const [discovery, performance] = campaignModes;
  if (mode === performance && goals === null) {
    throw invalid('performanceConfig', 'Required: a performance campaign has goals.');
  }
  return mode ?? (goals === null ? discovery : performance);
}
