import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { orWait } from '../../domain/approvals/waiting.ts';
import { currentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { longText } from '../../domain/text.ts';
import { cascade, cascadeRecord, spendingOutput, waitingCascade } from './cascade.ts';

export const campaignReactivate = defineTool({
  name: 'campaign_reactivate',
  title: 'Reactivate campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Lets a paused campaign go on: every PAUSED media buy is resumed at its seller. Returns what came of it for ' +
    'each. Follow it with campaign_get_media_buy_status.',
  effect: 'act',
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/campaigns/{campaignId}/reactivate' },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    reason: longText(1_000).min(1).optional().describe('Why: kept in the log.'),
  }),
  output: spendingOutput,
  errors: ['NOT_FOUND', 'CONFLICT', 'CAPABILITY_NOT_SUPPORTED', 'VERSION_UNSUPPORTED'],
  find: (ctx, { campaignId }) => currentCampaign(ctx, campaignId),
  handler: async (ctx, { reason }, campaign) => {
    const instead = 'Only a PAUSED campaign can be reactivated; campaign_get says where it stands.';
    const { done, waits } = await orWait(ctx, () =>
      cascade(ctx, campaign, { event: 'reactivate', action: 'resume', reason, instead }),
    );
    return done === undefined ? waitingCascade(campaign, waits) : cascadeRecord(campaign, done);
  },
});
