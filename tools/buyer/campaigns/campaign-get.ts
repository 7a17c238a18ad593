import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachCurrentCampaign } from '../../domain/buying/flight-ends.ts';
import { chosenOf, fieldsOf } from '../../domain/chosen-fields.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { prefixedId } from '../../domain/ids.ts';
import { chosenOfCampaign } from './chosen-fields.ts';
import { compactCampaign } from './compact-campaign.ts';
import { withDetails } from './product-details.ts';
import { campaignRecord } from './record.ts';
import { isMeant, refreshed } from './refreshing.ts';
import { campaign, chosenCampaign } from './schema.ts';

export const campaignGet = defineTool({
  name: 'campaign_get',
  title: 'Get campaign',
  example: { campaignId: 'cmp_example' },
  description:
    'Gives one campaign with its media buys, one a seller, and what they were given of the budget, as it is stored. ' +
    'fresh asks the sellers first, as campaign_get_media_buy_status does. In the compact form targetingOverlay ' +
    'stands once, and with packages that differ; what fields names is given whole.',
  effect: 'read',
  openWorld: { by: 'fresh' },
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/campaigns/{campaignId}' },
  input: z.strictObject({
    campaignId: prefixedId('the campaign', 'cmp_'),
    mediaBuyId: z
      .array(prefixedId('a media buy', 'mb_'))
      .max(100)
      .optional()
      .describe('Only these of its media buys.'),
    fresh: z.boolean().default(false).describe('True asks the sellers first.'),
    includeProductDetails: z.boolean().default(false).describe('True tells more of the products.'),
    detail,
    fields: fieldsOf(campaign.keyof()).describe('Only these fields; without any as detail says.'),
  }),
  notBuilt: ['includePropertyLists=true'],
  output: z.object({ campaign: chosenCampaign.describe('The campaign.') }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachCurrentCampaign(ctx, input.campaignId),
  handler: async (ctx, input, found) => {
    const { fields, mediaBuyId, fresh, includeProductDetails } = input;
    const row = fresh ? ctx.leaves(await refreshed(ctx, found, mediaBuyId)) : found;
    const record = await campaignRecord(ctx, row);
    const shown = includeProductDetails ? await withDetails(ctx, row, record) : record;
    const named = onlyBuys(shown, mediaBuyId);
    // Who names fields gets them as they are: what the short form says elsewhere would not be among them.
    if (chosenOf(fields) === undefined && isCompact(ctx, input)) return { campaign: compactCampaign(named) };
    return { campaign: chosenOfCampaign(named, fields) };
  },
});

type Shown = Awaited<ReturnType<typeof campaignRecord>>;

function onlyBuys(record: Shown, ids: readonly string[] = []): Shown {
  if (ids.length === 0) return record;
  return {
    ...record,
    mediaBuyRefs: record.mediaBuyRefs?.filter(({ mediaBuyId }) => isMeant(mediaBuyId, ids)),
    mediaBuys: record.mediaBuys.filter(({ mediaBuyId }) => isMeant(mediaBuyId, ids)),
  };
}
