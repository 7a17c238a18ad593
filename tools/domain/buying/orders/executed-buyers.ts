import { type CampaignRow, findCampaign } from '../../../../store/campaigns.ts';
import type { DiscoverySelectionRow } from '../../../../store/discovery-selections.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Scope } from '../../../../store/engine/scope.ts';
import { listBuyersOf } from '../../../../store/held-campaigns.ts';
import { listMediaBuys, type MediaBuyRow } from '../../../../store/media-buys.ts';
import { textsOf } from '../choice/choice-warnings.ts';
import { fewNames, sellersNamed } from '../choice/closed-sellers.ts';
import { holdsOrder, isKept } from './kept-orders.ts';
import { leftUnordered } from './left-unordered.ts';

/**
 * Campaigns that were executed and go on buying from their session: what is chosen there belongs to all of its
 * campaigns, whichever it was chosen for.
 */

/** Campaigns of a session that are looked at: each is told again when it is executed. */
const HEEDED = 10;

interface Choosing {
  readonly sessionId: string;
  /** The campaigns that the choice is known to be for: nothing is said of them. */
  readonly known: readonly { readonly id: string }[];
  /** Reads what is chosen in it; called only where a campaign that was executed buys from it. */
  chosen(): Promise<readonly DiscoverySelectionRow[]>;
}

/** What such campaigns make of a choice: what they order of it with their next execute, and what they never do. */
export interface Executed {
  readonly ordering: readonly string[];
  readonly unordered: readonly string[];
}

const NOBODY: Executed = { ordering: [], unordered: [] };

export async function executedBuyers(
  db: Db,
  scope: Scope,
  { sessionId, known, chosen }: Choosing,
): Promise<Executed> {
  const others = (await listBuyersOf(db, scope, sessionId)).filter(
    (id) => !known.some((one) => one.id === id),
  );
  const found = await Promise.all(others.slice(0, HEEDED).map((id) => findCampaign(db, scope, id)));
  const executed = found.flatMap((one) => (one === undefined || one.status === 'DRAFT' ? [] : [one]));
  if (executed.length === 0) return NOBODY;
  const rows = await chosen();
  const ordering = [];
  const unordered = [];
  for (const campaign of executed) {
    const buys = await listMediaBuys(db, scope, campaign.id);
    ordering.push(...orderedNext(campaign, { rows, buys }));
    unordered.push(...textsOf(leftUnordered(rows, buys.filter(holdsOrder))));
  }
  return { ordering, unordered };
}

interface Choice {
  readonly rows: readonly DiscoverySelectionRow[];
  readonly buys: readonly MediaBuyRow[];
}

/** That its next execute orders what is chosen of sellers that hold nothing of it. */
function orderedNext({ id, name, status }: CampaignRow, { rows, buys }: Choice): string[] {
  const free = rows.filter(({ agent_id }) => !buys.some((buy) => buy.agent_id === agent_id && isKept(buy)));
  const sellers = sellersNamed(free);
  if (sellers.size === 0) return [];
  return [
    `${name} (${id}) is ${status} and buys this choice: its next campaign_execute orders what is chosen of ${fewNames([...sellers.values()])}.`,
  ];
}
