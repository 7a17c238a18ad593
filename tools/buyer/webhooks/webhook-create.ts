import { z } from 'zod';
import { toFlag, toJson } from '../../../store/engine/codec.ts';
import type { Db } from '../../../store/engine/db.ts';
import { areNarrowed } from '../../../store/memberships.ts';
import { lockAccount } from '../../../store/organizations.ts';
import {
  countSubscriptions,
  type EventType,
  eventTypes,
  handOver,
  insertSubscription,
  listSubscriptionsTo,
  type WebhookSubscriptionRow,
} from '../../../store/webhooks.ts';
import { needs } from '../../core/access.ts';
import type { Context } from '../../core/context.ts';
import { defineTool } from '../../core/define.ts';
import { conflict, forbidden, invalid } from '../../core/errors/refusals.ts';
import { ENOUGH, nothingHidden } from '../../core/schemas/hidden-characters.ts';
import { agentIdIn } from '../../domain/agents/desk.ts';
import { plainUrl, receiverProblems, URL_MAX } from '../../domain/far-address.ts';
import { holderOf } from '../../domain/organizations/holders.ts';
import { isSigningSecret, MAKE_SECRET, SECRET_MAX, SECRET_MIN } from '../../domain/webhooks/rules.ts';
import { secretOwner } from '../../domain/webhooks/secret-owner.ts';
import { subscriptionKind } from './reach.ts';
import { subscription, subscriptionRecord } from './schema.ts';

const SUFFIX_LENGTH = 10;
const NAME_THEM = `Give the events to send, at least one of: ${eventTypes.join(', ')}.`;
const CLOSED_ADDRESS =
  'Give a public address: webhooks reach this one only when the operator opens its range (WEBHOOK_ALLOWED_CIDRS).';

export const webhookCreate = defineTool({
  name: 'webhook_create',
  title: 'Create webhook',
  example: {
    url: 'https://hooks.example.com/events',
    secret: 'the 64 characters that openssl rand -hex 32 prints',
    eventTypes: ['discovery.revision', 'media_buy.updated'],
  },
  description:
    'Registers an HTTPS address, a webhook, to be told of events: revisions of discovery, changes of campaigns and ' +
    'media buys, deliveries, approvals. Each is sent once, signed in X-Webhook-Signature: lowercase hex ' +
    'HMAC-SHA256 of the raw body, keyed with the secret, which is never shown again. The same address, secret and ' +
    'events give the subscription that is there. Only sessions started afterwards are sent. Ten failures in a row ' +
    'end it for good. It reaches what your credential reaches: with grants the events of those advertisers, with ' +
    'a test key those of sandbox ones. Try it with webhook_test.',
  effect: 'create',
  audit: { kind: subscriptionKind, ofResult: ({ subscription: made }) => made.id },
  access: needs('buyer:write', { within: ['grants', 'sandbox'] }),
  rest: { method: 'POST', path: '/webhook-subscriptions', status: 201 },
  input: z.strictObject({
    url: z
      .string()
      .max(URL_MAX, ENOUGH)
      .check(nothingHidden())
      .superRefine((url, ctx) => {
        for (const message of receiverProblems(url)) ctx.addIssue({ code: 'custom', message });
      })
      .describe(
        'HTTPS address that receives the events: a public host, a port for the web, no user, no fragment.',
      ),
    secret: z
      .string(MAKE_SECRET)
      // Checked in our words, which say how to make one; the schema says the bounds all the same.
      .refine(isSigningSecret, MAKE_SECRET)
      .meta({ minLength: SECRET_MIN, maxLength: SECRET_MAX })
      .describe(
        `Signs the deliveries: ${SECRET_MIN} to ${SECRET_MAX} characters, such as \`openssl rand -hex 32\` prints. Never shown again.`,
      ),
    eventTypes: z
      .array(z.enum(eventTypes), NAME_THEM)
      .min(1)
      .max(eventTypes.length)
      .describe('The events to send, at least one.'),
  }),
  output: z.object({ subscription: subscription.describe('The subscription.') }),
  errors: ['CONFLICT'],
  handler: async (ctx, input) => {
    if (!ctx.services.ports.receivers.isOpen(input.url)) throw invalid('url', CLOSED_ADDRESS);
    if (isNarrowedElsewhere(ctx)) throw neverDelivered();
    const wanted = wantedBy(ctx, input);
    const { subscriptionsPerAccount } = ctx.services.limits.quotas;
    const { row, existed } = await ctx.write(
      async (tx) => {
        await lockAccount(tx, ctx.scope);
        const present = await listSubscriptionsTo(tx, ctx.scope, wanted.url);
        const alike = present.filter((row) => isSame(ctx, row, { ...wanted, secret: input.secret }));
        const same = await firstOfReach(ctx, tx, alike);
        if (same !== undefined) return { row: same, existed: true, from: await takenOver(ctx, tx, same) };
        if ((await countSubscriptions(tx, ctx.scope)) >= subscriptionsPerAccount)
          throw tooMany(subscriptionsPerAccount);
        return {
          row: await insertSubscription(tx, ctx.scope, newRow(ctx, wanted, input.secret)),
          existed: false,
        };
      },
      // A subscription that is there was not made: the log tells of changes.
      ({ row: { id }, existed, from }) => {
        if (!existed) return { resourceId: id };
        const changes = { principal: { from, to: ctx.caller.principal } };
        return from === undefined ? undefined : { action: 'UPDATE' as const, resourceId: id, changes };
      },
    );

    if (existed) return ctx.existing({ subscription: subscriptionRecord(row) });
    return { subscription: subscriptionRecord(row) };
  },
});

/**
 * What carries grants is sent while its holder is known to live. Of a key that a service elsewhere keeps that is known
 * only while it calls.
 */
function isNarrowedElsewhere({ caller }: Context): boolean {
  return caller.keptElsewhere !== undefined && caller.confined.organization.includes('grants');
}

function neverDelivered() {
  return forbidden(
    'This key is kept by a service elsewhere and narrowed by grants: it can have no webhooks.',
    'Follow the events as a stream (account_events), or use a key that the operator made here, or that no grants narrow.',
  );
}

type Wanted = Pick<WebhookSubscriptionRow, 'principal' | 'holder' | 'sandbox' | 'url' | 'event_types'>;

/** What makes two subscriptions the same, with the secret: what they reach, their address and their events. */
function wantedBy(ctx: Context, input: { url: string; eventTypes: EventType[] }): Wanted {
  const wanted = new Set(input.eventTypes);
  return {
    principal: ctx.caller.principal,
    holder: holderOf(ctx.caller),
    sandbox: toFlag(ctx.sandboxOnly),
    url: plainUrl(input.url),
    // Always in one order: they are compared as text.
    event_types: toJson(eventTypes.filter((type) => wanted.has(type))),
  };
}

/**
 * One that failed gets nothing more: who registers the address again wants another one. So does who gives another
 * secret: both are sent until the old one is deleted, and no event is missed in between.
 */
function isSame(ctx: Context, row: WebhookSubscriptionRow, wanted: Wanted & { secret: string }): boolean {
  return (
    row.status === 'active' &&
    row.sandbox === wanted.sandbox &&
    row.url === wanted.url &&
    row.event_types === wanted.event_types &&
    secretOf(ctx, row) === wanted.secret
  );
}

/**
 * What the caller made itself, or with another credential under the same grants; or the first of a colleague, where
 * grants narrow neither of them.
 */
async function firstOfReach(
  ctx: Context,
  tx: Db,
  alike: readonly WebhookSubscriptionRow[],
): Promise<WebhookSubscriptionRow | undefined> {
  const holder = holderOf(ctx.caller);
  const own =
    alike.find(({ principal }) => principal === ctx.caller.principal) ??
    alike.find((row) => row.holder === holder);
  if (own !== undefined) return own;
  for (const row of alike.toReversed()) {
    const holders = [holder, row.holder].filter((one) => one !== null);
    if (!(await areNarrowed(tx, ctx.scope, holders))) return row;
  }
  return undefined;
}

/**
 * It ends with the credential that it is of. From now on that is the caller's, so that a key can be replaced by
 * another one; not an agent's, with which it would end although others set it up. Gives whose it was; undefined where
 * it stays theirs.
 */
async function takenOver(
  ctx: Context,
  tx: Db,
  { id, principal: from }: WebhookSubscriptionRow,
): Promise<string | null | undefined> {
  const { principal } = ctx.caller;
  const isForAgent = agentIdIn(principal) !== undefined && agentIdIn(from) === undefined;
  if (from === principal || isForAgent) return undefined;
  await handOver(tx, ctx.scope, { id, principal, holder: holderOf(ctx.caller), updated_at: ctx.now });
  return from;
}

/** Undefined where it was encrypted with a key that is lost: who registers the address again replaces it so. */
function secretOf({ services }: Context, { id, secret }: WebhookSubscriptionRow): string | undefined {
  try {
    return services.ports.secrets.open(secret, secretOwner(id));
  } catch {
    return undefined;
  }
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

/** Interface, Resources: `wh_<timestamp>_<suffix>`. */
function subscriptionId(ctx: Context): string {
  return `wh_${Date.parse(ctx.now)}_${ctx.newId('s').slice(-SUFFIX_LENGTH)}`;
}

function tooMany(most: number) {
  return conflict(
    `The account has ${most} subscriptions, which is the limit.`,
    'Delete one with webhook_delete first.',
  );
}
