import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { mediaBuyKind, reachMediaBuy } from '../../domain/buying/reach.ts';
import { changeOne } from './changing.ts';
import {
  statusAsked,
  statusChange,
  statusChangeRecord,
  statusErrors,
  statusWanted,
} from './status-changes.ts';

export const mediaBuyPause = defineTool({
  name: 'media_buy_pause',
  title: 'Pause media buy',
  example: { media_buy_id: 'mb_example' },
  description:
    'Holds one media buy, that is what runs at one seller or publisher: nothing more is spent there; its budget ' +
    'stays bound, and the rest of the campaign goes on. Read back from ' +
    'the seller: where it does not show the pause yet, newStatus stays ACTIVE and error says so. Go on again with ' +
    'media_buy_reactivate.',
  effect: 'act',
  unlisted: true,
  audit: { kind: mediaBuyKind, ofInput: ({ media_buy_id }) => media_buy_id },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/media-buys/{media_buy_id}/pause' },
  input: statusAsked,
  spellings: { media_buy_id: ['mediaBuyId'] },
  output: statusChange,
  errors: [...statusErrors],
  find: (ctx, input) => reachMediaBuy(ctx, input.media_buy_id),
  handler: async (ctx, input, found) =>
    statusChangeRecord(await changeOne(ctx, found, statusWanted('pause', input)), found),
});
