import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { isNamed } from '../answers/ended-at-seller.ts';
import { isBegun } from '../machines.ts';
import { orderLines } from '../payloads.ts';
import { spentBy } from '../spend/pace.ts';

/** Whether something of a media buy that comes to its end may be delivered that is not told of yet. Pure. */

interface Ending {
  readonly after: MediaBuyRow;
  readonly now: string;
  /** What was asked of it and never confirmed, and what its seller may have done all the same. */
  readonly asked: readonly Pick<MediaBuyChangeRow, 'proposed'>[];
}

/** However it ends: a seller that rejects what it had taken may have run it for days. */
export function mayHaveRun(before: MediaBuyRow, { after, now, asked }: Ending): boolean {
  if (!isNamed(after)) return false;
  if (after.status === 'COMPLETED' || after.impressions + after.spend_minor > 0) return true;
  return mayRun(before) && hasStarted(before, { asked, now });
}

/** Of one that its seller has yet to take, or that waits for creatives, nothing is delivered. */
function mayRun({ status, pending_reason }: MediaBuyRow): boolean {
  return isBegun(status) && (pending_reason === null || pending_reason === 'scheduled_not_started');
}

/** Sellers call active what begins later. What has spent began, also where its start was put off since. */
function hasStarted(buy: MediaBuyRow, { asked, now }: Pick<Ending, 'asked' | 'now'>): boolean {
  return startsOf(buy, asked).some((start) => start <= now) || spentBy(buy, now) > 0;
}

/** The starts that its seller may go by: whichever comes first tells, because it may have run since. */
function startsOf(buy: MediaBuyRow, asked: Ending['asked']): string[] {
  const proposed = asked.map((change) => fromJson(change.proposed));
  const parts = [buy, ...proposed].flatMap(({ packages }) =>
    typeof packages === 'string' ? fromJson(packages) : (packages ?? []),
  );
  const own = [buy, ...proposed, ...parts, ...orderLines(buy)].flatMap(({ start_time }) => start_time ?? []);
  const shown = [buy, ...parts].flatMap(({ shown_start }) => shown_start ?? []);
  return [...own, ...shown];
}
