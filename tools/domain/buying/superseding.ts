import type { Db } from '../../../store/engine/db.ts';
import { OvertakenError } from '../../../store/engine/dialect.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import {
  listGivenWay,
  type MediaBuyChangeRow,
  updateMediaBuyChange,
} from '../../../store/media-buy-changes.ts';
import type { Context } from '../../core/context.ts';
import { staleWrite } from '../../core/errors/refusals.ts';
import { isOfTerms } from './change-standing.ts';
import { mediaBuyKind } from './reach.ts';

interface Superseded {
  readonly changes: readonly MediaBuyChangeRow[];
  /** The change that takes their place; undefined where what they were asked of is no more. */
  readonly by?: string;
}

/** Ends changes that wait: another takes their place, or what they were asked of is no more. */
export async function supersede(
  tx: Db,
  { scope, now }: Pick<Context, 'scope' | 'now'>,
  { changes, by }: Superseded,
): Promise<void> {
  for (const { id, version, state } of changes) {
    const place = by === undefined ? {} : { gave_way_to: by, gave_way_in: state };
    const set = { state: 'superseded', owner: null, ...place, updated_at: now } as const;
    if ((await updateMediaBuyChange(tx, scope, { id, version, set })) === undefined)
      throw staleWrite(mediaBuyKind);
  }
}

/**
 * A change that was refused gives their places back to those that it took them from, where their seller may have
 * them and money hangs on it: nobody has heard what became of them. They are not sent again, because something else was
 * wanted since; what the seller shows decides.
 */
export async function standAgain(
  tx: Db,
  change: MediaBuyChangeRow,
  { now, takeovers }: { readonly now: string; readonly takeovers: number },
): Promise<void> {
  if (change.state !== 'refused') return;
  const tenant = makeTenant(change.organization_id);
  for (const before of await listGivenWay(tx, tenant, change)) {
    const { id, version, gave_way_in: state } = before;
    if (!isOfTerms(before) || (state !== 'waiting' && state !== 'unknown')) continue;
    const set = { state, takeovers, gave_way_to: null, gave_way_in: null, updated_at: now };
    if ((await updateMediaBuyChange(tx, tenant, { id, version, set })) === undefined)
      throw new OvertakenError(`Change ${id} was written meanwhile.`);
  }
}
