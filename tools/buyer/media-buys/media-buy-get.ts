import { z } from 'zod';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reachMediaBuy } from '../../domain/buying/reach.ts';
import { fullDetail } from '../../domain/detail.ts';
import { prefixedId } from '../../domain/ids.ts';
import { compactMediaBuy, mediaBuyRecord } from './record.ts';
import { mediaBuy } from './schema.ts';
import { shownMediaBuy } from './shown.ts';

export const mediaBuyGet = defineTool({
  name: 'media_buy_get',
  title: 'Get media buy',
  example: { media_buy_id: 'mb_example' },
  description:
    'Gives one media buy: what was ordered of a seller, where it stands here and there (adcp), and what ' +
    'it delivered. standing says what it waits for, why it was refused, and who has to do what. ' +
    'campaign_get_media_buy_status asks the seller. detail compact leaves out history, versions, formats and ' +
    'what is empty.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/media-buys/{media_buy_id}', shows: shownMediaBuy },
  input: z.strictObject({ media_buy_id: prefixedId('the media buy', 'mb_'), detail: fullDetail }),
  spellings: { media_buy_id: ['mediaBuyId'] },
  output: mediaBuy,
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachMediaBuy(ctx, input.media_buy_id),
  handler: async (ctx, { detail }, found) => {
    const record = await mediaBuyRecord(ctx, found);
    return detail === 'compact' ? compactMediaBuy(record) : record;
  },
});
