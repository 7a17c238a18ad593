import { z } from 'zod';
import { findOwnStorefront } from '../../../store/storefronts.ts';
import { listSponsoredBuyers } from '../../../store/unscoped/signup.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { sponsoredBuyer, sponsoredBuyerRecord } from './record.ts';

export const sponsoredBuyerList = defineTool({
  name: 'sponsored_buyer_list',
  title: 'List sponsored buyers',
  example: { take: 20 },
  description:
    'Lists the buyers that came to your storefront by your join links, each with its state. Let one in, stop one ' +
    'or let one go on with sponsored_buyer_update. Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/sponsored-buyers', list: 'items' },
  input: z.strictObject(pagingFields({ byDefault: 50, max: 100 })),
  spellings: pagingSpellings,
  output: listOf(sponsoredBuyer),
  errors: [],
  handler: async (ctx, page) => {
    const own = await findOwnStorefront(ctx.db, ctx.scope);
    const { rows, total } =
      own === undefined
        ? { rows: [], total: 0 }
        : await listSponsoredBuyers(ctx.db, ctx.scope, { storefrontId: own.id, page });
    return { items: rows.map(sponsoredBuyerRecord), ...nextPage(page, rows.length, total) };
  },
});
