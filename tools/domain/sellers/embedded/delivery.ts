import type { EmbeddedBuyRow, EmbeddedPackage } from '../../../../store/embedded-buys.ts';
import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import { HOUR_MS, SECOND_MS } from '../../../core/moments.ts';
import type { Counts } from '../delivery.ts';
import { boughtFor, clicksOf, countable, countsOf } from './bought.ts';

/** Sandbox time: a second of the clock is an hour of the flight. */
const SANDBOX_SPEED = HOUR_MS / SECOND_MS;

interface Figures {
  readonly impressions: number;
  readonly spendMinor: number;
  readonly clicks: number;
}

const NOTHING: Figures = { impressions: 0, spendMinor: 0, clicks: 0 };

export interface Delivered extends Figures {
  readonly status: EmbeddedBuyRow['status'];
  readonly counts?: Counts;
  readonly packages: readonly (Figures & { readonly packageId: string })[];
}

/**
 * Where a buy stands at a time. A sandbox buy is delivered in sandbox time, each package over its own time at its
 * pace and never beyond its budget; any other buy only runs, because nothing here serves real impressions.
 */
export function deliveredAt(buy: EmbeddedBuyRow, now: number): Delivered {
  const status = statusAt(buy, now);
  if (!fromFlag(buy.sandbox)) return { status, ...NOTHING, packages: [] };
  const parts = packagesAt(buy, now);
  const packages = parts.map((part) => ({ packageId: part.package_id, ...figuresOf(part) }));
  const counts = countsOf(parts);
  return { status, ...sumOf(packages), ...(counts === undefined ? {} : { counts }), packages };
}

function figuresOf(part: EmbeddedPackage): Figures {
  const { impressions = 0, spent_minor: spendMinor = 0 } = part;
  return { impressions, spendMinor, clicks: clicksOf(part) };
}

function sumOf(figures: readonly Figures[]): Figures {
  return figures.reduce(
    (sum, { impressions, spendMinor, clicks }) => ({
      impressions: countable(sum.impressions + impressions),
      spendMinor: sum.spendMinor + spendMinor,
      clicks: countable(sum.clicks + clicks),
    }),
    NOTHING,
  );
}

/**
 * What was delivered between two moments of the flight. What came of a package before the terms were last changed is
 * spread evenly over its time until then.
 */
export function deliveredBetween(
  buy: EmbeddedBuyRow,
  { from, until }: { from: number; until: number },
  now: number,
): Figures {
  const [before, after] = [deliveredBy(buy, from, now), deliveredBy(buy, until, now)];
  return {
    impressions: Math.max(after.impressions - before.impressions, 0),
    spendMinor: Math.max(after.spendMinor - before.spendMinor, 0),
    clicks: Math.max(after.clicks - before.clicks, 0),
  };
}

function deliveredBy(buy: EmbeddedBuyRow, moment: number, now: number): Figures {
  const position = moment - startOf(buy);
  if (position <= 0 || !fromFlag(buy.sandbox)) return NOTHING;
  const reached = positionAt(buy, now);
  if (position >= reached) return deliveredAt(buy, now);
  const changed = buy.changed_at === null ? 0 : positionAt(buy, Date.parse(buy.changed_at));
  if (position >= changed) return deliveredAt(buy, clockAt(buy, position));
  return sumOf(
    fromJson(buy.packages).map((part) => {
      const { impressions, spendMinor, clicks } = figuresOf(part);
      const share = shareBy(position, timeUntil(buy, part, changed));
      return {
        impressions: Math.floor(impressions * share),
        spendMinor: Math.floor(spendMinor * share),
        clicks: Math.floor(clicks * share),
      };
    }),
  );
}

/** When a package was delivered until its terms were changed; all that time where it has only later times by now. */
function timeUntil(buy: EmbeddedBuyRow, part: EmbeddedPackage, changed: number): Span {
  const { from, until } = timeOf(buy, part);
  return from < changed ? { from, until: Math.min(until, changed) } : { from: 0, until: changed };
}

interface Span {
  readonly from: number;
  readonly until: number;
}

/** How much of a span is over at a position. */
function shareBy(position: number, { from, until }: Span): number {
  return Math.min(Math.max((position - from) / Math.max(until - from, 1), 0), 1);
}

/** So many times faster than evenly is what is to be spent as soon as it can be. */
const ASAP_TIMES = 10;

/** How much of what is left of a budget is spent once so much of the time that is left is over (AdCP, pacing). */
function spentBy(passed: number, pacing: EmbeddedPackage['pacing']): number {
  switch (pacing) {
    case 'asap':
      return Math.min(passed * ASAP_TIMES, 1);
    case 'front_loaded':
      return passed * (2 - passed);
    default:
      return passed;
  }
}

/** When the clock showed a position of the flight. */
function clockAt(buy: EmbeddedBuyRow, position: number): number {
  return fromFlag(buy.sandbox)
    ? Date.parse(buy.created_at) + position / SANDBOX_SPEED
    : startOf(buy) + position;
}

function statusAt(buy: EmbeddedBuyRow, now: number): EmbeddedBuyRow['status'] {
  if (buy.status === 'canceled') return 'canceled';
  const share = positionAt(buy, now) / lengthOf(buy);
  if (share >= 1) return 'completed';
  if (buy.status === 'paused') return 'paused';
  return share > 0 ? 'active' : 'pending_start';
}

/**
 * The packages with what each has spent and shown by a time: what it had when its terms were last changed, and of
 * the rest of its budget the part of its remaining time that has passed since. A pause lets time pass by.
 */
export function packagesAt(buy: EmbeddedBuyRow, now: number): EmbeddedPackage[] {
  const since = buy.changed_at === null ? 0 : positionAt(buy, Date.parse(buy.changed_at));
  const position = positionAt(buy, now);
  const rests = buy.status === 'paused' || buy.status === 'canceled';
  return fromJson(buy.packages).map((part) => {
    if (rests || part.paused === true || part.canceled === true || !fromFlag(buy.sandbox)) return part;
    const { from, until } = timeOf(buy, part);
    // Over before its terms were changed: nothing of the rest is delivered.
    if (since >= until) return part;
    const { spent_minor: before = 0 } = part;
    const passed = shareBy(position, { from: Math.max(from, since), until });
    const spent = Math.floor(Math.max(part.budget_minor - before, 0) * spentBy(passed, part.pacing));
    return { ...part, spent_minor: before + spent, ...shownAfter(part, spent, buy.currency) };
  });
}

function shownAfter(part: EmbeddedPackage, spentMinor: number, currency: string) {
  const { impressions = 0, pieces = 0 } = part;
  const more = boughtFor(part, spentMinor, currency);
  return {
    impressions: countable(impressions + more.impressions),
    ...(more.pieces === undefined ? {} : { pieces: countable(pieces + more.pieces) }),
  };
}

/** The time of a package as positions in the flight of its buy, which it never leaves. */
function timeOf(buy: EmbeddedBuyRow, { start_time, end_time }: EmbeddedPackage): Span {
  const [start, length] = [startOf(buy), lengthOf(buy)];
  const from = start_time === undefined ? 0 : Math.max(Date.parse(start_time) - start, 0);
  return {
    from,
    until: end_time === undefined ? length : Math.min(Date.parse(end_time) - start, length),
  };
}

function startOf(buy: EmbeddedBuyRow): number {
  return Math.max(Date.parse(buy.start_time), fromFlag(buy.sandbox) ? 0 : Date.parse(buy.created_at));
}

function lengthOf(buy: EmbeddedBuyRow): number {
  return Math.max(Date.parse(buy.end_time) - startOf(buy), 1);
}

/** How far into its flight a buy is, in milliseconds; below 0 before its start. */
function positionAt(buy: EmbeddedBuyRow, now: number): number {
  const elapsed = fromFlag(buy.sandbox)
    ? (now - Date.parse(buy.created_at)) * SANDBOX_SPEED
    : now - startOf(buy);
  return Math.min(elapsed, lengthOf(buy));
}
