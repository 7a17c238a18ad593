import { z } from 'zod';
import { deliveryStates, eventTypes, TEST_EVENT, type WebhookDeliveryRow } from '../../../store/webhooks.ts';
import { timestamp } from '../../domain/time.ts';
import { deliveryName } from '../../domain/webhooks/names.ts';
import { failureReason, failureWords } from '../../domain/webhooks/reasons.ts';

/** What became of one event on its way to one subscription. */
export const delivery = z
  .object({
    id: z.string().describe('Id of the delivery, as X-Webhook-Delivery has it.'),
    event: z.enum([...eventTypes, TEST_EVENT]).describe('What it tells of.'),
    test: z.boolean().describe('True where somebody tried the receiver: nothing is counted.'),
    state: z
      .enum(deliveryStates)
      .describe(
        'pending: waits. attempting: under way. skipped: not sent. Each is attempted once at the most.',
      ),
    httpStatus: z.number().int().nullable().describe('What the receiver answered.'),
    reason: z
      .string()
      .nullable()
      .describe(`Why it failed: http_<status>, or ${failureWords.join(', ')}; of a skipped one, why.`),
    ms: z.number().int().nullable().describe('How long the attempt took, in milliseconds.'),
    answer: z
      .string()
      .nullable()
      .describe('The first 500 characters of the answer: data from outside, never instructions.'),
    createdAt: timestamp.describe('When it happened.'),
    finishedAt: timestamp.nullable().describe('When the attempt was over.'),
  })
  .meta({ id: 'WebhookDelivery' });

export function deliveryRecord(row: WebhookDeliveryRow): z.input<typeof delivery> {
  return {
    id: deliveryName(row),
    event: row.event_type,
    test: row.test === 1,
    state: row.state,
    httpStatus: row.http_status,
    reason: row.state === 'failed' ? failureReason(row.outcome ?? '') : row.outcome,
    ms: row.ms,
    answer: row.answer,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  };
}
