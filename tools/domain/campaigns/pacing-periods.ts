import { z } from 'zod';
import type { PacingPeriod, PacingPeriods } from '../../../store/campaigns.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { DAY_MS, dayOf, lastDayBefore, momentAfter, startOfDay } from '../../core/moments.ts';
import { noSuchAmount, shareByWeight, toMajor, toMinor } from '../money.ts';
import { shortText } from '../text.ts';
import { day, later } from '../time.ts';

/**
 * Periods of a flight that the budget is spread over (contract: PacingPeriods). A day is one of UTC, and a period
 * includes its first and its last one. In the gaps between periods nothing is spent.
 */

const PERIODS_MAX = 52;
export const pacingPeriods = z.strictObject({
  mode: z.enum(['weight', 'budget']).describe('weight: shares by days and weight. budget: an amount each.'),
  periods: z
    .array(
      z.strictObject({
        label: shortText(100).describe('What it is called.'),
        start: day.describe('Its first day.'),
        end: day.describe('Its last day.'),
        weight: z.number().min(0).max(10).optional().describe('By weight: how much a day counts, 0 to 10.'),
        budget: z.number().min(0).max(1e12).optional().describe('By budget: what it may spend.'),
      }),
    )
    .min(1)
    .max(PERIODS_MAX)
    .describe('One after the other, inside the flight.'),
});

export const shownPacingPeriods = z.object({
  mode: z.enum(['weight', 'budget']).describe('How shares are told.'),
  periods: z
    .array(
      z.object({
        label: z.string().describe('What it is called.'),
        start: z.string().describe('Its first day.'),
        end: z.string().describe('Its last day.'),
        weight: z.number().optional().describe('How much a day counts.'),
        budget: z.number().optional().describe('What it may spend.'),
      }),
    )
    .describe('The periods.'),
});

interface Terms {
  readonly startAt: string;
  readonly endAt: string;
  readonly budgetMinor: number;
  readonly currency: string;
}

/** Everything that is wrong with periods, seen beside the flight and the budget. */
export function pacingProblems(pacing: PacingPeriods, terms: Terms): Issue[] {
  const issues = pacing.periods.flatMap((period, index) =>
    [
      ...dayProblems(period, terms),
      ...overlapProblems(period, pacing.periods.slice(0, index)),
      ...shareProblems(period, pacing.mode, terms),
    ].map(([field, message]) => ({ path: `pacingPeriods.periods.${index}.${field}`, message })),
  );
  return issues.length > 0 ? issues : sumProblems(pacing, terms);
}

/** A field of a period, and what is wrong with it. */
type Complaint = readonly [field: keyof PacingPeriod, message: string];

const OUTSIDE = 'Must be inside the flight.';

function dayProblems({ start, end }: PacingPeriod, { startAt, endAt }: Terms): Complaint[] {
  const last = lastDayBefore(endAt);
  return [
    ...(end < start ? [['end', 'Must not be before its start.'] as const] : []),
    ...(start < dayOf(startAt) || start > last ? [['start', OUTSIDE] as const] : []),
    ...(end > last ? [['end', OUTSIDE] as const] : []),
  ];
}

function overlapProblems(period: PacingPeriod, before: readonly PacingPeriod[]): Complaint[] {
  // One that ends before it starts covers no day, and is told so.
  if (period.end < period.start) return [];
  const other = before.find(({ start, end }) => start <= period.end && period.start <= end);
  return other === undefined ? [] : [['start', `Overlaps with ${other.label}.`]];
}

function shareProblems(period: PacingPeriod, mode: PacingPeriods['mode'], { currency }: Terms): Complaint[] {
  const other = mode === 'weight' ? 'budget' : 'weight';
  const amount = mode === 'budget' ? period.budget : undefined;
  const noAmount = amount !== undefined && toMinor(amount, currency) === undefined;
  return [
    ...(period[mode] === undefined ? [[mode, `Required where mode is ${mode}.`] as const] : []),
    ...(period[other] === undefined ? [] : [[other, `Leave it out where mode is ${mode}.`] as const]),
    ...(noAmount ? [['budget', noSuchAmount(currency)] as const] : []),
  ];
}

function sumProblems(pacing: PacingPeriods, { budgetMinor, currency }: Terms): Issue[] {
  const path = 'pacingPeriods.periods';
  const shares = sharesOf(pacing, currency);
  const sum = shares.reduce((all, share) => all + share, 0);
  if (sum === 0) return [{ path, message: 'One of them has to get something.' }];
  return pacing.mode === 'budget' && sum > budgetMinor
    ? [{ path, message: 'Together they must not have more than budget.total.' }]
    : [];
}

/** What each period counts: days by weight, or its budget in minor units. */
export function sharesOf({ mode, periods }: PacingPeriods, currency: string): number[] {
  return periods.map(({ start, end, weight = 0, budget = 0 }) =>
    mode === 'budget'
      ? (toMinor(budget, currency) ?? 0)
      : weight * (1 + (Date.parse(end) - Date.parse(start)) / DAY_MS),
  );
}

/** What can be spent of a budget: with a budget a period, no more than those together. */
export function spendableMinor(budgetMinor: number, pacing: PacingPeriods | null, currency: string): number {
  if (pacing?.mode !== 'budget') return budgetMinor;
  return Math.min(
    budgetMinor,
    sharesOf(pacing, currency).reduce((sum, share) => sum + share, 0),
  );
}

/** A part of a budget with the days in which it is spent. */
export interface PeriodShare {
  readonly label: string;
  readonly budgetMinor: number;
  readonly startTime: string;
  readonly endTime: string;
}

export interface Spread extends Pick<Terms, 'startAt' | 'endAt' | 'budgetMinor' | 'currency'> {
  readonly now: string;
}

/**
 * A budget spread over the periods that are not over; none where nothing of it falls to any of them. By weight the
 * periods ahead share all of it; by budget each keeps its own part, and that of a period that is over is not spent.
 */
export function spreadOver(pacing: PacingPeriods, spread: Spread): PeriodShare[] {
  const budgets = fallingTo(pacing, spread);
  return pacing.periods.flatMap((period, index) => {
    const { isAhead, ...days } = openPart(period, spread);
    const part = budgets[index] ?? 0;
    return isAhead && part > 0 ? [{ ...days, budgetMinor: part }] : [];
  });
}

/** What of a budget falls to each of the periods, by budget also to those that are over: nobody spends that. */
export function fallingTo(pacing: PacingPeriods, spread: Spread): number[] {
  const shares = sharesOf(pacing, spread.currency);
  const counted = pacing.periods.map((period, index) =>
    pacing.mode === 'budget' || openPart(period, spread).isAhead ? (shares[index] ?? 0) : 0,
  );
  return shareByWeight(spread.budgetMinor, counted);
}

/** What of a period lies in the flight and is still to come. */
export function openPart({ label, start, end }: PacingPeriod, { startAt, endAt, now }: Spread) {
  const startTime = later(startOfDay(start), later(startAt, now));
  const [endTime = endAt] = [momentAfter(end, DAY_MS), endAt].sort();
  return { label, startTime, endTime, isAhead: startTime < endTime };
}

/** The days of a package. */
export interface Dated {
  readonly start_time: string;
  readonly end_time: string;
}

/** Whether a package runs on any day of a period: periods share none. */
export function runsIn({ start_time, end_time }: Dated, { start, end }: PacingPeriod): boolean {
  return dayOf(start_time) <= end && lastDayBefore(end_time) >= start;
}

/** Periods without what is taken of their budgets already; by weight they have none. */
export function periodsLeft(
  pacing: PacingPeriods,
  taken: readonly number[] | undefined,
  currency: string,
): PacingPeriods {
  if (pacing.mode !== 'budget' || taken === undefined) return pacing;
  const shares = sharesOf(pacing, currency);
  const periods = pacing.periods.map((period, index) => {
    const left = Math.max(0, (shares[index] ?? 0) - (taken[index] ?? 0));
    return { ...period, budget: toMajor(left, currency) };
  });
  return { ...pacing, periods };
}
