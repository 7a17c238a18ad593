import type { WebhookSubscriptionRow } from '../../../store/webhooks.ts';

/** Consecutive failures that end a subscription (interface, Limits). */
export const FAILURES_BEFORE_FAILED = 10;
/** Interface, Limits: webhook secret length. */
export const SECRET_MIN = 16;
export const SECRET_MAX = 256;
/** How many subscriptions an account may have. */
export const SUBSCRIPTIONS_MAX = 50;

type Health = Pick<
  WebhookSubscriptionRow,
  'status' | 'failure_count' | 'last_success' | 'last_failure' | 'updated_at'
>;

/** What an attempt makes of a subscription (interface, States: Webhook subscription). */
export function afterDelivery(subscription: Health, delivered: boolean, now: string): Health {
  if (subscription.status === 'failed') return subscription;
  if (delivered) return { ...subscription, failure_count: 0, last_success: now, updated_at: now };
  const failure_count = subscription.failure_count + 1;
  return {
    ...subscription,
    failure_count,
    status: failure_count >= FAILURES_BEFORE_FAILED ? 'failed' : 'active',
    last_failure: now,
    updated_at: now,
  };
}

const LOCAL_NAMES = /^(localhost|metadata.*|host\.docker\.internal)$|\.(localhost|local|internal)$/;

/**
 * Why a URL cannot receive webhooks; undefined when it can. Whether its name resolves, and to what, is seen
 * where the attempt connects.
 */
export function urlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'Give a URL such as https://hooks.acme.example/rialto.';
  const url = new URL(text);
  if (url.protocol !== 'https:') return 'Must be https.';
  if (url.username !== '' || url.password !== '') return 'Leave out user and password.';
  if (url.hash !== '') return 'Leave out the fragment.';
  // `localhost.` names the same host as `localhost`.
  const host = url.hostname.replace(/\.$/, '');
  const literal = /^[\d.]+$|^\[/.test(host);
  if (LOCAL_NAMES.test(host) || (!literal && !host.includes('.')))
    return 'Give a host that is reachable from outside.';
  return undefined;
}
