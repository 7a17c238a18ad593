import {
  listMediaBuyChanges,
  listOpenChangesOf,
  type MediaBuyChangeRow,
} from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { Context } from '../../core/context.ts';
import { isOpen } from '../../domain/buying/changes/change-states.ts';
import { LAST_CHANGES, lastChanges, saidByNow } from '../../domain/buying/changes/late-changes.ts';
import { type Refreshed, refreshBuy } from '../../domain/buying/following/buy-refreshing.ts';
import { beganLate } from '../../domain/buying/spend/late-beginnings.ts';
import { belowOrdered, beyondOrdered } from '../../domain/buying/standing/beyond-ordered.ts';
import { datesOtherwise } from '../../domain/buying/standing/dates-otherwise.ts';
import { listedTwice } from '../../domain/buying/standing/listed-twice.ts';
import { changesTold } from '../../domain/buying/standing/pending-change.ts';

export interface Heard extends Refreshed {
  readonly change: ReturnType<typeof changesTold>['change'];
  /** Whether a change was refused, and nothing has settled it since. */
  readonly isRefused: boolean;
  /** What waits of it. */
  readonly open: readonly MediaBuyChangeRow[];
  /**
   * How it stands against the daily cap, where it began too late for it, or a change that is not the one told came too
   * late or was refused; else that its seller shows something else than was ordered.
   */
  readonly late: string | undefined;
  /** Whether the seller has decided on a change, or said more of it. */
  readonly hasMoved: boolean;
}

/** A buy and what was last asked of it, before and after its seller was asked. */
export async function heardOf(ctx: Context, buy: MediaBuyRow): Promise<Heard> {
  const last = { mediaBuyId: buy.id, limit: LAST_CHANGES };
  const before = await listMediaBuyChanges(ctx.db, ctx.scope, last);
  const refreshed = await refreshBuy(ctx, buy);
  const began = await beganLate(ctx.db, refreshed.after, ctx.now);
  const beyond = await besideOrder(ctx, refreshed.after);
  if (before.length === 0) {
    return { ...refreshed, late: began ?? beyond, ...NOTHING_ASKED };
  }
  const after = await lastChanges(ctx.db, refreshed.after, last.limit);
  const said = await saidByNow(ctx.db, refreshed.after, { changes: after, now: ctx.now });
  const { change, isRefused, beside } = changesTold(refreshed.after, said);
  const late = began ?? (beside.length > 0 ? beside.join(' ') : beyond);
  return {
    ...refreshed,
    late,
    change,
    isRefused,
    open: said.filter(({ state }) => isOpen(state)),
    hasMoved: before.some(({ id, state }) => after.some((one) => one.id === id && one.state !== state)),
  };
}

const NOTHING_ASKED = { change: undefined, isRefused: false, open: [], hasMoved: false };

/** What waits is looked up only where it can tell why a seller shows something else than was ordered. */
async function besideOrder({ db, scope, now }: Context, buy: MediaBuyRow): Promise<string | undefined> {
  const saidBy = (open: readonly MediaBuyChangeRow[]) =>
    listedTwice(buy) ??
    beyondOrdered(buy, open) ??
    (buy.end_time > now ? (belowOrdered(buy, open) ?? datesOtherwise(buy, open)) : undefined);
  if (saidBy([]) === undefined) return undefined;
  return saidBy(await listOpenChangesOf(db, scope, { mediaBuyId: buy.id }));
}
