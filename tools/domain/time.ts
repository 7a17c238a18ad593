import { z } from 'zod';
import { MINUTE_MS, momentAfter } from '../core/moments.ts';
import { asText } from '../core/schemas/as-text.ts';
import { besideOtherProblems } from '../core/schemas/checks.ts';

const A_MOMENT = 'Give a date and time with an offset, such as 2026-12-01T00:00:00Z, or a day.';

/** A moment that a seller tells, with an offset: some write the end of the year 9999 for never, later still in UTC. */
export function momentTold(told: string): string {
  return momentAfter(told, 0);
}

/** A moment, with an offset; kept and printed as UTC with milliseconds. */
export const dateTime = z.iso
  .datetime({
    offset: true,
    error: A_MOMENT,
  })
  .refine(isOfOurTime, 'Give a moment between the years 1970 and 9999, in UTC.')
  .transform((value) => new Date(value).toISOString());

/** A day, as it is in UTC where nothing else is said. */
export const day = z.iso.date({ error: 'Give a day, such as 2030-03-01.' });

/** Years before this one are no dates of a flight but slips of the pen, such as 0026. */
const FIRST_YEAR = '2000';

const FIRST_MOMENT = Date.parse(FIRST_YEAR);

const isOurs = (moment: string) => moment >= FIRST_YEAR;
const TOO_EARLY = `Give a year from ${FIRST_YEAR} on.`;

/** When a flight begins or ends. */
export const flightDate = dateTime.refine(isOurs, TOO_EARLY);

/**
 * When something starts: a moment of a flight, or `asap` for now, in whatever case. Of one type, so that what is
 * neither is complained of, and a day is taken, as everywhere else.
 */
export const startMoment = z.string({ error: A_MOMENT }).transform((value, problems) => {
  if (value.trim().toLowerCase() === 'asap') return 'asap';
  const { data = '', error } = flightDate.safeParse(value);
  for (const issue of error?.issues ?? []) problems.addIssue({ ...issue });
  return data;
});

/** The first or last day of a flight. */
export const flightDay = day.refine(isOurs, TOO_EARLY);

/** A moment as it is printed: UTC, ISO 8601, milliseconds. */
export const timestamp = z.string().meta({ format: 'date-time' });

/** The later of two moments. */
export function later(one: string, other: string): string {
  return one > other ? one : other;
}

/** Whether a seller that shows one moment may mean the other: sellers keep seconds or minutes, and a day to its end. */
export function isSameMoment(shown: string, meant: string): boolean {
  return Math.abs(Date.parse(shown) - Date.parse(meant)) < MINUTE_MS;
}

/** The earlier of two moments. */
export function earlier(one: string, other: string): string {
  return one < other ? one : other;
}

const YEAR_10000 = Date.UTC(10_000, 0);

/** Texts of moments are compared letter by letter, and a longer year would sort before every other. */
function isOfOurTime(value: string): boolean {
  const time = Date.parse(value);
  // What is no date at all is another complaint.
  return Number.isNaN(time) || (time >= 0 && time < YEAR_10000);
}

/** The flight of every example: far enough ahead that none of them ages, and the same each time it is printed. */
export const exampleFlight = {
  startDate: '2030-03-01T00:00:00.000Z',
  endDate: '2030-03-31T00:00:00.000Z',
} as const;

interface Flight {
  readonly startDate?: unknown;
  readonly endDate?: unknown;
}

/** Makes sure that a flight ends after it starts, in the schema, so that the complaint stands beside all others. */
export function endsAfterStart<T extends z.ZodType<Flight>>(flight: T): T {
  return flight.refine(
    ({ startDate, endDate }) => {
      const [start, end] = [Date.parse(asText(startDate)), Date.parse(asText(endDate))];
      // What is no date of a flight is another complaint.
      return !(Math.min(start, end) >= FIRST_MOMENT && start >= end);
    },
    { message: 'Must be after the start.', path: ['endDate'], ...besideOtherProblems },
  );
}
