import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachCampaign } from '../../domain/buying/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { campaignRecord } from './record.ts';
import { campaign } from './schema.ts';

export const campaignGet = defineTool({
  name: 'campaign_get',
  title: 'Get campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Gives one campaign with its media buys, one a seller, and what they were given of the budget. What the ' +
    'sellers say now is in campaign_get_media_buy_status.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns/{campaignId}' },
  input: z.strictObject({ campaignId: prefixedId('the campaign', 'cmp_') }),
  notBuilt: ['fresh=true', 'mediaBuyId', 'includePropertyLists=true', 'includeProductDetails=true', 'fields'],
  output: z.object({ campaign: campaign.describe('The campaign.') }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachCampaign(ctx, input.campaignId),
  handler: async (ctx, _input, found) => ({ campaign: await campaignRecord(ctx, found) }),
});
