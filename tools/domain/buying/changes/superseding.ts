import type { Db } from '../../../../store/engine/db.ts';
import { OvertakenError } from '../../../../store/engine/dialect.ts';
import { type Tenant, tenantOfRow } from '../../../../store/engine/scope.ts';
import {
  listGivenWay,
  type MediaBuyChangeRow,
  updateMediaBuyChange,
} from '../../../../store/media-buy-changes.ts';
import { staleWrite } from '../../../core/errors/refusals.ts';
import { updateIn } from '../payloads.ts';
import { mediaBuyKind } from '../reach.ts';
import { isEnd, isOfTerms } from './change-standing.ts';

interface Superseded {
  readonly changes: readonly MediaBuyChangeRow[];
  /** The change that takes their place; undefined where what they were asked of is no more. */
  readonly by?: string;
}

/** Ends changes that wait: another takes their place, or what they were asked of is no more. */
export async function supersede(
  tx: Db,
  { scope, now }: { readonly scope: Tenant; readonly now: string },
  { changes, by }: Superseded,
): Promise<void> {
  const isPausedSince = changes.some(({ action }) => action === 'pause');
  for (const change of changes) {
    const { id, version, state } = change;
    const place = by === undefined || !canStandAgain(change) ? {} : { gave_way_to: by, gave_way_in: state };
    const set = { state: 'superseded', owner: null, ...place, updated_at: now } as const;
    if ((await updateMediaBuyChange(tx, scope, { id, version, set })) === undefined)
      throw staleWrite(mediaBuyKind);
    if (by !== undefined && isEnd(change)) await passOn(tx, change, { by, isPausedSince });
  }
}

/**
 * An end that is asked for again stands where the one before stood. What gave way is kept for as long as the end waits:
 * earlier ends, and pauses from before a later one, would be more with every repeat, and are let go.
 */
async function passOn(
  tx: Db,
  end: MediaBuyChangeRow,
  { by, isPausedSince }: { readonly by: string; readonly isPausedSince: boolean },
): Promise<void> {
  const tenant = tenantOfRow(end);
  for (const before of await listGivenWay(tx, tenant, end)) {
    const { id, version } = before;
    if (!canStandAgain(before) || (isPausedSince && before.action === 'pause')) continue;
    await updateMediaBuyChange(tx, tenant, { id, version, set: { gave_way_to: by } });
  }
}

/** Whether it may be wanted again once what took its place was refused. */
function canStandAgain(change: MediaBuyChangeRow): boolean {
  return change.action === 'pause' || isOfTerms(change);
}

/**
 * A change that was refused gives their places back to those that it took them from, where their seller may have them
 * and money hangs on it: nobody has heard what became of them. Other terms are not sent again, because something else
 * was wanted since; what the seller shows decides. A pause, and packages that were added, gave way to an end alone, and
 * are wanted again.
 */
export async function standAgain(
  tx: Db,
  change: MediaBuyChangeRow,
  { now, takeovers }: { readonly now: string; readonly takeovers: number },
): Promise<void> {
  if (change.state !== 'refused') return;
  const tenant = tenantOfRow(change);
  for (const before of await listGivenWay(tx, tenant, change)) {
    const { id, version, gave_way_in: state } = before;
    if (state === null || !isWantedAgain(before, change)) continue;
    const repeats = isRepeated(before) ? before.takeovers : takeovers;
    const set = { state, takeovers: repeats, gave_way_to: null, gave_way_in: null, updated_at: now };
    if ((await updateMediaBuyChange(tx, tenant, { id, version, set })) === undefined)
      throw new OvertakenError(`Change ${id} was written meanwhile.`);
  }
}

/**
 * What its seller may have and money hangs on, and a pause where the end was refused in whose favour it was given up.
 */
function isWantedAgain(before: MediaBuyChangeRow, refused: MediaBuyChangeRow): boolean {
  const state = before.gave_way_in;
  const isToldOf = state === 'waiting' || state === 'unknown';
  if (before.action === 'pause') return isEnd(refused) && (isToldOf || state === 'held');
  return isOfTerms(before) && isToldOf;
}

/** What only its end stood against. */
function isRepeated(change: MediaBuyChangeRow): boolean {
  return change.action === 'pause' || updateIn(change).newPackages !== undefined;
}
