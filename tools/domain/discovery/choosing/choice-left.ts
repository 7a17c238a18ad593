import type { CampaignRow } from '../../../../store/campaigns.ts';
import { countSelections } from '../../../../store/discovery-selections.ts';
import type { Context } from '../../../core/context.ts';
import { counted } from '../../counted.ts';

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
  const count = await countSelections(db, scope, before);
  if (count === 0) return [];
  const another = 'campaign_create with that discoveryId makes another campaign of them';
  const way = isBought
    ? another
    : `campaign_update with that discoveryId takes them back in place of these; ${another}`;
  return [
    `The campaign does not have the ${counted(count, 'product')} of ${before} any more: it buys from ${sessionId} now. ` +
      `To buy them, ${way}.`,
  ];
}
