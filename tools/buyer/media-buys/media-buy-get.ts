import { z } from 'zod';
import { findMediaBuy } from '../../../store/media-buys.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { reached } from '../../core/reach.ts';
import { prefixedId } from '../../domain/ids.ts';
import { mediaBuyRecord } from './record.ts';
import { mediaBuy, shownMediaBuy } from './schema.ts';

export const mediaBuyGet = defineTool({
  name: 'media_buy_get',
  title: 'Get media buy',
  description:
    'Gives one media buy: what was ordered from one seller, where it stands here and at the seller (adcp), and ' +
    'what was delivered so far. It is read from the store; campaign_get_media_buy_status asks the seller. ' +
    'Find ids with campaign_get.',
  surface: 'buyer',
  toolset: 'campaigns',
  effect: 'read',
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/media-buys/{media_buy_id}', shows: shownMediaBuy },
  input: z.strictObject({ media_buy_id: prefixedId('the media buy', 'mb_') }),
  spellings: { media_buy_id: ['mediaBuyId'] },
  output: mediaBuy,
  errors: ['NOT_FOUND'],
  find: async (ctx, input) =>
    reached(ctx.scope, await findMediaBuy(ctx.db, ctx.scope, input.media_buy_id), 'media buy'),
  handler: async (ctx, _input, found) => mediaBuyRecord(found, ctx.services.ports.digest),
});
