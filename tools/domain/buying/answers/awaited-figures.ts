import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { momentAfter } from '../../../core/moments.ts';
import type { DeliveryReport } from '../../sellers/delivery.ts';
import { isAwaited, isLive, isOpenStatus, isUnreported } from '../machines.ts';

/** Figures that sellers report of media buys that are over: they go on counting for some days. Pure. */

type Awaiting = Pick<MediaBuyRow, 'figures_awaited_since'>;

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
