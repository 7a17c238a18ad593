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
}

/**
 * Where a buy stands at a time. A sandbox buy is delivered in sandbox time, evenly over its flight and never
 * beyond its budget; any other buy only runs, because nothing here serves real impressions.
 */
export function deliveredAt(buy: EmbeddedBuyRow, now: number): Delivered {
  const sandbox = fromFlag(buy.sandbox);
  const start = Math.max(Date.parse(buy.start_time), sandbox ? 0 : Date.parse(buy.created_at));
  const length = Math.max(Date.parse(buy.end_time) - start, 1);
  const elapsed = sandbox ? (now - Date.parse(buy.created_at)) * SANDBOX_SPEED : now - start;
  const share = Math.min(Math.max(elapsed / length, 0), 1);
  const status = share >= 1 ? 'completed' : share > 0 ? 'active' : 'pending_start';
  if (!sandbox) return { status, impressions: 0, spendMinor: 0, clicks: 0 };
  const spent = fromJson(buy.packages).map((part) => spentOf(part, share));
  const spendMinor = spent.reduce((sum, minor) => sum + minor, 0);
  const impressions = fromJson(buy.packages).reduce(
    (sum, part, index) => sum + impressionsOf(part, spent[index] ?? 0, buy.currency),
    0,
  );
  return {
    status,
    impressions,
    spendMinor,
    clicks: Math.floor((impressions * CLICKS_PER_TEN_THOUSAND) / 10_000),
  };
}

function spentOf(part: EmbeddedPackage, share: number): number {
  return Math.floor(part.budget_minor * share);
}

/** Impressions bought for an amount, at the package's price for a thousand. */
function impressionsOf(part: EmbeddedPackage, spentMinor: number, currency: string): number {
  const rateMinor = part.rate * 10 ** decimalsOf(currency);
  return rateMinor <= 0 ? 0 : Math.floor((spentMinor / rateMinor) * 1_000);
}
