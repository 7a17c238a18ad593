import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { advertiserRecord } from './brands.ts';
import { advertiser } from './schema.ts';

export const advertiserGet = defineTool({
  name: 'advertiser_get',
  title: 'Get advertiser',
  example: { advertiserId: 1 },
  description:
    'Gives one advertiser by its id: brand, currency, status and whether it is a sandbox. Find ids with ' +
    'advertiser_list.',
  effect: 'read',
  access: needs('buyer:read', { unclaimedAgents: true }),
  rest: { method: 'GET', path: '/advertisers/{advertiserId}' },
  input: z.strictObject({ advertiserId: numericId('the advertiser') }),
  output: advertiser,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: (ctx, _input, found) => advertiserRecord(ctx, found),
});
