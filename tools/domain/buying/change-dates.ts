import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { at, type Flight } from './wanted-change.ts';

/** What is wrong with other dates of a buy. Pure. */

interface Dates {
  readonly path: string | undefined;
  readonly startTime: string | undefined;
  readonly endTime: string | undefined;
}

export function dateIssues(
  buy: MediaBuyRow,
  { path, startTime, endTime }: Dates,
  { flight, now }: { flight: Flight; now: string },
): Issue[] {
  const [start, end] = [startTime ?? buy.start_time, endTime ?? buy.end_time];
  const last = endTime === undefined ? 'startTime' : 'endTime';
  const starts = startTime !== undefined && startTime !== buy.start_time;
  const checks: [boolean, string, string][] = [
    [starts && buy.start_time <= now, 'startTime', `The media buy began at ${buy.start_time}.`],
    [starts && start < flight.start_at, 'startTime', `The campaign starts at ${flight.start_at}.`],
    [endTime !== undefined && end > flight.end_at, 'endTime', `The campaign ends at ${flight.end_at}.`],
    [endTime !== undefined && end <= now, 'endTime', `It is past: it is ${now}.`],
    [(startTime ?? endTime) !== undefined && end <= start, last, 'The end is not after the start.'],
  ];
  return checks.flatMap(([holds, field, message]) => (holds ? [{ path: at(path, field), message }] : []));
}
