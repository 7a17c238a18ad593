import { z } from 'zod';
import { fromFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { advertiserKind, reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { sandbox } from '../../domain/advertisers/sandbox.ts';
import { numericId } from '../../domain/ids.ts';
import { putStanding } from './standing.ts';

export const advertiserDelete = defineTool({
  name: 'advertiser_delete',
  title: 'Archive advertiser',
  example: { advertiserId: 1 },
  description:
    'Archives an advertiser: lists hide it and nothing more is bought for it; what runs goes on. Undo it with ' +
    'advertiser_restore.',
  effect: 'delete',
  unlisted: true,
  audit: { kind: advertiserKind, ofInput: ({ advertiserId }) => advertiserId },
  access: needs('buyer:admin', { within: ['grants', 'sandbox'] }),
  rest: { method: 'DELETE', path: '/advertisers/{advertiserId}', status: 204 },
  input: z.strictObject({ advertiserId: numericId('the advertiser') }),
  output: z.object({
    success: z.literal(true).describe('The advertiser is archived.'),
    id: z.string().describe('The advertiser that was archived.'),
    sandbox,
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (ctx, _input, found) => {
    const { id, sandbox: ofSandbox } = await putStanding(ctx, found, {
      status: 'ARCHIVED',
      action: 'ARCHIVE',
    });
    return { success: true as const, id: String(id), sandbox: fromFlag(ofSandbox) };
  },
});
