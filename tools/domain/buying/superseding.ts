import type { Db } from '../../../store/engine/db.ts';
import { type MediaBuyChangeRow, updateMediaBuyChange } from '../../../store/media-buy-changes.ts';
import type { Context } from '../../core/context.ts';
import { staleWrite } from '../../core/errors/refusals.ts';
import { mediaBuyKind } from './reach.ts';

/** Ends changes that wait: others take their place, or what they were asked of is no more. */
export async function supersede(
  tx: Db,
  { scope, now }: Pick<Context, 'scope' | 'now'>,
  changes: readonly MediaBuyChangeRow[],
): Promise<void> {
  const set = { state: 'superseded', owner: null, updated_at: now } as const;
  for (const { id, version } of changes) {
    if ((await updateMediaBuyChange(tx, scope, { id, version, set })) === undefined)
      throw staleWrite(mediaBuyKind);
  }
}
