import type { CampaignRow } from '../../../store/campaigns.ts';
import { isOpenStatus } from '../../domain/buying/machines.ts';
import { readMoney, toMinor } from '../../domain/money.ts';
import type { campaignRecord } from './record.ts';

type Shown = Awaited<ReturnType<typeof campaignRecord>>;

/**
 * A campaign that runs and was given a larger budget, or a later end: sellers were asked for nothing by that alone, and
 * whoever reads the new limits would take them for what is delivered. Pure.
 */
export function withWhatWasNotGiven(shown: Shown, before: CampaignRow): Shown {
  const more = before.status === 'DRAFT' ? [] : [...leftOver(shown, before), ...endingEarlier(shown, before)];
  return more.length === 0 ? shown : { ...shown, warnings: [...(shown.warnings ?? []), ...more] };
}

function leftOver({ budget, unallocatedBudget }: Shown, { budget_minor, currency }: CampaignRow): string[] {
  const [total = 0, left = 0] = [budget.total, unallocatedBudget].map((major) => toMinor(major, currency));
  if (total <= budget_minor || left <= 0) return [];
  const [rest, all] = [left, total].map((minor) => readMoney(minor, currency));
  return [
    `${rest} of ${all} are given to no media buy: raise budgets of packages with media_buy_update, or buy more in another campaign.`,
  ];
}

function endingEarlier({ flightDates: { endDate }, mediaBuys }: Shown, { end_at }: CampaignRow): string[] {
  if (endDate <= end_at) return [];
  const earlier = mediaBuys.filter(({ status, endTime }) => isOpenStatus(status) && endTime < endDate);
  if (earlier.length === 0) return [];
  const [first] = earlier;
  const others = earlier.length === 1 ? '' : ` and ${earlier.length - 1} more`;
  return [
    `The campaign ends at ${endDate}, and ${first?.name}${others} at ${first?.endTime}: give each its own end_time with media_buy_update.`,
  ];
}
