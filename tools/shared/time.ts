import { z } from 'zod';

/** A moment, with an offset; kept and printed as UTC with milliseconds. */
export const dateTime = z.iso
  .datetime({ offset: true, error: 'Give a date and time with an offset, such as 2026-12-01T00:00:00Z.' })
  .transform((value) => new Date(value).toISOString());

/** A moment as it is printed: UTC, ISO 8601, milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time' });

/** The later of two moments. */
export function later(one: string, other: string): string {
  const [, last = other] = [one, other].sort();
  return last;
}
