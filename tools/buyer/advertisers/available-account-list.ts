import { z } from 'zod';
import { fromFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { firstOf } from '../../domain/advertisers/account-checking.ts';
import { availableAccounts } from '../../domain/advertisers/available-accounts.ts';
import {
  accountFields,
  accountNotBuilt,
  sellerAt,
  shownLinkedAccount,
} from '../../domain/advertisers/linked-accounts.ts';
import { reachAdvertiser } from '../../domain/advertisers/reach.ts';
import { numericId } from '../../domain/ids.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { accountStatuses } from '../../domain/sellers/accounts.ts';

const { storefrontId, sourceId } = accountFields;
const told = (what: string) => z.string().nullable().describe(`${what}, as the seller says it.`);

/** Contract: AvailableAccountOutput. */
const availableAccount = z
  .object({
    accountId: z.string().describe('What the seller calls it: account_link_create takes it.'),
    credentialId: z.null().describe('Always null: sellers are asked by the credential of their source.'),
    name: told('Its name'),
    advertiser: told('The advertiser'),
    billingProxy: told('Who pays in its place'),
    house: z.null().describe('Always null: sellers do not tell.'),
    billing: told('Whom the seller bills'),
    sources: shownLinkedAccount.shape.sources,
    status: z.enum(accountStatuses).describe('Where it stands at the seller.'),
  })
  .meta({ id: 'AvailableAccount' });

export const availableAccountList = defineTool({
  name: 'available_account_list',
  title: 'List available accounts',
  example: { advertiserId: 1, storefrontId: 1, sourceId: 'src_example' },
  description:
    'Lists the accounts that a seller has for an advertiser, by asking the seller (AdCP, list_accounts); what it ' +
    'said is used for five minutes, unless refresh is true. Shown are accounts of the brand of the advertiser whose ' +
    'operator is a verified domain of your organization; at sellers of your own, all of the brand. A sandbox ' +
    'advertiser has none. Link one with account_link_create.',
  effect: 'read',
  unlisted: true,
  openWorld: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/advertisers/{advertiserId}/accounts/available', list: 'accounts' },
  input: z.strictObject({
    advertiserId: numericId('the advertiser'),
    storefrontId,
    sourceId,
    refresh: z.boolean().default(false).describe('True asks the seller anew.'),
    ...pagingFields({ byDefault: 50, max: 250 }),
  }),
  spellings: pagingSpellings,
  notBuilt: accountNotBuilt,
  output: z.object({
    accounts: z.array(availableAccount).describe('This page of the accounts.'),
    synced: z.boolean().describe('Whether the seller was asked for this answer.'),
    guidance: z
      .string()
      .optional()
      .describe('Present where the seller lists more than is read here, so that some may be missing.'),
    ...pageCounters,
  }),
  errors: ['NOT_FOUND', 'CAPABILITY_NOT_SUPPORTED'],
  find: (ctx, input) => reachAdvertiser(ctx, input.advertiserId),
  handler: async (ctx, input, advertiser) => {
    const at = await sellerAt(ctx, input);
    if (fromFlag(advertiser.sandbox)) return { accounts: [], synced: false, ...nextPage(input, 0, 0) };
    const { accounts, isAnew, readOnly } = await availableAccounts(ctx, {
      advertiser,
      agentId: at.agent_id,
      refresh: input.refresh,
    });
    const shown = accounts.slice(input.skip, input.skip + input.take);
    const source = {
      storefrontId: at.storefront_id,
      storefrontName: at.storefront_name,
      sourceId: at.source_id,
      sourceName: at.source_name,
    };
    return {
      accounts: shown.map(({ brand: _, operator: __, ...account }) => ({
        ...account,
        credentialId: null,
        house: null,
        sources: [source],
      })),
      synced: isAnew,
      ...(readOnly === undefined ? {} : { guidance: cutShort(readOnly) }),
      ...nextPage(input, shown.length, accounts.length),
    };
  },
});

function cutShort(read: number): string {
  return `The seller lists more accounts than are read here: these are of ${firstOf(read)}. Ask the seller about one that is missing.`;
}
