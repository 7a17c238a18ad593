import { z } from 'zod';
import { campaignStatuses } from '../../../store/campaigns.ts';
import { fromFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reasonText } from '../../core/reasons.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { campaignKind } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { cascade } from './cascade.ts';
import { cascadeResult } from './cascade-record.ts';

export const campaignDelete = defineTool({
  name: 'campaign_delete',
  title: 'Delete campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Archives a campaign: it leaves the lists, and what runs of it is called off at its sellers. While a media buy ' +
    'lives it is called off only, and archived by itself once none does: newStatus says which. Where a seller ' +
    'refused, success is false; call again. It can still be read with campaign_get.',
  effect: 'delete',
  audit: { kind: campaignKind, ofInput: ({ campaignId }) => campaignId },
  openWorld: true,
  access: needs('buyer:admin', { within: ['grants', 'sandbox'] }),
  rest: {
    method: 'DELETE',
    path: '/campaigns/{campaignId}',
    status: 204,
    instead: {
      status: 202,
      means: 'Taken, and not done with yet.',
      when: ({ newStatus }) => newStatus !== 'ARCHIVED',
    },
  },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    reason: reasonText.optional().describe('Why: told to the sellers.'),
  }),
  output: z.object({
    success: z.boolean().describe('False where a seller refused to call its media buy off.'),
    deletedId: z.string().describe('Id of the campaign.'),
    newStatus: z.enum(campaignStatuses).describe('ARCHIVED once no media buy of it lives.'),
    mediaBuyResults: z.array(cascadeResult).describe('What came of it, media buy by media buy.'),
    sandbox,
  }),
  errors: ['NOT_FOUND', 'CONFLICT', 'CAPABILITY_NOT_SUPPORTED', 'VERSION_UNSUPPORTED'],
  find: (ctx, { campaignId }) => reachCurrentCampaign(ctx, campaignId),
  handler: async (ctx, { reason }, campaign) => {
    const { row, results } = await cascade(ctx, campaign, {
      event: 'archive',
      action: 'archive',
      reason,
    });
    return {
      success: results.every(({ success }) => success),
      deletedId: campaign.id,
      newStatus: row.status,
      mediaBuyResults: [...results],
      sandbox: fromFlag(campaign.sandbox),
    };
  },
});
