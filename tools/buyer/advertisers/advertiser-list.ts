import { z } from 'zod';
import { type AdvertiserFilter, advertiserStatuses, listAdvertisers } from '../../../store/advertisers.ts';
import { toFlag } from '../../../store/engine/codec.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { leftOutByName, leftOutGuidance } from '../../domain/left-out.ts';
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
  output: listOf(listedAdvertiser).extend({ guidance: leftOutGuidance }),
  errors: [],
  handler: async (ctx, input) => {
    const filter = filterOf(input);
    const { rows, total } = await listAdvertisers(ctx.db, ctx.scope, { filter, page: input });
    const counters = nextPage(input, rows.length, total);
    const brandOf = input.includeBrand ? await brandsOf(ctx, rows) : () => ({});
    return {
      items: rows.map((row) => ({
        ...bareAdvertiserRecord(row),
        ...brandOf(row),
        linkedAccountCount: row.linked_accounts,
      })),
      ...counters,
      // Whoever goes on with more of them has found some.
      ...(counters.hasMore || input.skip > 0 ? {} : await leftOut(ctx, filter)),
    };
  },
});

interface Filters {
  readonly status: (typeof advertiserStatuses)[number] | 'ALL';
  readonly name?: string | undefined;
  readonly sandbox?: boolean | undefined;
  readonly linkedAccountPartnerId?: string | undefined;
}

function filterOf({ status, name, sandbox, linkedAccountPartnerId }: Filters): AdvertiserFilter {
  return {
    status: status === 'ALL' ? undefined : status,
    name,
    partnerId: linkedAccountPartnerId,
    sandbox: sandbox === undefined ? undefined : toFlag(sandbox),
  };
}

/** The advertiser that somebody looks for may be archived: another one of its name is not to be made for that. */
async function leftOut(
  ctx: Pick<Context, 'db' | 'scope'>,
  filter: AdvertiserFilter,
): Promise<{ guidance?: string }> {
  if (filter.name === undefined || filter.status === undefined) return {};
  const others = advertiserStatuses.filter((one) => one !== filter.status);
  const page = { skip: 0, take: 1 };
  const { total } = await listAdvertisers(ctx.db, ctx.scope, {
    filter: { ...filter, status: others[0] },
    page,
  });
  return leftOutByName(total, { word: 'advertiser', statuses: others });
}
