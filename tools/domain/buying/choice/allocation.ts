import type { CampaignRow } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../../core/errors/money-refusals.ts';
import { DAY_MS, endMeant } from '../../../core/moments.ts';
import { spendableMinor } from '../../campaigns/pacing-periods.ts';
import { readMoney, shareEqually, toMajor } from '../../money.ts';
import { later } from '../../time.ts';
import { type Naming, PLACES, type Stage, stageOf } from '../ways-out.ts';
import { linesOf } from './order-lines.ts';

type Budgeted = Pick<CampaignRow, 'budget_minor' | 'currency'> &
  Partial<Pick<CampaignRow, 'pacing_periods' | 'daily_cap_minor' | 'start_at' | 'end_at' | 'status'>>;
type Given = Pick<DiscoverySelectionRow, 'budget_minor'>;

interface Plan {
  /** What each chosen product gets, in the order of choosing. */
  readonly budgets: readonly number[];
  /** Together, in minor units. */
  readonly allocated: number;
  /** The budgets ask for more than there is, or leave nothing to share. */
  readonly problem?: AppError;
}

/**
 * What a campaign may spend in all: no more than its periods together, where each has a budget of its own, and no
 * more than its daily cap lets through in the days in which it spends.
 */
export function spendableOf(campaign: Budgeted): number {
  const { budget_minor, currency, pacing_periods: pacing = null } = campaign;
  const there = spendableMinor(budget_minor, pacing === null ? null : fromJson(pacing), currency);
  const { daily_cap_minor: cap = null, start_at, end_at } = campaign;
  if (cap === null || start_at === undefined || end_at === undefined) return there;
  const days = { start_at, end_at, currency, pacing_periods: pacing };
  const shares = linesOf(days, there, start_at).map((line) => {
    const { budgetMinor, startTime = start_at, endTime = end_at } = line;
    // Whole numbers of any size: what comes out to the cent is no cent less.
    const [all, perDay, spendingMs, part] = [
      there,
      cap,
      spendingBetween(startTime, endTime),
      Math.max(budgetMinor, 1),
    ].map(BigInt) as [bigint, bigint, bigint, bigint];
    return Number((all * perDay * spendingMs) / (part * BigInt(DAY_MS)));
  });
  return Math.min(there, ...shares);
}

/** Milliseconds. A part of a day is a whole one where it is all there is. */
function spendingBetween(start: string, end: string): number {
  return Math.max(DAY_MS, Date.parse(endMeant(end)) - Date.parse(start));
}

/** A campaign as it is ahead: what is past of its flight is no day to spend in. */
export function ahead<C extends Pick<CampaignRow, 'start_at'>>(campaign: C, now: string): C {
  return { ...campaign, start_at: later(campaign.start_at, now) };
}

/**
 * What each chosen product gets: its own budget, and an equal share of the rest where it has none. `committed` is
 * what other buys of the campaign have of its budget already.
 */
export function planOf(campaign: Budgeted, selections: readonly Given[], committed = 0): Plan {
  const given = selections.reduce((sum, { budget_minor }) => sum + (budget_minor ?? 0), 0);
  const sharing = selections.filter(({ budget_minor }) => budget_minor === null).length;
  const there = spendableOf(campaign) - committed;
  const rest = there - given;
  if (rest < 0 || (sharing > 0 && rest < sharing)) {
    const budgets = selections.map(({ budget_minor }) => budget_minor ?? 0);
    return { budgets, allocated: given, problem: overAllocated(campaign, given + committed, sharing) };
  }
  const shares = sharing === 0 ? [] : shareEqually(rest, sharing);
  const budgets = selections.map(({ budget_minor }) => budget_minor ?? shares.shift() ?? 0);
  return { budgets, allocated: sharing === 0 ? given : there };
}

function overAllocated(campaign: Budgeted, given: number, sharing: number): AppError {
  const { budget_minor, currency } = campaign;
  const { field, words, sums } = boundOf(campaign);
  const without = sharing === 0 ? '' : `, which leaves nothing for ${sharing} without a budget`;
  const suggestion = moreFor(campaign);
  return insufficientMediaBudget(
    `${words}; the chosen products take ${readMoney(given, currency)}${without}.`,
    {
      requestedTotal: toMajor(budget_minor, currency),
      committedAllocation: toMajor(given, currency),
      ...sums,
      // No total would be enough where something else keeps it from being spent.
      ...(field === 'budget.total' ? { minimumAllowedBudget: toMajor(given + sharing, currency) } : {}),
      currency,
    },
    suggestion === undefined ? {} : { field, suggestion },
  );
}

/** What keeps a campaign from spending more. */
interface Bound {
  readonly field: 'budget.total' | 'budget.dailyCap' | 'pacingPeriods';
  readonly spendable: number;
  /** What it says, and the sum. */
  readonly words: string;
  /** The sum by itself, where it is not the total: what refusals name beside that. */
  readonly sums: { readonly spendableTotal?: number };
}

/** Its total, or what lets less than that be spent: a larger total is of no use then. Pure. */
export function boundOf(campaign: Budgeted): Bound {
  const { budget_minor: total, currency } = campaign;
  const spendable = spendableOf(campaign);
  const sum = readMoney(spendable, currency);
  if (spendable >= total)
    return { field: 'budget.total', spendable, words: `The campaign has ${sum} (budget.total)`, sums: {} };
  const isOfCap = spendable < spendableOf({ ...campaign, daily_cap_minor: null });
  const field = isOfCap ? 'budget.dailyCap' : 'pacingPeriods';
  const sums = { spendableTotal: toMajor(spendable, currency) };
  return { field, spendable, words: `Within ${field} ${sum} can be spent in all`, sums };
}

/** How a campaign comes to spend more where a larger total is of no use; undefined where it is. */
export function wayOn(
  { field }: Pick<Bound, 'field'>,
  stage: Stage,
  naming: Naming = 'kept',
): string | undefined {
  const { terms } = PLACES[naming];
  if (field === 'budget.dailyCap') return `raise budget.dailyCap or give more days ${terms}`;
  // Periods that orders were made with stay as they are.
  if (field === 'budget.total' || stage === 'running') return undefined;
  return `give pacingPeriods larger budgets ${terms}`;
}

/** What to do so that products get more; undefined where every call is told so: the total is what they lack. */
export function moreFor(campaign: Budgeted, naming: Naming = 'kept'): string | undefined {
  const bound = boundOf(campaign);
  const isOfTotal = bound.field === 'budget.total';
  if (isOfTotal && naming === 'kept') return undefined;
  const { budgets, terms, drop } = PLACES[naming];
  const way = isOfTotal ? `raise budget.total ${terms}` : wayOn(bound, stageOf(campaign), naming);
  const less = `Change the budgets of the chosen products ${budgets}`;
  return way === undefined ? `${less}, or ${drop('some')}.` : `${less}, ${drop('some')}, or ${way}.`;
}
