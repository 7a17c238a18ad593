import { z } from 'zod';
import { deleteAdvertiserAccount } from '../../../store/advertiser-accounts.ts';
import { countLinkedAccounts } from '../../../store/advertisers.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { accountLinkKind, reachAccountLink } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';

export const accountLinkDelete = defineTool({
  name: 'account_link_delete',
  title: 'Delete account link',
  example: { advertiserId: 1, linkId: 1 },
  description:
    'Takes an account at a seller away from an advertiser. Later orders there are placed under the one linked ' +
    'last of those that are left, or under none; what was ordered stays under its own. The account itself is the ' +
    'seller’s, and stays. Find the link with account_link_list.',
  effect: 'delete',
  unlisted: true,
  audit: { kind: accountLinkKind, ofInput: ({ linkId }) => linkId },
  access: needs('buyer:admin', { within: ['grants'] }),
  rest: { method: 'DELETE', path: '/advertisers/{advertiserId}/accounts/{linkId}' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser'),
    linkId: numericId('the link', 'accountLink'),
  }),
  output: z.object({
    unlinked: z.literal(true).describe('The advertiser has the account no more.'),
    linkId: z.string().describe('The link that it was.'),
  }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, { advertiserId, linkId }) => reachAccountLink(ctx, { advertiserId, link: linkId }),
  handler: async (ctx, { advertiserId, linkId }, found) => {
    await ctx.write(
      async (tx) => {
        await countLinkedAccounts(tx, ctx.scope, { id: advertiserId, by: -1, now: ctx.now });
        const deleted = await deleteAdvertiserAccount(tx, ctx.scope, { id: linkId, advertiserId });
        if (!deleted) throw notFound(accountLinkKind);
      },
      { resourceId: linkId, resourceName: found.account_id, advertiserId },
    );
    return { unlinked: true as const, linkId: String(linkId) };
  },
});
