import { z } from 'zod';
import type { AdvertiserRow } from '../../../store/advertisers.ts';
import { campaignStatuses } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { listLiving } from '../../../store/living-campaigns.ts';
import type { Context } from '../../core/context.ts';
import { openStatuses } from '../../domain/buying/machines.ts';
import { firstFew } from '../../domain/counted.ts';

/** What lives at sellers of an advertiser that is put away: nothing stops it but its campaigns being stopped. */

/** So many are named; of the others it is said how many there are. */
const NAMED_MAX = 20;

export const livingFields = {
  liveCampaigns: z
    .array(
      z.object({
        campaignId: z.string().describe('Id of the campaign.'),
        name: z.string().describe('Its name.'),
        status: z.enum(campaignStatuses).describe('Where it stands.'),
        liveMediaBuys: z.number().int().describe('How many media buys of it live at their sellers.'),
      }),
    )
    .max(NAMED_MAX)
    .describe('Its campaigns that still live at sellers, the oldest first.'),
  totalLiveCampaigns: z.number().int().describe('How many of them there are in all.'),
  warnings: z.array(z.string()).max(1).optional().describe('What goes on all the same, and how to stop it.'),
};

interface Living {
  readonly liveCampaigns: z.input<typeof livingFields.liveCampaigns>;
  readonly totalLiveCampaigns: number;
  readonly warnings?: string[];
}

/** What lives of an advertiser; an active one is told nothing of it. */
export async function livingOf(
  ctx: Pick<Context, 'db' | 'scope'>,
  { id, status, sandbox }: Pick<AdvertiserRow, 'id' | 'status' | 'sandbox'>,
): Promise<Living> {
  if (status === 'ACTIVE') return { liveCampaigns: [], totalLiveCampaigns: 0 };
  const wanted = { advertiserId: id, open: openStatuses, limit: NAMED_MAX };
  const { rows, total } = await listLiving(ctx.db, ctx.scope, wanted);
  return {
    liveCampaigns: rows.map((row) => ({
      campaignId: row.id,
      name: row.name,
      status: row.status,
      liveMediaBuys: row.living,
    })),
    totalLiveCampaigns: total,
    ...(total === 0
      ? {}
      : {
          warnings: [
            words(
              total,
              rows.map(({ id: campaignId }) => campaignId),
              fromFlag(sandbox)
                ? 'as it is a sandbox, nothing that they deliver is paid'
                : 'what they deliver is paid',
            ),
          ],
        }),
  };
}

/** So many stand in the sentence. */
const WORDS_MAX = 5;

function words(total: number, ids: readonly string[], costs: string): string {
  const which = firstFew(ids, { most: WORDS_MAX, total });
  return (
    `The advertiser is ARCHIVED, and ${total} of its campaigns still ${total === 1 ? 'lives' : 'live'} at sellers ` +
    `(${which}): ${costs}. campaign_pause holds one, campaign_cancel calls it off for good.`
  );
}
