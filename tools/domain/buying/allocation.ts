import type { CampaignRow } from '../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../store/discovery-selections.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../core/errors/refusals.ts';
import { readMoney, shareEqually, toMajor } from '../money.ts';

/** What still counts against the budget of a campaign. */
export function committedMinor(buys: readonly Pick<MediaBuyRow, 'status' | 'budget_minor'>[]): number {
  const counted = buys.filter(
    ({ status }) => !['CANCELED', 'REJECTED', 'FAILED', 'ARCHIVED'].includes(status),
  );
  return counted.reduce((sum, { budget_minor }) => sum + budget_minor, 0);
}

type Budgeted = Pick<CampaignRow, 'budget_minor' | 'currency'>;
type Given = Pick<DiscoverySelectionRow, 'budget_minor'>;

interface Plan {
  /** What each chosen product gets, in the order of choosing. */
  readonly budgets: readonly number[];
  /** Together, in minor units. */
  readonly allocated: number;
  /** The budgets ask for more than there is, or leave nothing to share. */
  readonly problem?: AppError;
}

/** What each chosen product gets: its own budget, and an equal share of the rest where it has none. */
export function planOf(campaign: Budgeted, selections: readonly Given[]): Plan {
  const given = selections.reduce((sum, { budget_minor }) => sum + (budget_minor ?? 0), 0);
  const sharing = selections.filter(({ budget_minor }) => budget_minor === null).length;
  const rest = campaign.budget_minor - given;
  if (rest < 0 || (sharing > 0 && rest < sharing)) {
    const budgets = selections.map(({ budget_minor }) => budget_minor ?? 0);
    return { budgets, allocated: given, problem: overAllocated(campaign, given, sharing) };
  }
  const shares = sharing === 0 ? [] : shareEqually(rest, sharing);
  const budgets = selections.map(({ budget_minor }) => budget_minor ?? shares.shift() ?? 0);
  return { budgets, allocated: sharing === 0 ? given : campaign.budget_minor };
}

function overAllocated({ budget_minor, currency }: Budgeted, given: number, sharing: number): AppError {
  const without = sharing === 0 ? '' : `, which leaves nothing for ${sharing} without a budget`;
  return insufficientMediaBudget(
    `budget.total is ${readMoney(budget_minor, currency)}; the chosen products take ${readMoney(given, currency)}${without}.`,
    {
      requestedTotal: toMajor(budget_minor, currency),
      committedAllocation: toMajor(given, currency),
      minimumAllowedBudget: toMajor(given + sharing, currency),
      currency,
    },
  );
}
