import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { momentAfter } from '../../../core/moments.ts';
import type { DeliveryReport } from '../../sellers/delivery.ts';
import { isLive, isOpenStatus } from '../machines.ts';

/** Figures that sellers report of media buys that are over: they go on counting for some days. Pure. */

type Awaiting = Pick<MediaBuyRow, 'figures_awaited_since'>;

/** Whether its seller is asked for figures though it is over. */
export function isAwaited({ figures_awaited_since }: Awaiting): boolean {
  return figures_awaited_since !== null;
}

/** Until when its figures are waited for; undefined where they stand, or it goes on. */
export function awaitedUntil(
  { figures_awaited_since: since }: Awaiting,
  graceMs: number,
): string | undefined {
  return since === null ? undefined : momentAfter(since, graceMs);
}

/** Whether nobody asks for its figures any more: those of the last report that was taken stand. */
export function isFinal(buy: Awaiting & Pick<MediaBuyRow, 'status' | 'submission'>): boolean {
  return !isLive(buy) && !isAwaited(buy);
}

/** Whether no report that is believed has come since it was over: nobody knows yet what is owed. */
export function isUnreported(buy: Awaiting & Pick<MediaBuyRow, 'figures_reported_at'>): boolean {
  return isAwaited(buy) && buy.figures_reported_at === null;
}

type Ended = Awaiting & Pick<MediaBuyRow, 'status' | 'end_time' | 'figures_reported_at'>;

/**
 * When a report that is believed said what is owed of a buy that is over. What comes with the word of its end was
 * counted before that, unless its seller calls it final; what comes later says so where it reaches to the end, and
 * its seller does not say that it will change.
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
  const reaches = window === undefined || window.end >= ended.slice(0, window.end.length);
  return isClosed && reaches ? { figures_reported_at: now } : {};
}
