import { z } from 'zod';
import { countLinkedAccounts } from '../../../store/advertisers.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import {
  accountFields,
  accountNotBuilt,
  accountToLink,
  linkAccount,
} from '../../domain/advertisers/linked-accounts.ts';
import { accountLinkKind, reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { accountLink, accountLinkRecord } from './account-links.ts';

export const accountLinkCreate = defineTool({
  name: 'account_link_create',
  title: 'Create account link',
  example: { advertiserId: 1, storefrontId: 1, sourceId: 'src_example', accountId: 'acct_1' },
  description:
    'Links an account that an advertiser has at a seller: products there are asked for and later orders placed ' +
    'under it. available_account_list names those that can be linked; of a seller that lists none, the account is ' +
    'taken as it is named, and the link is unreachable. Sandbox advertisers have none. Returns the link; ' +
    'account_link_delete takes it away.',
  effect: 'create',
  unlisted: true,
  openWorld: true,
  audit: { kind: accountLinkKind, ofResult: ({ account }) => account.linkId },
  access: needs('buyer:write', { within: ['grants'] }),
  rest: { method: 'POST', path: '/advertisers/{advertiserId}/accounts', status: 201 },
  input: z.strictObject({ advertiserId: numericId('the advertiser'), ...accountFields }),
  notBuilt: accountNotBuilt,
  output: z.object({ account: accountLink.describe('The link that was made.') }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (ctx, { advertiserId, ...given }, found) => {
    const account = await accountToLink(ctx, found, given);
    const row = await ctx.write(
      async (tx) => {
        await countLinkedAccounts(tx, ctx.scope, { id: advertiserId, by: 1, now: ctx.now });
        return linkAccount(tx, ctx, { advertiserId, account });
      },
      ({ id, account_id: called }) => ({ resourceId: id, resourceName: called, advertiserId }),
    );
    return { account: accountLinkRecord(row) };
  },
});
