import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { currentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { longText } from '../../domain/text.ts';
import { cascade, cascadeOutput, cascadeRecord } from './cascade.ts';

export const campaignCancel = defineTool({
  name: 'campaign_cancel',
  title: 'Cancel campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Calls a campaign off for good: every media buy that a seller holds is canceled there. What was delivered is ' +
    'paid, and it cannot be taken back; campaign_pause holds it for a while.',
  effect: 'act',
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/campaigns/{campaignId}/cancel' },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    reason: longText(1_000).min(1).optional().describe('Why: kept in the log, and told to the sellers.'),
  }),
  output: cascadeOutput,
  errors: ['NOT_FOUND', 'CONFLICT', 'CAPABILITY_NOT_SUPPORTED', 'VERSION_UNSUPPORTED'],
  find: (ctx, { campaignId }) => currentCampaign(ctx, campaignId),
  handler: async (ctx, { reason }, campaign) =>
    cascadeRecord(
      campaign,
      await cascade(ctx, campaign, {
        event: 'cancel',
        action: 'cancel',
        reason,
        instead:
          'Only a campaign that is ACTIVE or PAUSED can be canceled; delete a draft with campaign_delete.',
      }),
    ),
});
