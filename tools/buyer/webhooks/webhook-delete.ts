import { z } from 'zod';
import { fromFlag } from '../../../store/engine/codec.ts';
import { deleteSubscription } from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import { defineTool } from '../../core/define.ts';
import { notFound } from '../../core/errors/refusals.ts';
import { prefixedId } from '../../domain/ids.ts';
import { reachSubscription, subscriptionKind } from './reach.ts';
import { ofSandbox } from './schema.ts';

export const webhookDelete = defineTool({
  name: 'webhook_delete',
  title: 'Delete webhook',
  example: { id: 'wh_example' },
  description:
    'Deletes a webhook subscription: deliveries stop at once, also those that wait. The way to recover one ' +
    'that failed is to delete it and register it again.',
  effect: 'delete',
  inSteps: true,
  audit: { kind: subscriptionKind, ofInput: ({ id }) => id },
  access: needs('buyer:admin', { within: ['grants', 'sandbox'] }),
  rest: { method: 'DELETE', path: '/webhook-subscriptions/{id}' },
  input: z.strictObject({ id: prefixedId('the subscription', 'wh_') }),
  output: z.object({
    success: z.literal(true).describe('The subscription is gone.'),
    id: z.string().describe('The subscription that was deleted.'),
    sandbox: ofSandbox,
  }),
  errors: ['NOT_FOUND'],
  find: (ctx, input) => reachSubscription(ctx, input.id),
  handler: async (ctx, input, { sandbox }) => {
    await ctx.write(
      async (tx) => {
        const deleted = await deleteSubscription(tx, ctx.scope, { id: input.id, now: ctx.now });
        if (!deleted) throw notFound(subscriptionKind);
      },
      { resourceId: input.id },
    );
    ctx.services.ports.wake.signal(`webhook:${input.id}`);

    return { success: true as const, id: input.id, sandbox: fromFlag(sandbox) };
  },
});
