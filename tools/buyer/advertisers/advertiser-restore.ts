import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { advertiserKind, reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { putStanding } from './archiving.ts';
import { advertiserRecord } from './brands.ts';
import { advertiser } from './schema.ts';

export const advertiserRestore = defineTool({
  name: 'advertiser_restore',
  title: 'Restore advertiser',
  example: { advertiserId: 1 },
  description: 'Brings an archived advertiser back as it was, and returns it.',
  effect: 'update',
  unlisted: true,
  audit: { kind: advertiserKind, ofInput: ({ advertiserId }) => advertiserId },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/advertisers/{advertiserId}/restore' },
  input: z.strictObject({ advertiserId: numericId('the advertiser') }),
  output: advertiser,
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (ctx, _input, found) =>
    advertiserRecord(ctx, await putStanding(ctx, found, { status: 'ACTIVE', action: 'UPDATE' })),
});
