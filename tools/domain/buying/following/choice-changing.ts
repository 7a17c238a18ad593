import type { CampaignRow } from '../../../../store/campaigns.ts';
import {
  deleteSelectionsOf,
  listChosenTerms,
  putSelections,
} from '../../../../store/discovery-selections.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Context } from '../../../core/context.ts';
import type { PlannedChange } from '../changes/buy-changing.ts';
import type { Remade } from '../changes/wanted-change.ts';
import { holdBuyers, reviseBuyers } from '../choice/choice-buyers.ts';
import { choiceChange, isOther } from '../choice/choice-difference.ts';

/**
 * A choice that is changed through an order that no seller holds is the choice of the session, and of all who buy it.
 */

type Choice = NonNullable<Remade['choice']>;

/**
 * Holds all campaigns that buy what the changes choose. Before any of them is written or held alone: everybody holds
 * them in the same order.
 */
export async function holdChoosers(
  tx: Db,
  ctx: Context,
  planned: readonly PlannedChange[],
): Promise<CampaignRow[]> {
  const [first] = choicesOf(planned);
  return first === undefined ? [] : holdBuyers(ctx, tx, first.sessionId);
}

/** Writes what is chosen from now on, which every further execute orders, as another revision of each that buys it. */
export async function changeChoice(
  tx: Db,
  ctx: Context,
  { planned, held }: { planned: readonly PlannedChange[]; held: readonly CampaignRow[] },
): Promise<void> {
  const choices = choicesOf(planned);
  const [first] = choices;
  const [buyer] = held;
  if (first === undefined) return;
  const before = await listChosenTerms(tx, ctx.scope, first.sessionId);
  for (const { sessionId: id, agentId, put, removed } of choices) {
    await putSelections(tx, ctx.scope, put);
    await deleteSelectionsOf(tx, ctx.scope, { id, agentId, productIds: removed });
  }
  if (buyer === undefined) return;
  const after = await listChosenTerms(tx, ctx.scope, first.sessionId);
  const change = choiceChange(before, after, buyer.currency);
  if (isOther(change)) await reviseBuyers(ctx, tx, { held, count: change.count });
}

/** Of the buys of one campaign, and so of one session. */
function choicesOf(planned: readonly PlannedChange[]): Choice[] {
  return planned.flatMap(({ way, wanted }) => (way === 'here' ? (wanted.remade?.choice ?? []) : []));
}
