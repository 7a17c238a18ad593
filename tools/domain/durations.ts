/**
 * Lengths of time as sellers take them (AdCP, core/duration): whole units, and a campaign has but one of its flight.
 */

interface Duration {
  readonly interval: number;
  readonly unit: string;
}

/** A rule for `refine`. */
export const oneOfCampaign = [
  ({ interval, unit }: Duration) => unit !== 'campaign' || interval === 1,
  { message: 'Give 1 where unit is campaign: it is the whole flight.', path: ['interval'] },
] satisfies [unknown, unknown];

/** Smaller units of each, with how many there are of the next. */
const SMALLER: Readonly<Record<string, readonly [string, number]>> = {
  days: ['hours', 24],
  hours: ['minutes', 60],
  minutes: ['seconds', 60],
};

/** What is left of a product of fractions in floating point. */
const NOTHING = 1e-6;

/**
 * A length of time from before they were whole units, as sellers take it: in the largest unit that it is whole in (1.5
 * days are 36 hours), else the next longer second. What is capped within it is never more by that. A flight is one,
 * whatever part or times of it were meant. Pure.
 */
export function inWholeUnits<D extends Duration>(given: D): D {
  if (given.unit === 'campaign') return { ...given, interval: 1 };
  let { interval, unit } = given as Duration;
  let smaller = SMALLER[unit];
  while (!isWhole(interval) && smaller !== undefined) {
    [unit, interval] = [smaller[0], interval * smaller[1]];
    smaller = SMALLER[unit];
  }
  return { ...given, unit, interval: isWhole(interval) ? Math.round(interval) : Math.ceil(interval) };
}

function isWhole(interval: number): boolean {
  return Math.round(interval) >= 1 && Math.abs(interval - Math.round(interval)) < NOTHING;
}
