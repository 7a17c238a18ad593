import { listOpenChangesOf, updateMediaBuyChange } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { findSeller } from '../../../../store/unscoped/market.ts';
import type { AuditedWrite, Context } from '../../../core/context.ts';
import { nowOf } from '../../../core/moments.ts';
import type { UpdateReport } from '../../sellers/buy-update.ts';
import { withinSellerTimeout } from '../../sellers/deadline.ts';
import { noteRefusal } from '../../sellers/last-failures.ts';
import { SellerError, type ShownBuy } from '../../sellers/port.ts';
import { asSeller } from '../../sellers/seller.ts';
import { isNowhereOtherwise, readingsOf } from '../changes/change-differences.ts';
import {
  afterReading,
  afterTask,
  type ChangeColumns,
  isAsAsked,
  isShownOtherwise,
  stillOtherwise,
  wasShownOtherwise,
} from '../changes/change-outcome.ts';
import { isEnd, isOfTerms } from '../changes/change-standing.ts';
import { neverSent, tooLateFor } from '../changes/late-changes.ts';
import { hasEnded, isStop, isUndecided, isUnresolved } from '../machines.ts';
import { updateIn } from '../payloads.ts';
import { sendChange } from './change-sending.ts';
import { type Changed, storeOutcome } from './change-storing.ts';
import { letGo } from './changes-let-go.ts';

/** Who asks a seller: a caller, or the service on its own account. */
export type Asking = Pick<Context, 'db' | 'scope' | 'services' | 'signal' | 'requestId'> & {
  /** The call that it is asked for; absent where nobody called. */
  readonly asked?: Pick<Context['asked'], 'tool'>;
};

/** What the log names where the service asked by itself. */
export const POLL = 'media_buy_poll';

/** What the seller was just heard to say of the buy, and who writes what follows from it. */
interface Heard {
  readonly report: ShownBuy | undefined;
  readonly write: AuditedWrite;
}

/** Sends what waited for an order that was asked about once more, or ends it where there is none. */
export async function followOrder(ctx: Asking, buy: MediaBuyRow, write: AuditedWrite): Promise<MediaBuyRow> {
  return isUnresolved(buy) ? buy : refreshChanges(ctx, buy, { report: undefined, write });
}

/** Brings the changes of a buy that wait for its seller up to what the seller says by now. */
export async function refreshChanges(ctx: Asking, buy: MediaBuyRow, heard: Heard): Promise<MediaBuyRow> {
  let current = buy;
  for (const change of await listOpenChangesOf(ctx.db, ctx.scope, { mediaBuyId: buy.id })) {
    current = (await refreshChange(ctx, { change, buy: current }, heard)).buy;
  }
  return current;
}

async function refreshChange(ctx: Asking, changed: Changed, heard: Heard): Promise<Changed> {
  const { change, buy } = changed;
  if (change.state === 'sending') return changed;
  if (change.state === 'held' && !isOver(buy)) return sendHeld(ctx, changed, heard);
  const columns = await columnsBy(ctx, changed, heard);
  if (columns === undefined) return isToBeRepeated(changed, heard) ? sendNow(ctx, changed, heard) : changed;
  const { write, report } = heard;
  return storeOutcome(ctx.services, changed, { columns, report, write });
}

/** A stop that did not reach its seller goes out again as soon as that is heard of. */
function isToBeRepeated({ change: { state, action } }: Changed, { report }: Heard): boolean {
  return state === 'unknown' && report !== undefined && isStop(action);
}

/** The seller has named the buy by now, and taken it where it is to be paused, or it waits on. */
async function sendHeld(ctx: Asking, changed: Changed, heard: Heard): Promise<Changed> {
  const { change, buy } = changed;
  if (buy.adcp_media_buy_id === null) return changed;
  if (change.action !== 'pause') return sendNow(ctx, changed, heard);
  if (isUndecided(buy.status)) return changed;
  if (buy.status === 'ACTIVE') return sendNow(ctx, changed, heard);
  return storeOutcome(ctx.services, changed, { columns: CONFIRMED, ...heard });
}

async function sendNow(ctx: Asking, { change, buy }: Changed, { write }: Heard): Promise<Changed> {
  const repeat = change.state === 'unknown';
  const late = repeat ? undefined : await tooLateFor(ctx.db, change, nowOf(ctx.services.ports.clock));
  if (late !== undefined)
    return storeOutcome(ctx.services, { change, buy }, { columns: neverSent(late), write });
  const claimed = await updateMediaBuyChange(ctx.db, ctx.scope, {
    id: change.id,
    version: change.version,
    set: { state: 'sending', owner: ctx.services.processId, updated_at: nowOf(ctx.services.ports.clock) },
  });
  if (claimed === undefined) return { change, buy };
  const sent = await sendChange(ctx.services, { change: claimed, buy }, { write, repeat });
  return sent ?? { change: claimed, buy };
}

async function columnsBy(
  ctx: Asking,
  changed: Changed,
  { report }: Heard,
): Promise<ChangeColumns | undefined> {
  if (isOver(changed.buy)) return afterEnd(changed, report);
  const told = await taskOf(ctx, changed);
  if (told?.kind === 'refused') return refusedAs(told.message);
  const read = report === undefined ? undefined : readingOf(ctx, changed, report);
  return read ?? undecided(changed, told, report);
}

/** What its seller has decided on and shows otherwise, or is still to decide on. */
function undecided(
  { change, buy }: Changed,
  told: Exclude<UpdateReport, { kind: 'refused' }> | undefined,
  report: Heard['report'],
): ChangeColumns | undefined {
  if (told?.kind === 'task') return afterTask(change, told);
  const isTaken = isShownOtherwise(change) || wasShownOtherwise(change);
  if (told === undefined && !isTaken) return undefined;
  if (told !== undefined && report !== undefined && isNowhereOtherwise(change, buy, report)) return CONFIRMED;
  // Its decision is made: what is left is that the buy reads like it.
  if (report !== undefined) return stillOtherwise(change, buy, report);
  return told === undefined ? undefined : CONFIRMED;
}

function readingOf(
  { services }: Asking,
  { change, buy }: Changed,
  report: ShownBuy,
): ChangeColumns | undefined {
  const { limits, ports } = services;
  return afterReading(change, buy, report) ?? letGo(change, buy, { report, now: nowOf(ports.clock), limits });
}

const CONFIRMED: ChangeColumns = {
  state: 'confirmed',
  owner: null,
  error_code: null,
  error_owner: null,
  source_message: null,
};

function refusedAs(message: string): ChangeColumns {
  return { state: 'refused', error_code: 'source_rejected', error_owner: 'seller', source_message: message };
}

function isOver(buy: MediaBuyRow): boolean {
  const { status } = buy;
  return !isUnresolved(buy) && (hasEnded(status) || status === 'REJECTED' || status === 'FAILED');
}

/**
 * A buy that is over cannot be changed any more; that it is over is what some changes asked for, and others may have
 * come true before, by what its seller shows.
 */
function afterEnd({ change, buy }: Changed, report: Heard['report']): ChangeColumns {
  if (isEnd(change)) return CONFIRMED;
  if (isOfTerms(change) && report !== undefined && isAsAsked(readingsOf(change, buy, report)))
    return CONFIRMED;
  return {
    state: 'superseded',
    owner: null,
    source_message: 'The media buy was over before its seller confirmed.',
  };
}

/** The state of the task that decides on a change; undefined where there is none, or nobody answers. */
async function taskOf(ctx: Asking, { change, buy }: Changed): Promise<UpdateReport | undefined> {
  const { adcp_task_id: taskId } = change;
  const row = taskId === null ? undefined : await findSeller(ctx.db, ctx.scope, buy.agent_id);
  if (taskId === null || row === undefined) return undefined;
  const { party } = updateIn(change);
  const seller = asSeller(row);
  try {
    const told = await withinSellerTimeout(ctx.services, ctx.signal, (signal) =>
      ctx.services.ports.sellers.getUpdateTask(seller, { party, taskId }, signal),
    );
    await noteRefusal(ctx.services, { seller, task: 'update_media_buy', party }, told);
    return told;
  } catch (error) {
    if (error instanceof SellerError) return undefined;
    throw error;
  }
}
