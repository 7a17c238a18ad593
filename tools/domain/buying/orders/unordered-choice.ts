import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Scope } from '../../../../store/engine/scope.ts';
import { listBuyersOf } from '../../../../store/held-campaigns.ts';
import { listMediaBuys } from '../../../../store/media-buys.ts';
import { textsOf } from '../choice/choice-warnings.ts';
import { holdsOrder } from './kept-orders.ts';
import { leftUnordered } from './left-unordered.ts';

/** Campaigns of a session that are looked at: each is told again when it is executed. */
const HEEDED = 10;

interface Choosing {
  readonly sessionId: string;
  /** The drafts that buy from it: of these nothing is ordered yet. */
  readonly drafts: readonly { readonly id: string }[];
  /** Reads what is chosen in it; called only where a campaign that was executed buys from it. */
  chosen(): Promise<readonly DiscoverySelectionRow[]>;
}

/**
 * That campaigns which were executed do not order what is chosen in their session of sellers that they have already.
 */
export async function unorderedWarnings(db: Db, scope: Scope, choosing: Choosing): Promise<string[]> {
  const { sessionId, drafts, chosen } = choosing;
  const known = new Set(drafts.map(({ id }) => id));
  const executed = (await listBuyersOf(db, scope, sessionId)).filter((id) => !known.has(id)).slice(0, HEEDED);
  if (executed.length === 0) return [];
  const rows = await chosen();
  const found = [];
  for (const id of executed) {
    const held = (await listMediaBuys(db, scope, id)).filter(holdsOrder);
    found.push(...textsOf(leftUnordered(rows, held)));
  }
  return found;
}
