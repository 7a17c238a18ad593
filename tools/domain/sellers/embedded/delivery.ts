import type { EmbeddedBuyRow, EmbeddedPackage } from '../../../../store/embedded-buys.ts';
import { fromFlag, fromJson } from '../../../../store/engine/codec.ts';
import { decimalsOf } from '../../money.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
/** Sandbox time: a second of the clock is an hour of the flight. */
const SANDBOX_SPEED = HOUR_MS / SECOND_MS;
/** Clicks in ten thousand impressions. */
const CLICKS_PER_TEN_THOUSAND = 12;

export interface Delivered {
  readonly status: EmbeddedBuyRow['status'];
  readonly impressions: number;
  readonly spendMinor: number;
  readonly clicks: number;
  readonly packages: readonly (Omit<Delivered, 'status' | 'packages'> & { readonly packageId: string })[];
}

/**
 * Where a buy stands at a time. A sandbox buy is delivered in sandbox time, evenly over its flight and never
 * beyond its budget; any other buy only runs, because nothing here serves real impressions.
 */
export function deliveredAt(buy: EmbeddedBuyRow, now: number): Delivered {
  const status = statusAt(buy, now);
  if (!fromFlag(buy.sandbox)) return { status, impressions: 0, spendMinor: 0, clicks: 0, packages: [] };
  const packages = packagesAt(buy, now).map(({ package_id, spent_minor = 0, impressions = 0 }) => ({
    packageId: package_id,
    impressions,
    spendMinor: spent_minor,
    clicks: clicksOf(impressions),
  }));
  const spendMinor = packages.reduce((sum, part) => sum + part.spendMinor, 0);
  const impressions = packages.reduce((sum, part) => sum + part.impressions, 0);
  return { status, impressions, spendMinor, clicks: clicksOf(impressions), packages };
}

/**
 * What was delivered between two moments of the flight. What came before the terms were last changed is spread evenly
 * over the time until then.
 */
export function deliveredBetween(
  buy: EmbeddedBuyRow,
  { from, until }: { from: number; until: number },
  now: number,
): Omit<Delivered, 'status' | 'packages'> {
  const [before, after] = [deliveredBy(buy, from, now), deliveredBy(buy, until, now)];
  const impressions = Math.max(after.impressions - before.impressions, 0);
  return {
    impressions,
    spendMinor: Math.max(after.spendMinor - before.spendMinor, 0),
    clicks: clicksOf(impressions),
  };
}

function deliveredBy(
  buy: EmbeddedBuyRow,
  moment: number,
  now: number,
): { impressions: number; spendMinor: number } {
  const position = moment - startOf(buy);
  if (position <= 0) return { impressions: 0, spendMinor: 0 };
  const reached = positionAt(buy, now);
  if (position >= reached) return deliveredAt(buy, now);
  const changed = buy.changed_at === null ? 0 : positionAt(buy, Date.parse(buy.changed_at));
  if (position >= changed) return deliveredAt(buy, clockAt(buy, position));
  const { impressions, spendMinor } = deliveredAt(buy, clockAt(buy, changed));
  const share = position / changed;
  return { impressions: Math.floor(impressions * share), spendMinor: Math.floor(spendMinor * share) };
}

/** When the clock showed a position of the flight. */
function clockAt(buy: EmbeddedBuyRow, position: number): number {
  return fromFlag(buy.sandbox)
    ? Date.parse(buy.created_at) + position / SANDBOX_SPEED
    : startOf(buy) + position;
}

function clicksOf(impressions: number): number {
  return Math.floor((impressions * CLICKS_PER_TEN_THOUSAND) / 10_000);
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
 * the rest of its budget the part of the remaining flight that has passed since. A pause lets time pass by.
 */
export function packagesAt(buy: EmbeddedBuyRow, now: number): EmbeddedPackage[] {
  const since = buy.changed_at === null ? 0 : positionAt(buy, Date.parse(buy.changed_at));
  const left = Math.max(lengthOf(buy) - since, 1);
  const passed = Math.min(Math.max((positionAt(buy, now) - since) / left, 0), 1);
  const rests = buy.status === 'paused' || buy.status === 'canceled';
  return fromJson(buy.packages).map((part) => {
    if (rests || part.paused === true || part.canceled === true) return part;
    const { spent_minor: before = 0, impressions = 0 } = part;
    const spent = Math.floor(Math.max(part.budget_minor - before, 0) * passed);
    return {
      ...part,
      spent_minor: before + spent,
      impressions: impressions + impressionsOf(part, spent, buy.currency),
    };
  });
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

/** Impressions bought for an amount, at the package's price for a thousand. */
function impressionsOf(part: EmbeddedPackage, spentMinor: number, currency: string): number {
  const rateMinor = part.rate * 10 ** decimalsOf(currency);
  return rateMinor <= 0 ? 0 : Math.floor((spentMinor / rateMinor) * 1_000);
}
