import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { DAY_MS } from '../../../core/moments.ts';
import type { BuyReport } from '../../sellers/port.ts';

/** Flight dates that a seller shows, held against what was ordered. Pure. */

type Ordered = Pick<MediaBuyRow, 'start_time' | 'end_time' | 'created_at'>;
type Shown = Pick<MediaBuyRow, 'shown_start' | 'shown_end'>;
type Told = Pick<Extract<BuyReport, { kind: 'buy' }>, 'startTime' | 'endTime'>;

/** The dates that differ, as they are kept; what a report leaves out stays as it was told. */
export function shownDates(buy: Ordered, { startTime, endTime }: Told): Partial<Shown> {
  return {
    ...(startTime === undefined ? {} : { shown_start: otherStart(buy, startTime) }),
    ...(endTime === undefined ? {} : { shown_end: unlessAsOrdered(endTime, buy.end_time) }),
  };
}

/** What was to begin before it was ordered begins when its seller can. */
export function otherStart({ start_time, created_at }: Ordered, shown: string | null): string | null {
  return start_time <= created_at ? null : unlessAsOrdered(shown, start_time);
}

export function unlessAsOrdered(shown: string | null, ordered: string): string | null {
  // Sellers round to days, and in a time zone of their own: what is nearer than that is not spoken of.
  const isAsOrdered = shown === null || Math.abs(Date.parse(shown) - Date.parse(ordered)) < DAY_MS;
  return isAsOrdered ? null : shown;
}
