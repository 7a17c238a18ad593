import { z } from 'zod';
import { toFlag, toJson } from '../../../store/engine/codec.ts';
import { eventTypes, insertSubscription, listSubscriptions } from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict } from '../../core/errors/refusals.ts';
import { subscriptionKind } from '../../domain/webhooks/kind.ts';
import { SECRET_MAX, SECRET_MIN, SUBSCRIPTIONS_MAX, urlProblem } from '../../domain/webhooks/rules.ts';
import { secretOwner } from '../../domain/webhooks/secret-owner.ts';
import { subscription, subscriptionRecord } from './schema.ts';

const SUFFIX_LENGTH = 10;

export const webhookCreate = defineTool({
  name: 'webhook_create',
  title: 'Create webhook',
  example: {
    url: 'https://hooks.example.com/discovery',
    secret: 'a secret of sixteen characters or more',
    eventTypes: ['discovery.revision'],
  },
  description:
    'Registers an HTTPS address for events. Each event is sent once, signed in X-Webhook-Signature with the ' +
    'secret you give: lowercase hex HMAC-SHA256 of the raw body. Only sessions started afterwards are sent. ' +
    'Ten failures in a row end the subscription. The secret is never shown again. It reaches what your ' +
    'credential reaches: with grants the events of those advertisers, with a test key those of sandbox ones.',
  effect: 'create',
  audit: { kind: subscriptionKind, ofResult: ({ subscription: made }) => made.id },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/webhook-subscriptions', status: 201 },
  input: z.strictObject({
    url: z
      .string()
      .max(2048)
      .superRefine((url, ctx) => {
        const problem = urlProblem(url);
        if (problem !== undefined) ctx.addIssue({ code: 'custom', message: problem });
      })
      .describe('HTTPS address that receives the events.'),
    secret: z
      .string()
      .min(SECRET_MIN)
      .max(SECRET_MAX)
      .describe(`Signs the deliveries: ${SECRET_MIN} to ${SECRET_MAX} characters.`),
    eventTypes: z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).describe('The events to send.'),
  }),
  output: z.object({ subscription: subscription.describe('The subscription.') }),
  errors: ['CONFLICT'],
  handler: async (ctx, input) => {
    const id = subscriptionId(ctx);
    const row = await ctx.write(
      async (tx) => {
        const present = await listSubscriptions(tx, ctx.scope, null);
        if (present.length >= SUBSCRIPTIONS_MAX) throw tooMany();
        return insertSubscription(tx, ctx.scope, {
          id,
          principal: ctx.caller.principal,
          sandbox: toFlag(ctx.sandboxOnly),
          url: input.url,
          secret: ctx.services.ports.secrets.seal(input.secret, secretOwner(id)),
          event_types: toJson(input.eventTypes),
          status: 'active',
          failure_count: 0,
          last_success: null,
          last_failure: null,
          failure_reason: null,
          last_ms: 0,
          created_at: ctx.now,
          updated_at: ctx.now,
        });
      },
      { resourceId: id },
    );

    return { subscription: subscriptionRecord(row) };
  },
});

/** Interface, Resources: `wh_<timestamp>_<suffix>`. */
function subscriptionId(ctx: Context): string {
  return `wh_${Date.parse(ctx.now)}_${ctx.newId('s').slice(-SUFFIX_LENGTH)}`;
}

function tooMany() {
  return conflict(
    `The account has ${SUBSCRIPTIONS_MAX} subscriptions, which is the limit.`,
    'Delete one with webhook_delete first.',
  );
}
