import { z } from 'zod';
import { listDeliveries } from '../../../store/webhook-log.ts';
import { deliveryStates } from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { prefixedId } from '../../domain/ids.ts';
import { listOf, nextPage, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { delivery, deliveryRecord } from './delivery.ts';
import { reachSubscription } from './reach.ts';

export const webhookDeliveryList = defineTool({
  name: 'webhook_delivery_list',
  title: 'List webhook deliveries',
  example: { id: 'wh_example', state: 'failed', take: 20 },
  description:
    'Lists what became of the events of a webhook subscription, newest first: what the receiver answered, how ' +
    'long it took, and why a delivery failed or was not sent. Use it to find out why a webhook stays silent, with state failed for ' +
    'the failures alone; webhook_test tries the receiver. Deliveries are kept for 30 days unless the operator says otherwise.',
  effect: 'read',
  unlisted: true,
  access: needs('buyer:read'),
  rest: { method: 'GET', path: '/webhook-subscriptions/{id}/deliveries', list: 'items' },
  input: z.strictObject({
    id: prefixedId('the subscription', 'wh_'),
    state: z.enum(deliveryStates).optional().describe('Only those of which this became; without it all.'),
    ...pagingFields({ byDefault: 20, max: 100 }),
  }),
  spellings: pagingSpellings,
  output: listOf(delivery),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachSubscription(ctx, input.id),
  handler: async (ctx, { id, state, take, skip }) => {
    const page = { take, skip };
    const { rows, total } = await listDeliveries(ctx.db, ctx.scope, { subscriptionId: id, state, page });
    return { items: rows.map(deliveryRecord), ...nextPage(page, rows.length, total) };
  },
});
