import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { firstFew } from '../../counted.ts';
import { heldIn, isAllHeld } from '../answers/held-packages.ts';
import { askSeller } from '../references.ts';

/** How many are named. */
const NAMED = 5;

/** What is said of packages that their seller holds while their buy is live; undefined where it holds none. Pure. */
export function heldPartsInWords(
  buy: MediaBuyRow,
  { canAsk }: { readonly canAsk: boolean },
): string | undefined {
  const ids = heldIn(buy);
  if (ids.length === 0) return undefined;
  const named = firstFew(ids, { most: NAMED, word: 'package' });
  const which = isAllHeld(buy) ? `all that is left of it (${named})` : named;
  const held = `${buy.agent_name} holds ${which}: nothing is to be spent there.`;
  return canAsk ? `${held} ${askSeller(buy)}, or call media_buy_reactivate, which asks it to go on.` : held;
}
