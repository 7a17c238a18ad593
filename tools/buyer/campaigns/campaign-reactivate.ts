import { defineTool } from '../../core/define.ts';
import { requireActive } from '../../domain/advertisers/active.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { orWait } from '../../domain/approvals/waiting.ts';
import { cascade } from './cascade.ts';
import { spendingOutput, spendingRecord, waitingSpendingRecord } from './cascade-record.ts';
import { type Stopping, stopping } from './stopping.ts';

const reactivating: Stopping = {
  event: 'reactivate',
  action: 'resume',
  title: 'Reactivate campaign',
  description:
    'Lets a paused campaign go on: every PAUSED media buy is resumed at its seller. Returns what came of it for ' +
    'each. Follow it with campaign_get_media_buy_status.',
  reasonIs: 'Why.',
};

const asked = stopping(reactivating);

/** It binds money again, so it may have to wait for another person. */
export const campaignReactivate = defineTool({
  ...asked,
  errors: [...asked.errors, 'INSUFFICIENT_MEDIA_BUDGET', 'PRICING_NOT_CONFIGURED'],
  output: spendingOutput,
  handler: async (ctx, { reason }, campaign) => {
    requireActive(await reachAdvertiser(ctx, campaign.advertiser_id));
    const { done, waits, withdrawn } = await orWait(ctx, campaign.id, () =>
      cascade(ctx, campaign, { ...reactivating, reason }),
    );
    return done === undefined
      ? waitingSpendingRecord(campaign, waits, withdrawn)
      : spendingRecord(campaign, done, withdrawn);
  },
});
