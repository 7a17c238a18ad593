import { z } from 'zod';
import { fromFlag } from '../../../store/engine/codec.ts';
import { lockAccount } from '../../../store/organizations.ts';
import { endTrial, insertTrial } from '../../../store/webhook-log.ts';
import { TEST_EVENT, type WebhookDeliveryRow } from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { nowOf } from '../../core/moments.ts';
import { prefixedId } from '../../domain/ids.ts';
import { deliveryName } from '../../domain/webhooks/names.ts';
import { secretOwner } from '../../domain/webhooks/secret-owner.ts';
import { delivery, deliveryRecord } from './delivery.ts';
import { reachSubscription, subscriptionKind } from './reach.ts';
import { ofSandbox } from './schema.ts';

export const webhookTest = defineTool({
  name: 'webhook_test',
  title: 'Test webhook',
  example: { id: 'wh_example' },
  description:
    'Tries the receiver of a webhook subscription: one signed POST of {"event": "webhook.test", "test": true}, ' +
    'sent as events are, and once. Returns the delivery with what was answered; a receiver that fails is no error ' +
    'of this call. Status and counters of the subscription stay as they are: one that failed can be tried, and ' +
    'stays failed. Call it after webhook_create.',
  effect: 'act',
  unlisted: true,
  audit: { kind: subscriptionKind, ofInput: ({ id }) => id },
  openWorld: true,
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/webhook-subscriptions/{id}/test' },
  input: z.strictObject({ id: prefixedId('the subscription', 'wh_') }),
  output: z.object({ delivery: delivery.describe('What came of it.'), sandbox: ofSandbox }),
  errors: ['NOT_FOUND', 'CONFLICT'],
  find: (ctx, input) => reachSubscription(ctx, input.id),
  handler: async (ctx, { id }, subscription) => {
    // One that cannot be signed is not begun.
    const secret = ctx.services.ports.secrets.open(subscription.secret, secretOwner(id));
    const trial = await ctx.write(
      async (tx) => {
        await lockAccount(tx, ctx.scope);
        const owner = ctx.services.processId;
        const begun = await insertTrial(tx, ctx.scope, {
          subscriptionId: id,
          owner,
          told: ctx.newId('evt'),
          now: ctx.now,
        });
        if (begun === undefined) throw underWay();
        return begun;
      },
      { resourceId: id },
    );
    return {
      delivery: deliveryRecord(await attempt(ctx, { id, url: subscription.url, secret }, trial)),
      sandbox: fromFlag(subscription.sandbox),
    };
  },
});

/** The attempt itself, outside every transaction. It is over when the process stops, as those of events are. */
async function attempt(
  ctx: Context,
  { id, url, secret }: { readonly id: string; readonly url: string; readonly secret: string },
  trial: WebhookDeliveryRow,
): Promise<WebhookDeliveryRow> {
  const { ports, stopping } = ctx.services;
  const began = ports.clock.now();
  const told = { event: TEST_EVENT, test: true, id: trial.told, timestamp: ctx.now };
  const sent = await ports.receivers.send(
    {
      url,
      secret,
      body: JSON.stringify({ ...told, subscriptionId: id }),
      deliveryId: deliveryName(trial),
    },
    stopping,
  );
  const end = {
    state: sent.ok ? 'delivered' : 'failed',
    outcome: sent.ok ? null : sent.reason,
    http_status: sent.status,
    finished_at: nowOf(ports.clock),
    ms: ports.clock.now() - began,
    answer: sent.answer ?? null,
  } as const;
  return (await endTrial(ctx.db, ctx.scope, { id: trial.id, ...end })) ?? { ...trial, ...end };
}

function underWay() {
  return conflict(
    'This receiver is being tried already.',
    'Wait some seconds, then call webhook_test again.',
  );
}
