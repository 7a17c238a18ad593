import type { PacingPeriod } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { dayOf, endMeant, momentAfter } from '../../../core/moments.ts';
import { runsIn } from '../../campaigns/pacing-periods.ts';
import { firstFew } from '../../counted.ts';
import { later } from '../../time.ts';
import { byPackageId } from '../buy-packages.ts';
import { packagesNow } from '../choice/package-lines.ts';
import type { WantedPackage } from './change-packages.ts';
import type { Flight, WantedChange } from './wanted-change.ts';

/** What is wrong with other dates of a buy, or of its packages. Pure. */

interface Dates {
  readonly called: WantedChange['called'];
  readonly startTime: string | undefined;
  readonly endTime: string | undefined;
}

/** The change with ends that are given as the day its campaign, or its buy, ends on: they are no later than that. */
export function withinLastDay(wanted: WantedChange, buy: MediaBuyRow, flight: Flight): WantedChange {
  const endTime = wanted.endTime && unlessSameEnd(wanted.endTime, flight.end_at);
  const last = endTime ?? buy.end_time;
  const packages = wanted.packages?.map((one) =>
    one.endTime === undefined ? one : { ...one, endTime: unlessSameEnd(one.endTime, last) },
  );
  return { ...wanted, endTime, packages };
}

/** A day as an end is its last millisecond, and what ends in the last minute of it ends with the day. */
function unlessSameEnd(end: string, bound: string): string {
  return end > bound && endMeant(end) === endMeant(bound) ? bound : end;
}

/** What is past is told from when on it can be. */
const past = (start: string, now: string) => `It is past: give a moment after ${later(start, now)}.`;

const AFTER = 'The end is not after the start.';

export function dateIssues(
  buy: MediaBuyRow,
  { called, startTime, endTime }: Dates,
  { flight, now }: { flight: Flight; now: string },
): Issue[] {
  const [start, end] = [startTime ?? buy.start_time, endTime ?? buy.end_time];
  const starts = startTime !== undefined && startTime !== buy.start_time;
  // One mistake is one complaint: what is past is told from when on it can be, and what began has no other start.
  const ofStart = firstOf([
    [starts && buy.start_time <= now, `The media buy began at ${buy.start_time}.`],
    [starts && start < flight.start_at, `The campaign starts at ${flight.start_at}.`],
    [startTime !== undefined && endTime === undefined && end <= start, AFTER],
  ]);
  const ofEnd = [
    ...firstOf([[endTime !== undefined && end > flight.end_at, `The campaign ends at ${flight.end_at}.`]]),
    ...firstOf([
      [isPast(endTime, now), past(start, now)],
      [endTime !== undefined && end <= start, AFTER],
    ]),
  ];
  return [
    ...ofStart.map((message) => ({ path: called('start_time'), message })),
    ...ofEnd.map((message) => ({ path: called('end_time'), message })),
  ];
}

function firstOf(checks: readonly (readonly [holds: boolean, message: string])[]): string[] {
  const first = checks.find(([holds]) => holds);
  return first === undefined ? [] : [first[1]];
}

interface Ending {
  readonly before: {
    /** Of the media buy. */
    readonly start: string;
    readonly start_time?: string;
    readonly end_time?: string;
  };
  readonly path: string;
  readonly now: string;
}

/** A package that ended may be named with its end, as its record shows it: what stays is no complaint. */
export function pastEndIssues({ startTime, endTime }: WantedPackage, { before, path, now }: Ending): Issue[] {
  if (!isPast(endTime, now) || endTime === before.end_time) return [];
  return [{ path, message: past(startTime ?? before.start_time ?? before.start, now) }];
}

/** Packages run within their buy, as it is to be. */
export function packageDateIssues(
  { packages = [], called }: WantedChange,
  buy: Flight,
  now: string,
): Issue[] {
  return packages.flatMap(({ startTime, endTime }, index) => {
    const checks: [boolean, string, string][] = [
      [(startTime ?? buy.start_at) < buy.start_at, 'startTime', `The media buy starts at ${buy.start_at}.`],
      [(endTime ?? buy.end_at) > buy.end_at, 'endTime', `The media buy ends at ${buy.end_at}.`],
      [isNotAfter(endTime, startTime ?? buy.start_at) && !isPast(endTime, now), 'endTime', AFTER],
    ];
    return checks.flatMap(([holds, field, message]) =>
      holds ? [{ path: called(`packages.${index}.${field}`), message }] : [],
    );
  });
}

/** They run within their periods too, where their buy or its campaign has any: in the gaps nothing is spent. */
export function periodDateIssues(
  { packages = [], called }: WantedChange,
  { buy, flight }: { readonly buy: MediaBuyRow; readonly flight: Flight },
): Issue[] {
  const pacing = buy.pacing_periods ?? flight.pacing_periods ?? null;
  if (pacing === null) return [];
  const { periods } = fromJson(pacing);
  const known = byPackageId(packagesNow(buy));
  return packages.flatMap((wanted, index) => {
    const part = known.get(wanted.packageId);
    if (part === undefined) return [];
    const { start_time = buy.start_time, end_time = buy.end_time } = part;
    const own = periods.filter((period) => runsIn({ start_time, end_time }, period));
    // One that is in no period may come into any.
    const open = own.length === 0 ? periods : own;
    const message = `It runs in ${inWords(open)}: give days of that.`;
    return outsideOf(open, wanted).map((field) => ({ path: called(`packages.${index}.${field}`), message }));
  });
}

/** The moments that are in none of these periods. */
function outsideOf(periods: readonly PacingPeriod[], { startTime, endTime }: WantedPackage): string[] {
  return [
    ...(isIn(startTime, periods) ? [] : ['startTime']),
    ...(isIn(endTime && momentAfter(endTime, -1), periods) ? [] : ['endTime']),
  ];
}

function isIn(moment: string | undefined, periods: readonly PacingPeriod[]): boolean {
  if (moment === undefined) return true;
  const day = dayOf(moment);
  return periods.some(({ start, end }) => start <= day && day <= end);
}

function inWords(periods: readonly PacingPeriod[]): string {
  return firstFew(
    periods.map(({ label, start, end }) => `${label} (${start} to ${end})`),
    { most: PERIODS_NAMED },
  );
}

const PERIODS_NAMED = 5;

/** Packages that keep their dates stay within their buy too, where it is to begin or end at another moment. */
export function keptDateIssues(
  { packages: named = [], called }: WantedChange,
  known: readonly BuyPackage[],
  { startTime, endTime }: Partial<Pick<Dates, 'startTime' | 'endTime'>>,
): Issue[] {
  const namedById = new Map(named.map((one) => [one.packageId, one]));
  return known.flatMap(({ package_id, start_time, end_time, canceled }) => {
    if (canceled === true) return [];
    const given = namedById.get(package_id);
    const start = given?.startTime === undefined ? start_time : undefined;
    const end = given?.endTime === undefined ? end_time : undefined;
    const ofStart = firstOf([
      [isBefore(start, startTime), `Package ${package_id} starts at ${start}: ${WITHIN}`],
      [end !== undefined && isNotAfter(end, startTime), `Package ${package_id} ends at ${end}: ${WITHIN}`],
    ]);
    const ofEnd = isBefore(endTime, end) ? [`Package ${package_id} ends at ${end}: ${WITHIN}`] : [];
    return [
      ...ofStart.map((message) => ({ path: called('start_time'), message })),
      ...ofEnd.map((message) => ({ path: called('end_time'), message })),
    ];
  });
}

const WITHIN = 'give it another one within the media buy, in packages of the same call.';

function isBefore(one: string | undefined, other: string | undefined): boolean {
  return one !== undefined && other !== undefined && one < other;
}

function isPast(end: string | undefined, now: string): boolean {
  return end !== undefined && end <= now;
}

function isNotAfter(end: string | undefined, start: string | undefined): boolean {
  return start !== undefined && end !== undefined && end <= start;
}
