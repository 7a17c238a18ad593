import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { momentAfter } from '../../../core/moments.ts';
import { hasEnded, isLive } from '../machines.ts';

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
export function isUnreported(buy: Awaiting & Pick<MediaBuyRow, 'performance_at'>): boolean {
  const { figures_awaited_since: since, performance_at: told } = buy;
  return since !== null && (told === null || told < since);
}

/** Whether something of a buy that comes to its end may be delivered that is not told of yet. */
export function mayHaveRun(before: MediaBuyRow, after: MediaBuyRow, now: string): boolean {
  if (!hasEnded(after.status) || after.adcp_media_buy_id === null) return false;
  return after.status === 'COMPLETED' || after.impressions + after.spend_minor > 0 || mayRun(before, now);
}

/** Of one whose seller waits for creatives, or for its start, nothing is delivered. */
function mayRun({ status, pending_reason, start_time }: MediaBuyRow, now: string): boolean {
  if (status === 'PAUSED') return true;
  if (status !== 'ACTIVE') return false;
  return pending_reason === null || (pending_reason === 'scheduled_not_started' && start_time <= now);
}
