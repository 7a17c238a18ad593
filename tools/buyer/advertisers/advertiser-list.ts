import { z } from 'zod';
import { advertiserStatuses, listAdvertisers } from '../../../store/advertisers.ts';
import { toFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { shortText } from '../../domain/text.ts';
import { brandsOf } from './brands.ts';
import { bareAdvertiserRecord } from './record.ts';
import { listedAdvertiser } from './schema.ts';

export const advertiserList = defineTool({
  name: 'advertiser_list',
  title: 'List advertisers',
  example: { take: 20 },
  description:
    'Lists the advertisers of your account, oldest first. Start here: most other calls want the id of an ' +
    'advertiser. Returns items with id, name, brand and primaryCurrency, and the counters of the list.',
  effect: 'read',
  access: needs('buyer:read', { unclaimedAgents: true }),
  rest: { method: 'GET', path: '/advertisers', list: 'items' },
  input: z.strictObject({
    status: z
      .enum([...advertiserStatuses, 'ALL'])
      .default('ACTIVE')
      .describe('Which ones: ACTIVE unless said otherwise.'),
    name: z.string().max(255).optional().describe('Part of the name, in any case.'),
    sandbox: z.boolean().optional().describe('Only sandbox advertisers, or only real ones.'),
    linkedAccountPartnerId: shortText(255)
      .optional()
      .describe('Only with an account at this seller: id of a storefront or of a sales agent.'),
    includeBrand: z.boolean().default(false).describe('True: with what is known of each brand.'),
    ...pagingFields({ byDefault: 100, max: 100 }),
  }),
  spellings: pagingSpellings,
  output: listOf(listedAdvertiser),
  errors: [],
  handler: async (ctx, input) => {
    const { rows, total } = await listAdvertisers(ctx.db, ctx.scope, {
      filter: {
        status: input.status === 'ALL' ? undefined : input.status,
        name: input.name,
        partnerId: input.linkedAccountPartnerId,
        sandbox: input.sandbox === undefined ? undefined : toFlag(input.sandbox),
      },
      page: input,
    });
    const brandOf = input.includeBrand ? await brandsOf(ctx, rows) : () => ({});
    return {
      items: rows.map((row) => ({
        ...bareAdvertiserRecord(row),
        ...brandOf(row),
        linkedAccountCount: row.linked_accounts,
      })),
      ...nextPage(input, rows.length, total),
    };
  },
});
