import type { CampaignRow } from '../../../store/campaigns.ts';
import { countSelections } from '../../../store/discovery-selections.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import { staleWrite } from '../../core/errors/refusals.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { writeCampaign } from '../../domain/campaigns/writing.ts';
import { type ChoiceChange, writeChoice } from '../../domain/discovery/choice-writing.ts';
import type { Chosen } from '../../domain/discovery/choose.ts';

interface Selecting {
  readonly campaign: CampaignRow;
  readonly session: DiscoverySessionRow;
  readonly chosen: readonly Chosen[];
}

/**
 * Puts what was selected for a campaign in place of what was chosen before. The choice is the campaign's: whoever read
 * that before is told that it is another one by now. Gives how many were chosen, and are.
 */
export async function selected(
  ctx: Context,
  { campaign, session, chosen }: Selecting,
): Promise<ChoiceChange['count']> {
  const { count } = await ctx.write(
    async (tx) => {
      const from = await countSelections(tx, ctx.scope, session.id);
      const also = { selectedProducts: { from, to: chosen.length } };
      const set = { updated_at: ctx.now };
      const written = await writeCampaign(tx, ctx.scope, { before: campaign, set, also });
      if (written === undefined) throw staleWrite(campaignKind);
      ctx.leaves(written);
      return writeChoice(ctx, tx, { session, put: chosen, drop: null });
    },
    ({ changes }) => ({
      resourceId: campaign.id,
      resourceName: campaign.name,
      advertiserId: campaign.advertiser_id,
      changes,
    }),
  );
  return count;
}
