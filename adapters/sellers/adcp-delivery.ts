import { DAY_MS, dayOf, HOUR_MS, lastDayBefore } from '../../tools/core/moments.ts';
import { isFields } from '../../tools/core/schemas/checks.ts';
import { eventTold, UNTOLD } from '../../tools/domain/buying/answers/told-words.ts';
import {
  BELIEVED_COUNT_MAX,
  type Counts,
  type Days,
  type Delivered,
  type DeliveryReport,
  type Figures,
  type PackageDelivery,
  type Placement,
  type UnreadPackage,
  type UnreadPlacement,
  type UnreadReport,
} from '../../tools/domain/sellers/delivery.ts';
import type { DeliveryQuery } from '../../tools/domain/sellers/port.ts';
import { later } from '../../tools/domain/time.ts';
import { entriesForBuy } from './adcp-orders.ts';
import { asWord, currencyIn, entriesIn, type Fields, momentIn, namesDay, readId } from './adcp-reading.ts';
import { accountReferenceOf, MAJOR_VERSION } from './adcp-wire.ts';
import { agreedDelivery } from './listed-twice.ts';
import { totalsBy } from './package-sums.ts';

/** What AdCP sellers are asked of deliveries, and what they say. */

export function deliveryRequest({
  party,
  mediaBuyId,
  days,
  placements,
}: DeliveryQuery): Record<string, unknown> {
  return {
    adcp_major_version: MAJOR_VERSION,
    account: accountReferenceOf(party),
    media_buy_ids: [mediaBuyId],
    ...(days === undefined ? {} : { start_date: days.startDate, end_date: days.endDate }),
    ...(placements === undefined
      ? {}
      : { reporting_dimensions: { placement: { limit: placements.limit, sort_by: placements.sortBy } } }),
  };
}

/** What deliveries say of their report, and not of the buy. */
const OF_REPORTS = new Set(['reporting_delayed', 'delayed', 'partial', 'final', UNTOLD]);

/** What a delivery says of the buy: that it is in the list, and where it stands, as far as it says so. */
export interface InDelivery {
  readonly status: string | undefined;
}

/** Undefined where the buy is not among those delivered. */
export function inDelivery(content: unknown, mediaBuyId: string): InDelivery | undefined {
  const told = foundIn(content, mediaBuyId).map(statusOfDelivery);
  if (told.length === 0) return undefined;
  return { status: told.every((one) => one === told[0]) ? told[0] : undefined };
}

/** Where the buy stands by its delivery; undefined where that does not say, as by the words of its report. */
export function statusOfDelivery(delivery: Fields): string | undefined {
  const status = asWord(delivery['status']);
  if (status === undefined || OF_REPORTS.has(status)) return undefined;
  const event = eventTold(status);
  return event === 'review' || event === 'ask' ? undefined : status;
}

function foundIn(content: unknown, mediaBuyId: string): Fields[] {
  const entries = isFields(content) ? content['media_buy_deliveries'] : undefined;
  return Array.isArray(entries) ? entriesForBuy({ entries }, 'entries', mediaBuyId) : [];
}

/** What was delivered, or why that cannot be read; undefined when the seller does not say. */
export function readDelivery(content: unknown, mediaBuyId: string): Delivered | undefined {
  return agreedDelivery(foundIn(content, mediaBuyId).map((found) => readEntry(content, found)));
}

/** Days of a seller may be those of its own time zone. */
const ZONES_MS = 14 * HOUR_MS;

/** That a report is of other days than those that were asked about; undefined where it does not say of which it is. */
export function ofOtherDays(
  content: unknown,
  { days }: Pick<DeliveryQuery, 'days'>,
): UnreadReport | undefined {
  const period = isFields(content) ? content['reporting_period'] : undefined;
  if (days === undefined || !isFields(period)) return undefined;
  const [start, end] = [momentIn(period['start']), momentIn(period['end'])];
  if (start === undefined || end === undefined) return undefined;
  const { startDate, endDate } = days;
  const isWithin =
    Date.parse(start) >= Date.parse(startDate) - ZONES_MS &&
    Date.parse(end) <= Date.parse(endDate) + DAY_MS + ZONES_MS;
  if (isWithin) return undefined;
  return {
    unread: `The seller reports ${dayOf(start)} to ${dayOf(end)}, where ${startDate} to ${endDate} were asked for`,
  };
}

function readEntry(content: unknown, found: Fields): Delivered | undefined {
  const parts = entriesIn(found['by_package']);
  const whole = totalsBy(isFields(found['totals']) ? found['totals'] : undefined, parts);
  if (!isFields(content) || whole === undefined) return undefined;
  if ('unread' in whole) return whole;
  const { totals: told } = whole;
  const totals = figuresIn(told);
  if ('unread' in totals) return totals;
  const [placed, packages] = [parts.flatMap(placementsIn), parts.flatMap(packageIn)];
  const placements = placed.flatMap((one) => ('unread' in one ? [] : [one]));
  const unreadPlacements = placed.flatMap((one) => ('unread' in one ? [one] : []));
  // Of all its buys the answer names one (AdCP); who names one nearer to the figures means that.
  const currency = [told, found, content].map(currencyIn).find((code) => code !== undefined);
  const window = windowIn(content['reporting_period']);
  return {
    ...totals,
    counts: countsIn(told),
    ...standingOf(content, found),
    ...(currency === undefined ? {} : { currency }),
    ...(window === undefined ? {} : { window }),
    ...(packages.length === 0 ? {} : { packages }),
    ...(placements.length === 0 ? {} : { placements }),
    ...(unreadPlacements.length === 0 ? {} : { unreadPlacements }),
  };
}

/** Whether more is to come of what is reported, as far as the report says so of the whole or of its packages. */
function standingOf(
  content: Fields,
  found: Fields,
): Pick<DeliveryReport, 'isDelayed' | 'isFinal' | 'isFinalByPackages'> {
  const status = asWord(found['status']);
  const kind = asWord(content['notification_type']);
  if (status === 'reporting_delayed' || kind === 'delayed') return { isDelayed: true };
  const parts = entriesIn(found['by_package']).map((part) => part['is_final']);
  if (parts.includes(false) || content['partial_data'] === true) return { isFinal: false };
  if (kind === 'final' || status === 'final') return { isFinal: true };
  const isClosed = parts.length > 0 && parts.every((one) => one === true);
  return isClosed ? { isFinal: true, isFinalByPackages: true } : {};
}

/** A count that can be none is left out, and the others are believed: nothing is billed by them. */
function countsIn(totals: Fields): Counts {
  const count = (name: string) => countOf(totals[name]) ?? 0;
  return {
    views: count('views'),
    completedViews: count('completed_views'),
    conversions: count('conversions'),
    leads: count('leads'),
  };
}

function packageIn(part: Fields): (PackageDelivery | UnreadPackage)[] {
  const packageId = readId(part['package_id']);
  const currency = currencyIn(part);
  const named = currency === undefined ? {} : { currency };
  return packageId === undefined ? [] : [{ packageId, ...named, ...figuresIn(part) }];
}

/** The days of a report, where it names both. */
function windowIn(period: unknown): Days | undefined {
  if (!isFields(period)) return undefined;
  const [start, end] = [momentIn(period['start']), momentIn(period['end'])];
  if (start === undefined || end === undefined) return undefined;
  // A moment that begins a day ends the one before; a day that is named is the last one.
  const first = dayOf(start);
  return { start: first, end: later(first, namesDay(period['end']) ? dayOf(end) : lastDayBefore(end)) };
}

function placementsIn(part: Fields): (Placement | UnreadPlacement)[] {
  const packageId = readId(part['package_id']) ?? null;
  return entriesIn(part['by_placement']).flatMap((entry): (Placement | UnreadPlacement)[] => {
    const placementId = readId(entry['placement_id']);
    const figures = figuresIn(entry);
    if (placementId === undefined) return [];
    if ('unread' in figures) return [{ placementId, ...figures }];
    return [{ placementId, packageId, ...figures, conversions: countOf(entry['conversions']) ?? 0 }];
  });
}

function figuresIn(fields: Fields): Figures | UnreadReport {
  const [impressions, clicks] = [countOf(fields['impressions']), countOf(fields['clicks'])];
  const spend = figureOf(fields['spend'], Number.MAX_SAFE_INTEGER);
  if (spend === undefined) return unread(fields, 'spend');
  if (impressions === undefined) return unread(fields, 'impressions');
  return clicks === undefined ? unread(fields, 'clicks') : { impressions, spend, clicks };
}

/** A number is repeated; of what is none it is said alone, because it may be of any length. */
function unread(fields: Fields, name: string): UnreadReport {
  const told = fields[name];
  const what =
    typeof told === 'number' ? `${told} as ${name}, which can be no figure` : `as ${name} what is no number`;
  return { unread: `The seller reports ${what}` };
}

function countOf(value: unknown): number | undefined {
  const count = figureOf(value, BELIEVED_COUNT_MAX);
  return count === undefined ? undefined : Math.floor(count);
}

/** What is left out is nothing. */
function figureOf(value: unknown, most: number): number | undefined {
  if (value === undefined || value === null) return 0;
  return typeof value === 'number' && value >= 0 && value <= most ? value : undefined;
}
