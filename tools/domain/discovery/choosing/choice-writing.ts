import type { CampaignRow } from '../../../../store/campaigns.ts';
import { deleteSelections, listChosenTerms, putSelections } from '../../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Context } from '../../../core/context.ts';
import { staleWrite } from '../../../core/errors/refusals.ts';
import { holdBuyers, reviseBuyers } from '../../buying/choice/choice-buyers.ts';
import { type ChoiceDifference, choiceChange, isOther } from '../../buying/choice/choice-difference.ts';
import { campaignKind } from '../../buying/reach.ts';
import { openedWith } from '../../discovery-opening.ts';
import { roomForChoices } from '../quotas.ts';
import type { Chosen } from './choose.ts';

/** What becomes of the choice of a session. */
export interface NewChoice {
  readonly session: DiscoverySessionRow;
  readonly put?: readonly Chosen[];
  /** Product ids that are taken back before; null: all of them. */
  readonly drop?: readonly string[] | null | undefined;
  /** The campaign that it is selected for, as it was read: another one by now is refused. */
  readonly selectedFor?: CampaignRow | undefined;
  /** Refuses it by the campaigns that buy it, which are held by then. */
  readonly requires?: ((buyers: readonly CampaignRow[]) => void) | undefined;
}

/** How the choice changed, for the log and for events. */
export interface ChoiceChange extends ChoiceDifference {
  readonly dropped: number;
  /** The campaigns that buy it, as they are with it. */
  readonly revised: readonly CampaignRow[];
}

/** Writes what is chosen in a session from now on, and gives what changed with it. */
export async function writeChoice(
  ctx: Context,
  tx: Db,
  { session, put = [], drop, selectedFor, requires }: NewChoice,
): Promise<ChoiceChange> {
  const { id } = session;
  // First, as everybody does who holds a campaign.
  const buyers = await holdBuyers(ctx, tx, id);
  const read = buyers.find((one) => one.id === selectedFor?.id);
  if (selectedFor !== undefined && read?.version !== selectedFor.version) throw staleWrite(campaignKind);
  requires?.(buyers);
  const { currency } = openedWith(session);
  const before = await listChosenTerms(tx, ctx.scope, id);
  const dropped = drop === undefined ? 0 : await deleteSelections(tx, ctx.scope, { id, productIds: drop });
  await putSelections(tx, ctx.scope, put);
  const after = await listChosenTerms(tx, ctx.scope, id);
  if (put.length > 0) await roomForChoices(ctx, tx, id);
  const change = choiceChange(before, after, currency);
  const held = isOther(change) ? buyers : buyers.filter((one) => one.id === selectedFor?.id);
  const revised = await reviseBuyers(ctx, tx, { held, count: change.count });
  return { ...change, dropped, revised };
}
