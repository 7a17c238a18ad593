import { z } from 'zod';
import { fromFlag, fromJson } from '../../../store/engine/codec.ts';
import { eventTypes, subscriptionStatuses, type WebhookSubscriptionRow } from '../../../store/webhooks.ts';
import { timestamp } from '../../domain/time.ts';
import { failureWords } from '../../domain/webhooks/reasons.ts';

export const ofSandbox = z
  .boolean()
  .describe('True: made with a test key, it gets what happens in the sandbox and nothing else.');

/** A webhook subscription (interface, Resources). The secret is never part of it. */
export const subscription = z
  .object({
    id: z.string().describe('Id of the subscription, wh_<timestamp>_<suffix>.'),
    url: z.string().describe('Where deliveries go.'),
    eventTypes: z.array(z.enum(eventTypes)).describe('The events it gets.'),
    sandbox: ofSandbox,
    status: z
      .enum(subscriptionStatuses)
      .describe('failed after ten failures in a row: delete and register again.'),
    failureCount: z.number().int().describe('Failed deliveries in a row.'),
    lastSuccess: timestamp.nullable().describe('The last delivery that was taken.'),
    lastFailure: timestamp.nullable().describe('The last one that was not.'),
    lastFailureReason: z
      .string()
      .nullable()
      .describe(`Why that one was not: http_<status>, or ${failureWords.join(', ')}.`),
    createdAt: timestamp.describe('When it was created.'),
    updatedAt: timestamp.describe('When it was last changed.'),
  })
  .meta({ id: 'WebhookSubscription' });

/** A subscription in the list of all: the short form says which it is and whether it works. */
export const listedSubscription = subscription
  .partial({
    eventTypes: true,
    sandbox: true,
    failureCount: true,
    lastSuccess: true,
    createdAt: true,
    updatedAt: true,
  })
  .meta({ id: 'ListedWebhookSubscription' });

export function compactSubscription(
  record: z.input<typeof subscription>,
): z.input<typeof listedSubscription> {
  const { id, url, status, lastFailure, lastFailureReason } = record;
  return { id, url, status, lastFailure, lastFailureReason };
}

export function subscriptionRecord(row: WebhookSubscriptionRow): z.input<typeof subscription> {
  return {
    id: row.id,
    url: row.url,
    eventTypes: fromJson(row.event_types),
    sandbox: fromFlag(row.sandbox),
    status: row.status,
    failureCount: row.failure_count,
    lastSuccess: row.last_success,
    lastFailure: row.last_failure,
    lastFailureReason: row.failure_reason,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
