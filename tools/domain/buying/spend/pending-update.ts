import type { CampaignRow } from '../../../../store/campaigns.ts';
import { changesBetween } from '../../../core/changes.ts';
import { toMajor } from '../../money.ts';
import { type Followed, limitsWaiting } from './limits-following.ts';

/** What a campaign is to keep to once its media buys do; undefined where nothing waits. */
export function pendingUpdate(row: CampaignRow) {
  if (row.waiting_limits === null) return undefined;
  const { budget_minor, daily_cap_minor: cap, start_at: startDate, end_at: endDate } = limitsWaiting(row);
  const major = (minor: number | undefined) =>
    minor === undefined ? undefined : toMajor(minor, row.currency);
  const budget = { total: major(budget_minor), dailyCap: cap === null ? null : major(cap) };
  return {
    ...((budget_minor ?? cap) === undefined ? {} : { budget }),
    ...((startDate ?? endDate) === undefined ? {} : { flightDates: { startDate, endDate } }),
  };
}

/** For the log of the campaign: what it took, or gave up. */
export function loggedLimits({ before, after }: Followed) {
  return changesBetween(loggedAs(before), loggedAs(after));
}

function loggedAs(row: CampaignRow) {
  const { budget_minor, daily_cap_minor: cap, currency, start_at, end_at } = row;
  return {
    'budget.total': toMajor(budget_minor, currency),
    'budget.dailyCap': cap === null ? null : toMajor(cap, currency),
    'flightDates.startDate': start_at,
    'flightDates.endDate': end_at,
    pendingUpdate: pendingUpdate(row),
  };
}
