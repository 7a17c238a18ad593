import type { CampaignRow } from '../../../../store/campaigns.ts';
import { type DiscoverySelectionRow, listSelections } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Context } from '../../../core/context.ts';
import { counted, firstFew } from '../../counted.ts';
import { boundedText } from '../../text.ts';

/** A draft buys from one session: tied to another, it has nothing any more of what was chosen for it in the first. */

interface Tying {
  /** As it was before. */
  readonly draft: Pick<CampaignRow, 'discovery_id'> | undefined;
  /** The session that it buys from now on. */
  readonly sessionId: string;
  /** True where it is bought at once, and no draft any more. */
  readonly isBought?: boolean;
}

/** What the draft loses by it, in words, with the way back; none where nothing was chosen for it. */
export async function choiceLeft(
  { db, scope }: Pick<Context, 'db' | 'scope'>,
  { draft, sessionId, isBought = false }: Tying,
): Promise<string[]> {
  const before = draft?.discovery_id ?? sessionId;
  if (before === sessionId) return [];
  const lost = await listSelections(db, scope, before);
  if (lost.length === 0) return [];
  const another = 'campaign_create with that discoveryId makes another campaign of them';
  const way = isBought
    ? another
    : `campaign_update with that discoveryId takes them back in place of these; ${another}`;
  return [
    `The campaign does not have the ${counted(lost.length, 'product')} of ${before} any more (${named(lost)}): ` +
      `it buys from ${sessionId} now. To buy them, ${way}.`,
  ];
}

const NAMED_MAX = 5;
const NAME_MAX = 60;

function named(lost: readonly Pick<DiscoverySelectionRow, 'product'>[]): string {
  const names = lost.slice(0, NAMED_MAX).map(({ product }) => boundedText(fromJson(product).name, NAME_MAX));
  return firstFew(names, { most: NAMED_MAX, total: lost.length });
}
