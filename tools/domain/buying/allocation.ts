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

/**
 * What each chosen product gets: its own budget, and an equal share of the rest where it has none. Refused
 * when the budgets ask for more than there is, or leave nothing to share.
 */
export function allocate(
  campaign: Pick<CampaignRow, 'budget_minor' | 'currency'>,
  selections: readonly Pick<DiscoverySelectionRow, 'budget_minor'>[],
): number[] {
  const given = selections.reduce((sum, { budget_minor }) => sum + (budget_minor ?? 0), 0);
  const sharing = selections.filter(({ budget_minor }) => budget_minor === null).length;
  const rest = campaign.budget_minor - given;
  if (rest < 0 || (sharing > 0 && rest < sharing)) throw overAllocated(campaign, given, sharing);
  const shares = sharing === 0 ? [] : shareEqually(rest, sharing);
  return selections.map(({ budget_minor }) => budget_minor ?? shares.shift() ?? 0);
}

function overAllocated(
  { budget_minor, currency }: Pick<CampaignRow, 'budget_minor' | 'currency'>,
  given: number,
  sharing: number,
): AppError {
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
