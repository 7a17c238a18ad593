import { z } from 'zod';
import { linkStatuses, pageAdvertiserAccounts } from '../../../store/advertiser-accounts.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { shortText } from '../../domain/text.ts';
import { accountLink, accountLinkRecord } from './account-links.ts';

export const accountLinkList = defineTool({
  name: 'account_link_list',
  title: 'List account links',
  example: { advertiserId: 1, take: 20 },
  description:
    'Lists the accounts that an advertiser has at sellers, in the order in which they were linked: of several at ' +
    'one source, later orders are placed under the last. Take one away with account_link_delete.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/advertisers/{advertiserId}/accounts', list: 'accounts' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser'),
    storefrontId: numericId('the storefront').optional().describe('Only those at this storefront.'),
    sourceId: shortText(255).optional().describe('Only those at the source of this id.'),
    status: z.enum(linkStatuses).optional().describe('Only those in this state.'),
    ...pagingFields({ byDefault: 50, max: 250 }),
  }),
  spellings: pagingSpellings,
  output: z.object({ accounts: z.array(accountLink).describe('This page of the links.'), ...pageCounters }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (ctx, input, { id }) => {
    const { storefrontId, sourceId, status } = input;
    const { rows, total } = await pageAdvertiserAccounts(ctx.db, ctx.scope, {
      advertiserId: id,
      filter: { storefrontId, sourceId, status },
      page: input,
    });
    return { accounts: rows.map(accountLinkRecord), ...nextPage(input, rows.length, total) };
  },
});
