import type { CampaignRow } from '../../../store/campaigns.ts';
import { isOpenStatus } from '../../domain/buying/machines.ts';
import { readMoney, toMinor } from '../../domain/money.ts';
import type { campaignRecord } from './record.ts';

type Shown = Awaited<ReturnType<typeof campaignRecord>>;

/**
 * A campaign that runs and was given a larger budget, or more days: sellers were asked for nothing by that alone, and
 * whoever reads the new limits would take them for what is delivered. Pure.
 */
export function withWhatWasNotGiven(shown: Shown, before: CampaignRow, now: string): Shown {
  const more =
    before.status === 'DRAFT'
      ? []
      : [...leftOver(shown, before), ...startingLater(shown, before, now), ...endingEarlier(shown, before)];
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

/** What has begun already begins no sooner. */
function startingLater(
  { flightDates: { startDate }, mediaBuys }: Shown,
  { start_at }: CampaignRow,
  now: string,
): string[] {
  const from = [startDate, now].sort().at(-1) ?? now;
  const later = mediaBuys.filter(({ status, startTime }) => isOpenStatus(status) && startTime > from);
  const [first] = later;
  if (startDate >= start_at || first === undefined) return [];
  return [
    `The campaign starts at ${startDate}, and ${first.name}${besides(later)} at ${first.startTime}: give each its own start_time with media_buy_update.`,
  ];
}

function endingEarlier({ flightDates: { endDate }, mediaBuys }: Shown, { end_at }: CampaignRow): string[] {
  const earlier = mediaBuys.filter(({ status, endTime }) => isOpenStatus(status) && endTime < endDate);
  const [first] = earlier;
  if (endDate <= end_at || first === undefined) return [];
  return [
    `The campaign ends at ${endDate}, and ${first.name}${besides(earlier)} at ${first.endTime}: give each its own end_time with media_buy_update.`,
  ];
}

function besides({ length }: readonly unknown[]): string {
  return length === 1 ? '' : ` and ${length - 1} more`;
}
