import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { DAY_MS } from '../../../core/moments.ts';
import type { ShownBuy } from '../../sellers/port.ts';

/** Flight dates that a seller shows, held against what was ordered. Pure. */

type Ordered = Pick<MediaBuyRow, 'start_time' | 'end_time' | 'created_at'>;
type Shown = Pick<MediaBuyRow, 'shown_start' | 'shown_end'>;
type Told = Pick<ShownBuy, 'startTime' | 'endTime' | 'packages'>;

/**
 * The dates that differ, as they are kept; what a report leaves out stays as it was told. A start is kept however near
 * it is, because it says since when a buy may have run.
 */
export function shownDates(buy: Ordered, told: Told): Partial<Shown> {
  const [start, end] = [startShown(buy, told), told.endTime];
  return {
    ...(start === undefined ? {} : { shown_start: start === buy.start_time ? null : start }),
    ...(end === undefined ? {} : { shown_end: unlessAsOrdered(end, buy.end_time) }),
  };
}

/** What begins before the whole was to begin is its start. */
function startShown(buy: Ordered, { startTime, packages }: Told): string | undefined {
  const early = packages.filter(({ start_time: start }) => start !== undefined && start < buy.start_time);
  return [startTime, ...early.map(({ start_time }) => start_time)]
    .filter((one) => one !== undefined)
    .sort()[0];
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
