import type { Clock } from './ports.ts';

/** The moment it is by a clock: UTC, ISO 8601 with milliseconds, as rows and answers have it. */
export function nowOf(clock: Pick<Clock, 'now'>): string {
  return new Date(clock.now()).toISOString();
}
