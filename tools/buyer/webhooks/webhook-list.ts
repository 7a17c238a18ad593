import { z } from 'zod';
import { listSubscriptions } from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { detail, isCompact } from '../../domain/detail.ts';
import { makerSeenBy } from '../../domain/webhooks/reach.ts';
import { compactSubscription, listedSubscription, subscriptionRecord } from './schema.ts';

export const webhookList = defineTool({
  name: 'webhook_list',
  title: 'List webhooks',
  example: { detail: 'compact' },
  description:
    'Lists the webhook subscriptions of your account, newest first, with their health. One that failed gets ' +
    'nothing any more: delete it and register it again; lastFailureReason says why. Secrets are never shown.',
  effect: 'read',
  access: needs('buyer:read'),
  rest: {
    method: 'GET',
    path: '/webhook-subscriptions',
    list: 'items',
    shows: {
      schema: z.object({
        subscriptions: z.array(listedSubscription).describe('The subscriptions.'),
        total: z.number().int().describe('How many there are.'),
      }),
      from: ({ items, total }) => ({ subscriptions: items, total }),
    },
  },
  input: z.strictObject({ detail }),
  output: z.object({
    total: z.number().int().describe('How many there are.'),
    items: z.array(listedSubscription).describe('The subscriptions.'),
  }),
  errors: [],
  handler: async (ctx, input) => {
    const rows = await listSubscriptions(ctx.db, ctx.scope, makerSeenBy(ctx));
    const records = rows.map(subscriptionRecord);
    return {
      total: rows.length,
      items: isCompact(ctx, input) ? records.map(compactSubscription) : records,
    };
  },
});
