import type { CampaignRow } from '../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../core/errors/refusals.ts';
import { spendableMinor } from '../campaigns/pacing-periods.ts';
import { readMoney, shareEqually, toMajor } from '../money.ts';

/** Buys of which nothing more will be spent. */
const ENDED_EARLY: ReadonlySet<string> = new Set(['CANCELED', 'REJECTED', 'FAILED', 'ARCHIVED']);

type Counted = Pick<MediaBuyRow, 'status' | 'budget_minor'> & Partial<Pick<MediaBuyRow, 'spend_minor'>>;

/** What counts against the budget of a campaign: of a buy that was called off, what it spent before. */
export function committedMinor(buys: readonly Counted[]): number {
  return buys.reduce(
    (sum, { status, budget_minor, spend_minor = 0 }) =>
      sum + (ENDED_EARLY.has(status) ? spend_minor : budget_minor),
    0,
  );
}

type Budgeted = Pick<CampaignRow, 'budget_minor' | 'currency'> & Partial<Pick<CampaignRow, 'pacing_periods'>>;
type Given = Pick<DiscoverySelectionRow, 'budget_minor'>;

interface Plan {
  /** What each chosen product gets, in the order of choosing. */
  readonly budgets: readonly number[];
  /** Together, in minor units. */
  readonly allocated: number;
  /** The budgets ask for more than there is, or leave nothing to share. */
  readonly problem?: AppError;
}

/** What a campaign may spend in all: no more than its periods together, where each has a budget of its own. */
export function spendableOf({ budget_minor, currency, pacing_periods: pacing = null }: Budgeted): number {
  return spendableMinor(budget_minor, pacing === null ? null : fromJson(pacing), currency);
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
  const spendable = spendableOf(campaign);
  const budget =
    spendable < budget_minor
      ? `The pacing periods have ${readMoney(spendable, currency)} of budget.total`
      : `budget.total is ${readMoney(budget_minor, currency)}`;
  const without = sharing === 0 ? '' : `, which leaves nothing for ${sharing} without a budget`;
  return insufficientMediaBudget(
    `${budget}; the chosen products take ${readMoney(given, currency)}${without}.`,
    {
      requestedTotal: toMajor(budget_minor, currency),
      committedAllocation: toMajor(given, currency),
      minimumAllowedBudget: toMajor(given + sharing, currency),
      currency,
    },
  );
}
