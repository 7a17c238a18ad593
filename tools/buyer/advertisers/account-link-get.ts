import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachAccountLink } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { shortText } from '../../domain/text.ts';
import { accountLink, accountLinkRecord } from './account-links.ts';

const untold = (what: string) =>
  z
    .null()
    .describe(`${what}: always null. What its seller says of it is not kept: see available_account_list.`);

export const accountLinkGet = defineTool({
  name: 'account_link_get',
  title: 'Get account link',
  example: { advertiserId: 1, linkId: '1' },
  description:
    'Gives one account that an advertiser has at a seller: where it is held, and since when it is linked. Find ' +
    'links with account_link_list.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/advertisers/{advertiserId}/accounts/{linkId}' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser'),
    linkId: shortText(255).describe(
      'Id of the link, or what the seller calls the account: of several called so, the one linked last. Also accepted as accountId.',
    ),
  }),
  spellings: { linkId: ['accountId'] },
  output: accountLink.extend({
    advertiser: untold('The advertiser by the name the seller has for it'),
    billingProxy: untold('Who pays in its place'),
    house: untold('The house it belongs to'),
    billing: untold('How it is billed'),
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, { advertiserId, linkId }) => reachAccountLink(ctx, { advertiserId, link: linkId }),
  handler: async (_ctx, _input, found) => ({
    ...accountLinkRecord(found),
    advertiser: null,
    billingProxy: null,
    house: null,
    billing: null,
  }),
});
