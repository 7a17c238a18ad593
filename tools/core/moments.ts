import type { Clock } from './ports.ts';

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

let written = { at: 0, moment: new Date(0).toISOString() };

/** A moment as rows and answers have it: UTC, ISO 8601 with milliseconds. `at`: milliseconds since 1970. */
export function momentOf(at: number): string {
  // Many calls come in one millisecond, and writing a date takes as long as asking for a row.
  if (written.at !== at) written = { at, moment: new Date(at).toISOString() };
  return written.moment;
}

/** The moment it is by a clock. */
export function nowOf(clock: Pick<Clock, 'now'>): string {
  return momentOf(clock.now());
}

/** The moment so many milliseconds from now, or before now where they are fewer than none. */
export function fromNow(clock: Pick<Clock, 'now'>, ms: number): string {
  return new Date(clock.now() + ms).toISOString();
}

/** A year of five digits is written with a sign, and sorts before every other. */
const LAST_MOMENT = Date.UTC(10_000, 0) - 1;

/**
 * The moment so many milliseconds after another, or before it where they are fewer than none. Moments are compared
 * letter by letter, so that none comes after the last one of four digits.
 */
export function momentAfter(moment: string, ms: number): string {
  return new Date(Math.min(Date.parse(moment) + ms, LAST_MOMENT)).toISOString();
}

/** The day of a moment, in UTC. */
export function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

/** The last day, in UTC, of which any moment comes before this one: what ends at midnight ends on the day before. */
export function lastDayBefore(moment: string): string {
  return dayOf(momentAfter(moment, -1));
}

/** When what ends then is over: an end in the last minute of a day is written for the end of that day, in UTC. */
export function endMeant(end: string): string {
  const midnight = startOfDay(dayOf(momentAfter(end, MINUTE_MS)));
  return midnight > end ? midnight : end;
}

/** The moment a day begins at, in UTC. */
export function startOfDay(day: string): string {
  return new Date(day).toISOString();
}
