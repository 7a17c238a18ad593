import { toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { makeTenant } from '../../../store/engine/scope.ts';
import { listOpenChangesOf, type MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { askedBy } from './change-on-top.ts';
import { proposedNow } from './proposed-now.ts';
import { supersede } from './superseding.ts';

/**
 * Ends changes of which nobody knows and of which nothing is left, once packages of the buy are called off: what they
 * asked of those cannot come true any more, and binds nothing.
 */
export async function endPointless(
  tx: Db,
  change: MediaBuyChangeRow,
  { buy, now }: { readonly buy: MediaBuyRow; readonly now: string },
): Promise<void> {
  const { packages } = proposedNow(change, buy);
  if (change.state !== 'confirmed' || change.action !== 'cancel' || packages === undefined) return;
  const scope = makeTenant(buy.organization_id);
  const after = { ...buy, packages: toJson(packages) };
  const changes = (await listOpenChangesOf(tx, scope, { mediaBuyId: buy.id })).filter(
    (one) =>
      one.state === 'unknown' &&
      one.action === 'update' &&
      Object.keys(askedBy(one, { buy: after, now })).length === 0,
  );
  await supersede(tx, { scope, now }, { changes });
}
