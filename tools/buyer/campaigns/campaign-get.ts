import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { currentCampaign } from '../../domain/buying/flight-ends.ts';
import { prefixedId } from '../../domain/ids.ts';
import { fieldsOf, onlyFields } from './fields.ts';
import { campaignRecord } from './record.ts';
import { campaign, chosenCampaign } from './schema.ts';

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
  input: z.strictObject({ campaignId: prefixedId('the campaign', 'cmp_'), fields: fieldsOf(campaign) }),
  notBuilt: ['fresh=true', 'mediaBuyId', 'includePropertyLists=true', 'includeProductDetails=true'],
  output: z.object({ campaign: chosenCampaign.describe('The campaign.') }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => currentCampaign(ctx, input.campaignId),
  handler: async (ctx, { fields }, found) => ({
    campaign: onlyFields(await campaignRecord(ctx, found), fields),
  }),
});
