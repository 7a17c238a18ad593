import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { lastDayBefore, MINUTE_MS, momentAfter } from '../../../core/moments.ts';
import type { DeliveryReport } from '../../sellers/delivery.ts';
import { isAwaited, isBegun, isLive, isOpenStatus, isUnreported } from '../machines.ts';

/** Figures that sellers report of media buys that are over: they go on counting for some days. Pure. */

type Awaiting = Pick<MediaBuyRow, 'figures_awaited_since'>;
type Delayed = Pick<MediaBuyRow, 'products'>;

/** Whoever declares more is waited for no longer than that: money would be bound for good. */
const DELAY_MAX_MINUTES = 30 * 24 * 60;

/** By how many minutes its reports come late: of its products that which comes last. */
export function reportingDelay({ products }: Delayed): number {
  const declared = fromJson(products).map(({ reporting_delay_minutes: minutes = 0 }) => minutes);
  return Math.min(DELAY_MAX_MINUTES, Math.max(0, ...declared));
}

/** How long its figures are waited for: longer where it declares that they come later, and not where nobody waits. */
export function graceOf(buy: Delayed, graceMs: number): number {
  return graceMs === 0 ? 0 : Math.max(graceMs, reportingDelay(buy) * MINUTE_MS);
}

/** Until when its figures are waited for; undefined where they stand, or it goes on. */
export function awaitedUntil(buy: Awaiting & Delayed, graceMs: number): string | undefined {
  const { figures_awaited_since: since } = buy;
  return since === null ? undefined : momentAfter(since, graceOf(buy, graceMs));
}

/** Whether nobody asks for its figures any more: those of the last report that was taken stand. */
export function isFinal(buy: Awaiting & Pick<MediaBuyRow, 'status' | 'submission'>): boolean {
  return !isLive(buy) && !isAwaited(buy);
}

/** Whether it runs or ran, and its seller never told what that delivered: nobody knows that it is nothing. */
export function isNeverReported(buy: MediaBuyRow, now: string): boolean {
  const { status, pending_reason, start_time, performance_at, impressions, spend_minor, clicks } = buy;
  if (performance_at !== null || impressions + spend_minor + clicks > 0) return false;
  const runs = isBegun(status) && pending_reason === null && start_time <= now;
  return runs || status === 'COMPLETED' || isAwaited(buy);
}

type Ended = Awaiting & Delayed & Pick<MediaBuyRow, 'status' | 'end_time' | 'figures_reported_at'>;

/**
 * When a report that is believed said what is owed of a buy that is over. What comes with the word of its end was
 * counted before that, unless its seller calls it final; what comes later says so where it reaches to the end, is not
 * before the delay is over that its seller declares, and its seller does not say that it will change.
 */
export function reportedAt(
  buy: Ended,
  { isFinal, isDelayed, window }: DeliveryReport,
  now: string,
): Partial<Pick<MediaBuyRow, 'figures_reported_at'>> {
  const { status, end_time, figures_awaited_since: since } = buy;
  if (isOpenStatus(status) || isDelayed === true || (since !== null && !isUnreported(buy))) return {};
  const isClosed = isFinal ?? since !== null;
  const ended = [end_time, since ?? now].sort()[0] ?? now;
  const reaches = window === undefined || window.end >= lastDayBefore(ended);
  const isEarly = isFinal !== true && now < momentAfter(ended, reportingDelay(buy) * MINUTE_MS);
  return isClosed && reaches && !isEarly ? { figures_reported_at: now } : {};
}
