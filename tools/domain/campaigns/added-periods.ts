import { isDeepStrictEqual } from 'node:util';
import type { PacingPeriods } from '../../../store/campaigns.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { dayOf } from '../../core/moments.ts';
import { inProportion } from '../money.ts';
import { openPart, type PeriodShare, type Spread } from './pacing-periods.ts';

/** Periods that are added to those which orders were made of: these stay as they are. Pure. */

/** How many periods follow those that were there; none where any of those is another one by now. */
export function countAdded(before: PacingPeriods, after: PacingPeriods): number {
  const { length } = before.periods;
  const kept = after.periods.slice(0, length);
  const [last = ''] = before.periods
    .map(({ end }) => end)
    .sort()
    .reverse();
  const isLonger = after.periods.slice(length).every(({ start }) => start > last);
  return isLonger && isDeepStrictEqual({ ...after, periods: kept }, before)
    ? after.periods.length - length
    : 0;
}

export interface AddedPeriods {
  /** All of them, the added ones last. */
  readonly pacing: PacingPeriods;
  readonly count: number;
}

/** What somebody gets of a period: of all that has a part, so much falls to so much. */
export interface AddedPart {
  /** Its place among the periods. */
  readonly index: number;
  /** What is given away of it, and of which sum: minor units by budget, days by weight of those that were ordered. */
  readonly weight: number;
  readonly of: number;
  /** What those have of that sum that get their part before it. */
  readonly behindMinor: number;
}

/** Nothing is spent in a period that is over. */
export function pastIssues({ pacing, count }: AddedPeriods, now: string): Issue[] {
  const { periods } = pacing;
  return periods.flatMap(({ end }, index) =>
    index >= periods.length - count && end < dayOf(now)
      ? [{ path: `pacingPeriods.periods.${index}.end`, message: `It is past: it is ${now}.` }]
      : [],
  );
}

/**
 * What falls to a budget of periods that it was not ordered with. Of budgets that stand behind one another
 * (`behindMinor` is what those before it have here) the parts add up to what falls to their sum: what one loses by
 * rounding, a later one gets.
 */
export function linesAdded(
  { periods }: PacingPeriods,
  parts: readonly AddedPart[],
  spread: Spread & { readonly behindMinor: number },
): PeriodShare[] {
  return parts.flatMap(({ index, behindMinor, ...share }) => {
    const period = periods[index];
    if (period === undefined) return [];
    const { isAhead, ...open } = openPart(period, spread);
    const behind = behindMinor + spread.behindMinor;
    const upTo = (minor: number) => inProportion(minor, share);
    const budgetMinor = upTo(behind + spread.budgetMinor) - upTo(behind);
    return isAhead && budgetMinor > 0 ? [{ ...open, budgetMinor }] : [];
  });
}
