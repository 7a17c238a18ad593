import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { next } from '../../../core/machines.ts';
import { momentAfter } from '../../../core/moments.ts';
import { graceOf } from '../answers/awaited-figures.ts';
import { type BuyChange, isRefreshed } from '../answers/buy-status.ts';
import { buyMachine, isUndecided } from '../machines.ts';

/** The end of the time of a media buy of which its seller told no end. Pure. */

type Timed = Pick<MediaBuyRow, 'status' | 'submission' | 'end_time' | 'products'>;

/** Until when figures of its seller are waited for; where it has yet to decide there are none to be late. */
export function waitsUntil(buy: Pick<Timed, 'status' | 'end_time' | 'products'>, graceMs: number): string {
  return momentAfter(buy.end_time, isUndecided(buy.status) ? graceMs : graceOf(buy, graceMs));
}

/** Whether it is over, whatever its seller says: of an order nobody knows of that cannot be said. */
export function isOverdue(buy: Timed, { now, graceMs }: { now: string; graceMs: number }): boolean {
  return isRefreshed(buy) && buy.submission === 'answered' && waitsUntil(buy, graceMs) <= now;
}

export function afterTime(buy: Pick<Timed, 'status'>): BuyChange {
  const isLapsed = isUndecided(buy.status);
  return {
    status: next(buyMachine, buy.status, isLapsed ? 'lapse' : 'complete') ?? buy.status,
    pending_reason: null,
    pending_since: null,
    figures_awaited_since: null,
    source_message: isLapsed ? LAPSED : UNENDED,
  };
}

const LAPSED = 'Its time went by before its seller had decided: it was called off here.';
const UNENDED = 'Its time is over, and its seller told of no end: what it reported until now counts.';
