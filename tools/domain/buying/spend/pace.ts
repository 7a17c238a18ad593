import { fromJson } from '../../../../store/engine/codec.ts';
import type { SpentSoFar } from '../../../../store/media-buy-figures.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { DAY_MS, dayOf, endMeant, momentAfter, startOfDay } from '../../../core/moments.ts';
import { roundToMinor } from '../../money.ts';
import { earlier, later } from '../../time.ts';
import { type Ordered, packagesOrdered } from '../choice/package-lines.ts';
import { orderLines } from '../payloads.ts';
import { spentOf } from './buy-commitment.ts';

/**
 * What a buy has spent and is going to spend, by what its seller told and the even pace it was ordered at since. No
 * budget is spent twice by that: what is gone of it counts at the pace at which it went, and not at the pace of
 * later. Gross, in minor units and parts of them. Pure.
 */

/** So much, evenly between two moments. */
export interface Share {
  readonly from: string;
  readonly to: string;
  readonly minor: number;
}

/** What one package is to spend, from its first moment to its last. */
interface Run extends Share {
  readonly id: string;
}

type Terms = Pick<
  MediaBuyRow,
  'start_time' | 'end_time' | 'budget_minor' | 'packages' | 'order_payload' | 'currency'
>;
export type Paced = Terms &
  Pick<
    MediaBuyRow,
    'status' | 'pending_reason' | 'spend_minor' | 'performance_at' | 'fee_bps' | 'products' | 'spent_so_far'
  >;

type Parts = SpentSoFar['parts'];

/** The packages of a buy as they spend: in their own time where they have one, of its budget their part. */
export function runsOf(buy: Terms): Run[] {
  const { start_time, end_time, budget_minor: minor } = buy;
  const parts = partsOf(buy);
  const all = sum(parts.map(({ media }) => media ?? 0));
  const left = Math.max(0, minor - sum(parts.map(({ kept = 0 }) => kept)));
  // Undivided where only the whole is known.
  if (all === 0 || parts.some(({ media }) => media === null)) {
    return [{ id: WHOLE, from: start_time, to: endMeant(end_time), minor }];
  }
  return parts.map(({ id, media, kept, from: start, to }) => {
    const from = later(start ?? start_time, start_time);
    // What was called off has spent what it keeps, and goes on no day.
    if (kept !== undefined) return { id, from, to: from, minor: kept };
    const until = endMeant(earlier(to ?? end_time, end_time));
    return { id, from, to: until, minor: (left * (media ?? 0)) / all };
  });
}

const WHOLE = '';

interface Part {
  readonly id: string;
  readonly media: number | null;
  readonly kept?: number | undefined;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** As the seller named them; before that as they were ordered. */
function partsOf(buy: Terms): Part[] {
  const packages = packagesOrdered(buy);
  if (packages.length > 0) return packages.map(partOf);
  return orderLines(buy).map(({ budget, start_time: from, end_time: to }, index) => {
    const media = roundToMinor(budget, buy.currency) ?? null;
    return { id: String(index), media, from, to };
  });
}

function partOf({ part, line }: Ordered): Part {
  const { package_id: id, budget_minor, canceled, kept_minor: kept } = part;
  // Of one whose line is not certain its seller says alone when it runs.
  const from = part.start_time ?? line?.start_time ?? part.shown_start;
  const to = part.end_time ?? line?.end_time ?? part.shown_end;
  const media = canceled === true ? 0 : budget_minor;
  return { id, media, kept, from, to };
}

/** What is known of a moment: written with each change of the pace; before the first one, what its seller told. */
function knownOf(buy: Paced): SpentSoFar {
  if (buy.spent_so_far !== null) return fromJson(buy.spent_so_far);
  const { performance_at, start_time } = buy;
  if (performance_at === null) return { at: start_time, parts: {}, dawn: 0 };
  const told = spentOf(buy);
  return { at: performance_at, parts: { [WHOLE]: told }, dawn: told };
}

/** Whether its seller spends: not while it looks the order over, holds it, or waits for creatives. */
export function isSpending({ status, pending_reason }: Pick<Paced, 'status' | 'pending_reason'>): boolean {
  return status === 'ACTIVE' && pending_reason !== 'no_creatives_attached';
}

/** What is gone of each package by a moment. */
function goneBy(buy: Paced, moment: string): Parts {
  const { at, parts } = knownOf(buy);
  const runs = runsOf(buy);
  const known = amongRuns(parts, runs);
  if (!isSpending(buy)) return known;
  return Object.fromEntries(
    runs.map((run) => {
      const had = known[run.id] ?? 0;
      const left = { ...run, from: later(run.from, at), minor: Math.max(0, run.minor - had) };
      return [run.id, had + passedBy(left, moment)];
    }),
  );
}

/** What of a share is spent by a moment. */
function passedBy({ from, to, minor }: Share, moment: string): number {
  if (moment >= to) return from < to ? minor : 0;
  return moment <= from ? 0 : (minor * between(from, moment)) / between(from, to);
}

/** What was spent of packages that are there no more, or had no names yet, is of those that are there. */
function amongRuns(parts: Parts, runs: readonly Run[]): Parts {
  const ids = new Set(runs.map(({ id }) => id));
  const rest = sum(Object.entries(parts).map(([id, part]) => (ids.has(id) ? 0 : part)));
  const more = divided(
    rest,
    runs.map(({ minor }) => minor),
  );
  return Object.fromEntries(runs.map(({ id }, index) => [id, (parts[id] ?? 0) + (more[index] ?? 0)]));
}

/** A sum in the proportion of shares, in parts of a minor unit. */
function divided(minor: number, shares: readonly number[]): number[] {
  const all = sum(shares);
  return shares.map((share) => (all === 0 ? minor / shares.length : (minor * share) / all));
}

function dawnBy(buy: Paced, moment: string): number {
  const { at, dawn } = knownOf(buy);
  return dayOf(at) === dayOf(moment) ? dawn : spentBy(buy, startOfDay(dayOf(moment)));
}

/** What a buy has spent by a moment, in all. */
export function spentBy(buy: Paced, moment: string): number {
  return sum(Object.values(goneBy(buy, moment)));
}

/** What a buy spent on the day of a moment, by that moment. A day is one of UTC. */
export function spentThatDay(buy: Paced, moment: string): number {
  return Math.max(0, spentBy(buy, moment) - dawnBy(buy, moment));
}

/** What is to be kept with a change of a buy, so that what it spent at its pace of before stays known. */
export function spentSoFar(before: Paced, after: Paced, now: string): SpentSoFar | null {
  const isTold = after.performance_at !== before.performance_at || after.spend_minor !== before.spend_minor;
  // Nothing is gone yet, and its start may still move.
  if (before.spent_so_far === null && !isTold && now <= before.start_time) return null;
  const gone = goneBy(before, now);
  const dawn = dawnBy(before, now);
  return { at: now, parts: isTold ? toldOf(gone, runsOf(before), spentOf(after)) : gone, dawn };
}

/** What its seller told, shared as it was reckoned. */
function toldOf(gone: Parts, runs: readonly Run[], told: number): Parts {
  const reckoned = runs.map(({ id }) => gone[id] ?? 0);
  const shares = sum(reckoned) > 0 ? reckoned : runs.map(({ minor }) => minor);
  const parts = divided(told, shares);
  return Object.fromEntries(runs.map(({ id }, index) => [id, parts[index] ?? 0]));
}

/** What a buy would spend from a moment on, as it is or under other terms. */
export function aheadOf(buy: Paced, terms: Terms, now: string): Share[] {
  const runs = runsOf(terms);
  const gone = amongRuns(goneBy(buy, now), runs);
  return runs.flatMap(({ id, from, to, minor }) => {
    const left = { from: later(from, now), to, minor: minor - (gone[id] ?? 0) };
    return left.minor > 0 && left.from < to ? [left] : [];
  });
}

/** What of shares falls on a day. */
export function spentOn(day: string, shares: readonly Share[]): number {
  const from = startOfDay(day);
  const to = momentAfter(from, DAY_MS);
  return sum(shares.map((share) => passedBy(share, to) - passedBy(share, from)));
}

/** The days among which the one is on which most is spent: between these it is the same every day. */
export function turningDays(shares: readonly Share[], now: string): string[] {
  const ends = shares.flatMap(({ from, to }) => [dayOf(from), dayOf(to)]);
  const days = new Set([dayOf(now), ...ends.flatMap((day) => [dayAfter(day, -1), day, dayAfter(day, 1)])]);
  return [...days].filter((day) => day >= dayOf(now));
}

function dayAfter(day: string, count: number): string {
  return dayOf(momentAfter(day, count * DAY_MS));
}

function between(from: string, to: string): number {
  return Date.parse(to) - Date.parse(from);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
