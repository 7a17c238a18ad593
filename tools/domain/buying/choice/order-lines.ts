import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { type PeriodShare, periodsLeft, spreadOver } from '../../campaigns/pacing-periods.ts';

/** What a product is ordered by: one line, or one for each pacing period that is not over. */
export type OrderLine = Pick<PeriodShare, 'budgetMinor'> & Partial<PeriodShare>;

/** A campaign as it is to be ordered for. */
export interface Ordering {
  /** What media buys have of each of its periods, in minor units: what is ordered beside them gets the rest. */
  readonly periods_taken?: readonly number[] | undefined;
}

type Flight = Pick<CampaignRow, 'pacing_periods' | 'start_at' | 'end_at' | 'currency'> & Ordering;

export function linesOf(campaign: Flight, budgetMinor: number, now: string): readonly OrderLine[] {
  const { pacing_periods: pacing, start_at: startAt, end_at: endAt, currency } = campaign;
  if (pacing === null) return [{ budgetMinor }];
  const left = periodsLeft(fromJson(pacing), campaign.periods_taken, currency);
  const lines = spreadOver(left, { startAt, endAt, budgetMinor, currency, now });
  return lines.length === 0 ? [{ budgetMinor: 0 }] : lines;
}

/** When the last moment is at which a campaign spends: the end of its flight, or of its last period. */
export function lastMoment({
  pacing_periods: pacing,
  start_at: startAt,
  end_at: endAt,
  currency,
}: Flight): string {
  if (pacing === null) return endAt;
  const all = spreadOver(fromJson(pacing), {
    startAt,
    endAt,
    budgetMinor: 1_000_000,
    currency,
    now: startAt,
  });
  return (
    all
      .map(({ endTime }) => endTime)
      .sort()
      .at(-1) ?? endAt
  );
}
