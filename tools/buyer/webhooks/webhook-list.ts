import { z } from 'zod';
import { listSubscriptions } from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { nextPage, pageCounters, pagingFields, pagingSpellings } from '../../domain/paging.ts';
import { holderSeenBy } from './reach.ts';
import { compactSubscription, listedSubscription, subscriptionRecord } from './schema.ts';

export const webhookList = defineTool({
  name: 'webhook_list',
  title: 'List webhooks',
  example: { detail: 'compact' },
  description:
    'Lists the webhook subscriptions of your account, newest first, with their health. One that failed gets ' +
    'nothing any more: delete it and register it again; lastFailureReason says why. Secrets are never shown. ' +
    'Pages with take and skip.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: {
    method: 'GET',
    path: '/webhook-subscriptions',
    list: 'items',
    shows: {
      schema: z.object({
        subscriptions: z.array(listedSubscription).describe('This page of the subscriptions.'),
        total: pageCounters.total,
      }),
      from: ({ items, total }) => ({ subscriptions: items, total }),
    },
  },
  input: z.strictObject({ detail, ...pagingFields({ byDefault: 50, max: 100 }) }),
  spellings: pagingSpellings,
  output: z.object({
    items: z.array(listedSubscription).describe('This page of the subscriptions.'),
    ...pageCounters,
  }),
  errors: [],
  handler: async (ctx, input) => {
    const holder = holderSeenBy(ctx);
    const { rows, total } = await listSubscriptions(ctx.db, ctx.scope, { holder, page: input });
    const records = rows.map(subscriptionRecord);
    return {
      items: isCompact(ctx, input) ? records.map(compactSubscription) : records,
      ...nextPage(input, rows.length, total),
    };
  },
});
