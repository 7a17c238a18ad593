import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { mediaBuyKind, reachMediaBuy } from '../../domain/buying/reach.ts';
import { changeOne } from './changing.ts';
import {
  spendingChange,
  spendingChangeRecord,
  statusAsked,
  statusErrors,
  statusWanted,
} from './status-changes.ts';

export const mediaBuyReactivate = defineTool({
  name: 'media_buy_reactivate',
  title: 'Reactivate media buy',
  example: { media_buy_id: 'mb_example' },
  description:
    'Lets a PAUSED media buy go on at its seller, or packages of one that runs which its seller has paused: from then ' +
    'on it spends again. Read back from the seller: where it does not show it yet, newStatus stays PAUSED and error ' +
    'says so. Follow it with campaign_get_media_buy_status.',
  effect: 'act',
  unlisted: true,
  audit: { kind: mediaBuyKind, ofInput: ({ media_buy_id }) => media_buy_id },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/media-buys/{media_buy_id}/reactivate' },
  input: statusAsked,
  spellings: { media_buy_id: ['mediaBuyId'] },
  output: spendingChange,
  errors: [...statusErrors, 'INSUFFICIENT_MEDIA_BUDGET', 'PRICING_NOT_CONFIGURED'],
  find: (ctx, input) => reachMediaBuy(ctx, input.media_buy_id),
  handler: async (ctx, input, found) =>
    spendingChangeRecord(await changeOne(ctx, found, statusWanted('resume', input)), found),
});
