import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { currentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { longText } from '../../domain/text.ts';
import { cascade, cascadeOutput, cascadeRecord } from './cascade.ts';

export const campaignPause = defineTool({
  name: 'campaign_pause',
  title: 'Pause campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Holds a campaign that runs: every ACTIVE media buy is paused at its seller. Returns what came of it for each; ' +
    'what a seller has not confirmed is followed up by itself. Go on with campaign_reactivate.',
  effect: 'act',
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/campaigns/{campaignId}/pause' },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    reason: longText(1_000).min(1).optional().describe('Why: kept in the log.'),
  }),
  output: cascadeOutput,
  errors: ['NOT_FOUND', 'CONFLICT', 'CAPABILITY_NOT_SUPPORTED', 'VERSION_UNSUPPORTED'],
  find: (ctx, { campaignId }) => currentCampaign(ctx, campaignId),
  handler: async (ctx, { reason }, campaign) =>
    cascadeRecord(
      campaign,
      await cascade(ctx, campaign, {
        event: 'pause',
        action: 'pause',
        reason,
        instead: 'Only an ACTIVE campaign can be paused; campaign_get says where it stands.',
      }),
    ),
});
