import { z } from 'zod';
import { fromFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool, type Rest } from '../../core/define.ts';
import { advertiserKind, reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { numericId } from '../../domain/ids.ts';
import { putStanding } from './archiving.ts';
import { livingFields, livingOf } from './living-campaigns.ts';

/** Whoever puts an advertiser away is told what goes on spending all the same. */
const instead: Rest['instead'] = {
  status: 200,
  means: 'Done, and campaigns of it still live at sellers.',
  when: ({ totalLiveCampaigns }) => totalLiveCampaigns !== 0,
};

export const advertiserDelete = defineTool({
  name: 'advertiser_delete',
  title: 'Archive advertiser',
  example: { advertiserId: 1 },
  description:
    'Archives an advertiser: lists hide it and nothing more is bought for it. What runs at sellers goes on and is ' +
    'paid: the answer names those campaigns, and campaign_cancel or campaign_pause stops each. Undo it with ' +
    'advertiser_restore.',
  effect: 'delete',
  unlisted: true,
  audit: { kind: advertiserKind, ofInput: ({ advertiserId }) => advertiserId },
  access: needs('buyer:admin', { within: ['grants', 'sandbox'] }),
  rest: { method: 'DELETE', path: '/advertisers/{advertiserId}', status: 204, instead },
  input: z.strictObject({ advertiserId: numericId('the advertiser') }),
  output: z.object({
    success: z.literal(true).describe('The advertiser is archived.'),
    id: z.string().describe('The advertiser that was archived.'),
    sandbox,
    ...livingFields,
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (ctx, _input, found) => {
    const row = await putStanding(ctx, found, { status: 'ARCHIVED', action: 'ARCHIVE' });
    const living = await livingOf(ctx, row);
    return { success: true as const, id: String(row.id), sandbox: fromFlag(row.sandbox), ...living };
  },
});
