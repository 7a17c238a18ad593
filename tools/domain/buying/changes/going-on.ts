import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { heldIn } from '../answers/held-packages.ts';
import { updateIn } from '../payloads.ts';
import type { Terms, WantedChange } from './wanted-change.ts';

/**
 * What goes on with a reactivation: a buy that is held, or packages that its seller holds of one that is live. Pure.
 */

/** Whether it is asked of packages alone: a buy that is to be held is let go on as a whole. */
export function letsPartsGoOn(
  buy: Pick<MediaBuyRow, 'status' | 'packages'>,
  { action }: Pick<WantedChange, 'action'>,
  headed: MediaBuyRow['status'],
): boolean {
  return action === 'resume' && headed === 'ACTIVE' && heldIn(buy).length > 0;
}

export function termsOfParts(buy: MediaBuyRow): Terms {
  const packages = heldIn(buy).map((package_id) => ({ package_id, paused: false as const }));
  return { asked: { packages }, proposed: {}, issues: [] };
}

/**
 * The packages of a buy as it stands, once those go on that a reactivation was asked of; undefined where it is of
 * none.
 */
export function packagesGoingOn(
  change: Pick<MediaBuyChangeRow, 'payload'>,
  buy: MediaBuyRow,
): BuyPackage[] | undefined {
  const { packages: asked } = updateIn(change);
  if (asked === undefined) return undefined;
  const ids = new Set(asked.map(({ package_id }) => package_id));
  return fromJson(buy.packages).map((part) => (ids.has(part.package_id) ? { ...part, paused: false } : part));
}
