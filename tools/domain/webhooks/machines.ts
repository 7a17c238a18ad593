import { subscriptionStatuses, type WebhookSubscriptionRow } from '../../../store/webhooks.ts';
import type { Machine } from '../../core/machines.ts';

/** Consecutive failures that end a subscription (interface, Limits). */
export const FAILURES_BEFORE_FAILED = 10;

/** The life of a subscription (interface, States: Webhook subscription). */
export const subscriptionMachine: Machine<
  WebhookSubscriptionRow['status'],
  'delivered' | 'missed' | 'missedForTheLastTime'
> = {
  of: 'webhook subscription',
  states: subscriptionStatuses,
  events: {
    delivered: { meaning: 'A delivery got a 2xx.', leads: { active: 'active' } },
    missed: { meaning: 'A delivery got anything else.', leads: { active: 'active' } },
    missedForTheLastTime: {
      meaning: `The ${FAILURES_BEFORE_FAILED}th failure in a row: delivery stops.`,
      leads: { active: 'failed' },
    },
  },
};
