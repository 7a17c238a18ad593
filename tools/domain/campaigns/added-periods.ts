import { isDeepStrictEqual } from 'node:util';
import type { PacingPeriods } from '../../../store/campaigns.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { inProportion } from '../money.ts';
import { openPart, type PeriodShare, type Spread, sharesOf } from './pacing-periods.ts';

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

/** Nothing is spent in a period that is over. */
export function pastIssues({ pacing, count }: AddedPeriods, now: string): Issue[] {
  const { periods } = pacing;
  return periods.flatMap(({ end }, index) =>
    index >= periods.length - count && end < now.slice(0, 10)
      ? [{ path: `pacingPeriods.periods.${index}.end`, message: `It is past: it is ${now}.` }]
      : [],
  );
}

/**
 * What the added periods get beside a budget that the others share: as much for each of their shares as the others
 * have, so that by weight and by budget they stand to one another as they say. Of budgets that stand behind one
 * another (`behindMinor` is what those before it have) the parts add up to what falls to their sum: what one loses by
 * rounding, a later one gets.
 */
export function linesAdded(
  { pacing, count }: AddedPeriods,
  spread: Spread & { readonly behindMinor: number },
): PeriodShare[] {
  const shares = sharesOf(pacing, spread.currency);
  const first = shares.length - count;
  const known = shares.slice(0, first).reduce((sum, share) => sum + share, 0);
  return pacing.periods.slice(first).flatMap((period, index) => {
    const { isAhead, ...open } = openPart(period, spread);
    const { behindMinor, budgetMinor: own } = spread;
    const upTo = (minor: number) => inProportion(minor, { weight: shares[first + index] ?? 0, of: known });
    const budgetMinor = upTo(behindMinor + own) - upTo(behindMinor);
    return isAhead && budgetMinor > 0 ? [{ ...open, budgetMinor }] : [];
  });
}
