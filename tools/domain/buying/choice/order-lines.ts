import type { CampaignRow } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import { type PeriodShare, spreadOver } from '../../campaigns/pacing-periods.ts';

/** What a product is ordered by: one line, or one for each pacing period that is not over. */
export type OrderLine = Pick<PeriodShare, 'budgetMinor'> & Partial<PeriodShare>;

type Flight = Pick<CampaignRow, 'pacing_periods' | 'start_at' | 'end_at' | 'currency'>;

export function linesOf(campaign: Flight, budgetMinor: number, now: string): readonly OrderLine[] {
  const { pacing_periods: pacing, start_at: startAt, end_at: endAt, currency } = campaign;
  if (pacing === null) return [{ budgetMinor }];
  const lines = spreadOver(fromJson(pacing), { startAt, endAt, budgetMinor, currency, now });
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
