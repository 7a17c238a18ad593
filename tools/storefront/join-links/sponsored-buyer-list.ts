import { z } from 'zod';
import { findOwnStorefront } from '../../../store/storefronts.ts';
import { listSponsoredBuyers } from '../../../store/unscoped/signup.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { sponsoredBuyer, sponsoredBuyerRecord } from './record.ts';

export const sponsoredBuyerList = defineTool({
  name: 'sponsored_buyer_list',
  title: 'List sponsored buyers',
  example: {},
  description:
    'Lists the buyers that came to your storefront by your join links, each with its state. Let one in, stop one ' +
    'or let one go on with sponsored_buyer_update.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/sponsored-buyers' },
  input: z.strictObject({}),
  output: z.object({
    items: z.array(sponsoredBuyer).describe('The buyers.'),
    total: z.number().int().describe('How many they are.'),
  }),
  errors: [],
  handler: async (ctx) => {
    const own = await findOwnStorefront(ctx.db, ctx.scope);
    const rows = own === undefined ? [] : await listSponsoredBuyers(ctx.db, own.id);
    return { items: rows.map(sponsoredBuyerRecord), total: rows.length };
  },
});
