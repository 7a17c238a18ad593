import type { WebhookSubscriptionRow } from '../../../store/webhooks.ts';
import { next } from '../../core/machines.ts';
import { FAILURES_BEFORE_FAILED, subscriptionMachine } from './machines.ts';
import { failureReason } from './reasons.ts';

/** Interface, Limits: webhook secret length. */
export const SECRET_MIN = 16;
export const SECRET_MAX = 256;
export const MAKE_SECRET = `Give a secret of ${SECRET_MIN} to ${SECRET_MAX} characters that nobody can guess: \`openssl rand -hex 32\` makes one.`;

/** Whether a subscription can have it. */
export function isSigningSecret({ length }: string): boolean {
  return length >= SECRET_MIN && length <= SECRET_MAX;
}

type Health = Pick<
  WebhookSubscriptionRow,
  'status' | 'failure_count' | 'last_success' | 'last_failure' | 'failure_reason' | 'last_ms' | 'updated_at'
>;

/** What came of an attempt. */
export interface Attempted {
  /** Why it failed; null for one that was taken. */
  readonly reason: string | null;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  readonly now: string;
}

/** Whether a failure says anything of the receiver: what this service failed at does not, and counts for nothing. */
export function isReceivers(reason: string): boolean {
  return failureReason(reason) !== 'internal_error';
}

/** What an attempt makes of a subscription. */
export function afterDelivery(subscription: Health, { reason, ms, now }: Attempted): Health {
  const delivered = reason === null;
  const failure_count = delivered ? 0 : subscription.failure_count + 1;
  const missed = failure_count >= FAILURES_BEFORE_FAILED ? 'missedForTheLastTime' : 'missed';
  const status = next(subscriptionMachine, subscription.status, delivered ? 'delivered' : missed);
  if (status === undefined) return subscription;
  const moment = delivered
    ? { last_success: now }
    : { last_failure: now, failure_reason: failureReason(reason) };
  return { ...subscription, status, failure_count, ...moment, last_ms: ms, updated_at: now };
}
