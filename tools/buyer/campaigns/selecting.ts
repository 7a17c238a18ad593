import type { CampaignRow } from '../../../store/campaigns.ts';
import type { DiscoverySessionRow } from '../../../store/discovery-sessions.ts';
import type { Context } from '../../core/context.ts';
import { type ChoiceChange, writeChoice } from '../../domain/discovery/choosing/choice-writing.ts';
import type { Chosen } from '../../domain/discovery/choosing/choose.ts';

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
  const { count, revised } = await ctx.write(
    (tx) => writeChoice(ctx, tx, { session, put: chosen, drop: null, selectedFor: campaign }),
    ({ changes }) => ({
      resourceId: campaign.id,
      resourceName: campaign.name,
      advertiserId: campaign.advertiser_id,
      changes,
    }),
  );
  const written = revised.find(({ id }) => id === campaign.id);
  if (written !== undefined) ctx.leaves(written);
  return count;
}
