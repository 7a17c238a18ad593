import { z } from 'zod';
import { toFlag, toJson } from '../../../store/engine/codec.ts';
import { lockAccount } from '../../../store/organizations.ts';
import {
  type EventType,
  eventTypes,
  insertSubscription,
  listSubscriptions,
  type WebhookSubscriptionRow,
} from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, invalid } from '../../core/errors/refusals.ts';
import { nothingHidden } from '../../domain/text.ts';
import { addressProblems, plainUrl, URL_MAX } from '../../domain/webhooks/address.ts';
import { subscriptionKind } from '../../domain/webhooks/kind.ts';
import { SECRET_MAX, SECRET_MIN, SUBSCRIPTIONS_MAX } from '../../domain/webhooks/rules.ts';
import { secretOwner } from '../../domain/webhooks/secret-owner.ts';
import { subscription, subscriptionRecord } from './schema.ts';

const SUFFIX_LENGTH = 10;
const CLOSED_ADDRESS =
  'Give a public address: webhooks reach this one only when the operator opens its range (WEBHOOK_ALLOWED_CIDRS).';

export const webhookCreate = defineTool({
  name: 'webhook_create',
  title: 'Create webhook',
  example: {
    url: 'https://hooks.example.com/discovery',
    eventTypes: ['discovery.revision'],
  },
  description:
    'Registers an HTTPS address, a webhook, to be told of events: new revisions. Each event is sent once, signed in X-Webhook-Signature: lowercase ' +
    'hex HMAC-SHA256 of the raw body, keyed with the secret. Give none and one is made; it is in this answer ' +
    'alone, so keep it. The same address and events again give the subscription that is there. Only sessions ' +
    'started afterwards are sent. Ten failures in a row end the subscription. It reaches what your credential ' +
    'reaches: with grants the events of those advertisers, with a test key those of sandbox ones.',
  effect: 'create',
  audit: { kind: subscriptionKind, ofResult: ({ subscription: made }) => made.id },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/webhook-subscriptions', status: 201 },
  input: z.strictObject({
    url: z
      .string()
      .max(URL_MAX)
      .check(nothingHidden())
      .superRefine((url, ctx) => {
        for (const message of addressProblems(url)) ctx.addIssue({ code: 'custom', message });
      })
      .describe(
        'HTTPS address that receives the events: a public host, a port for the web, no user, no fragment.',
      ),
    secret: z
      .string()
      .min(SECRET_MIN)
      .max(SECRET_MAX)
      .optional()
      .describe(
        `Signs the deliveries: ${SECRET_MIN} to ${SECRET_MAX} characters. One is made when none is given.`,
      ),
    eventTypes: z
      .array(z.enum(eventTypes))
      .min(1)
      .max(eventTypes.length)
      .default([...eventTypes])
      .describe('The events to send; all of them when left out.'),
  }),
  output: z.object({
    subscription: subscription.describe('The subscription.'),
    secret: z
      .string()
      .optional()
      .describe(
        'What was made to sign with: shown here and never again. Absent when you gave one, or nothing new.',
      ),
  }),
  errors: ['CONFLICT'],
  handler: async (ctx, input) => {
    if (!ctx.services.ports.receivers.isOpen(input.url)) throw invalid('url', CLOSED_ADDRESS);
    const wanted = wantedBy(ctx, input);
    const made = input.secret === undefined ? ctx.services.ports.keys.signingSecret() : undefined;
    const secret = input.secret ?? made ?? '';
    const { row, existed } = await ctx.write(
      async (tx) => {
        await lockAccount(tx, ctx.scope);
        const present = await listSubscriptions(tx, ctx.scope, null);
        const same = present.find((row) => isSame(row, wanted));
        if (same !== undefined) return { row: withSecret(ctx, same, input.secret), existed: true };
        if (present.length >= SUBSCRIPTIONS_MAX) throw tooMany();
        return { row: await insertSubscription(tx, ctx.scope, newRow(ctx, wanted, secret)), existed: false };
      },
      ({ row: { id } }) => ({ resourceId: id }),
    );

    if (existed) return ctx.existing({ subscription: subscriptionRecord(row) });
    return { subscription: subscriptionRecord(row), ...(made === undefined ? {} : { secret: made }) };
  },
});

type Wanted = Pick<WebhookSubscriptionRow, 'principal' | 'sandbox' | 'url' | 'event_types'>;

/** What makes two subscriptions the same: their maker, for they reach what it reaches, the address and the events. */
function wantedBy(ctx: Context, input: { url: string; eventTypes: EventType[] }): Wanted {
  const wanted = new Set(input.eventTypes);
  return {
    principal: ctx.caller.principal,
    sandbox: toFlag(ctx.sandboxOnly),
    url: plainUrl(input.url),
    // Always in one order: they are compared as text.
    event_types: toJson(eventTypes.filter((type) => wanted.has(type))),
  };
}

/** One that failed gets nothing more: who registers the address again wants another one. */
function isSame(row: WebhookSubscriptionRow, wanted: Wanted): boolean {
  return (
    row.status === 'active' &&
    row.principal === wanted.principal &&
    row.sandbox === wanted.sandbox &&
    row.url === wanted.url &&
    row.event_types === wanted.event_types
  );
}

function newRow(ctx: Context, wanted: Wanted, secret: string) {
  const id = subscriptionId(ctx);
  return {
    ...wanted,
    id,
    secret: ctx.services.ports.secrets.seal(secret, secretOwner(id)),
    status: 'active' as const,
    failure_count: 0,
    last_success: null,
    last_failure: null,
    failure_reason: null,
    last_ms: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
  };
}

/** The subscription that is there, unless another secret is wanted for it. */
function withSecret(
  ctx: Context,
  row: WebhookSubscriptionRow,
  wanted: string | undefined,
): WebhookSubscriptionRow {
  if (wanted === undefined) return row;
  if (ctx.services.ports.secrets.open(row.secret, secretOwner(row.id)) === wanted) return row;
  throw conflict(
    `The subscription ${row.id} sends these events to this address already, with another secret.`,
    `Go on with its secret, or delete it with webhook_delete (id ${row.id}) and register again.`,
  );
}

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
