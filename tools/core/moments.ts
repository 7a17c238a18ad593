import type { Clock } from './ports.ts';

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
