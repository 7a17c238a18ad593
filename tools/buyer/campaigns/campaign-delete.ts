import { z } from 'zod';
import { fromFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { longText } from '../../domain/text.ts';
import { cascade } from './cascade.ts';

export const campaignDelete = defineTool({
  name: 'campaign_delete',
  title: 'Delete campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Archives a campaign: it leaves the lists, and what runs of it is called off at its sellers. It can still be ' +
    'read with campaign_get. Returns success, false where a seller refused to call its media buy off, and deletedId.',
  effect: 'delete',
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  openWorld: true,
  access: needs('buyer:admin', { within: ['grants', 'sandbox'] }),
  rest: { method: 'DELETE', path: '/campaigns/{campaignId}', status: 204 },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    reason: longText(1_000).min(1).optional().describe('Why: kept in the log, and told to the sellers.'),
  }),
  output: z.object({
    success: z.boolean().describe('False where a seller refused to call its media buy off.'),
    deletedId: z.string().describe('Id of the campaign.'),
    sandbox,
  }),
  errors: ['NOT_FOUND', 'CONFLICT', 'CAPABILITY_NOT_SUPPORTED', 'VERSION_UNSUPPORTED'],
  find: (ctx, { campaignId }) => reachCurrentCampaign(ctx, campaignId),
  handler: async (ctx, { reason }, campaign) => {
    const { results } = await cascade(ctx, campaign, {
      event: 'archive',
      action: 'archive',
      reason,
      instead: 'It is deleted already.',
    });
    return {
      success: results.every(({ success }) => success),
      deletedId: campaign.id,
      sandbox: fromFlag(campaign.sandbox),
    };
  },
});
