import { dayOf, lastDayBefore } from '../../../core/moments.ts';
import type { ShownBuy } from '../../sellers/port.ts';
import { isSameMoment } from '../../time.ts';

/** Dates that a seller shows after a change, held against those that were asked for. Pure. */

/** What a seller shows of something that was asked for: in which words it differs, or null where it is so. */
export type Reading = string | null;

/** Those of a whole buy. */
export function timesOf({ startTime, endTime, asDays }: ShownBuy) {
  return { start_time: startTime, end_time: endTime, asDays };
}

type Field = 'start_time' | 'end_time';

type Times = Readonly<Partial<Record<Field, string | undefined>>>;

type Shown = Times & { readonly asDays?: ShownBuy['asDays'] };

/** Of a package by its name, and of the whole without one. */
export function timeReadings(name: string, asked: Times, told: Shown): Reading[] {
  const start = isShownSo('start_time', asked, told);
  const end = isShownSo('end_time', asked, told);
  const called = (what: string) => (name === '' ? `its ${what}` : `the ${what} of ${name}`);
  return [
    ...(start === undefined ? [] : [start ? null : `${called('start')} is ${told.start_time}`]),
    ...(end === undefined ? [] : [end ? null : `${called('end')} is ${told.end_time}`]),
  ];
}

/** Undefined where it was not asked for, or is not shown. */
function isShownSo(field: Field, asked: Times, told: Shown): boolean | undefined {
  const [wanted, shown] = [asked[field], told[field]];
  if (wanted === undefined || shown === undefined) return undefined;
  const isDay = told.asDays?.includes(field) === true;
  return isSameMoment(shown, wanted) || (isDay && isOnDay(field, wanted, shown));
}

/** What ends at midnight ends with the day before, and sellers that keep days name either. */
function isOnDay(field: Field, wanted: string, shown: string): boolean {
  const days = field === 'start_time' ? [dayOf(wanted)] : [dayOf(wanted), lastDayBefore(wanted)];
  return days.includes(dayOf(shown));
}
