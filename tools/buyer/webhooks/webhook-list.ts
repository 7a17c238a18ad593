import { z } from 'zod';
import { listSubscriptions } from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { makerSeenBy } from '../../domain/webhooks/reach.ts';
import { subscription, subscriptionRecord } from './schema.ts';

export const webhookList = defineTool({
  name: 'webhook_list',
  title: 'List webhooks',
  example: {},
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
        subscriptions: z.array(subscription).describe('The subscriptions.'),
        total: z.number().int().describe('How many there are.'),
      }),
      from: ({ items, total }) => ({ subscriptions: items, total }),
    },
  },
  input: z.strictObject({}),
  output: z.object({
    total: z.number().int().describe('How many there are.'),
    items: z.array(subscription).describe('The subscriptions.'),
  }),
  errors: [],
  handler: async (ctx) => {
    const rows = await listSubscriptions(ctx.db, ctx.scope, makerSeenBy(ctx));
    return { total: rows.length, items: rows.map(subscriptionRecord) };
  },
});
