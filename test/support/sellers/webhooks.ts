import type { Client } from '../callers/client.ts';
import { lookUntil } from '../run/looking.ts';
import { done } from './market.ts';

export const SECRET = 'a secret that nobody guesses';

/** A subscription as REST shows it. */
export interface Subscription {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly failureCount: number;
  readonly lastSuccess: string | null;
  readonly lastFailure: string | null;
  readonly lastFailureReason: string | null;
}

export async function subscribe(
  person: Client,
  url: string,
  { secret = SECRET, eventTypes = ['discovery.revision'] }: { secret?: string; eventTypes?: string[] } = {},
): Promise<Subscription> {
  const fields = { url, secret, eventTypes };
  return done(await person.post('/buyer/webhook-subscriptions', fields)).subscription;
}

export async function subscriptionOf(person: Client, id: string): Promise<Subscription> {
  const { subscriptions } = done(await person.get('/buyer/webhook-subscriptions'));
  const found = subscriptions.find((subscription: Subscription) => subscription.id === id);
  if (found === undefined) throw new Error(`There is no subscription ${id}.`);
  return found;
}

/** The subscription once what a test waits for is written: an attempt is over before its row says so. */
export function subscriptionWhen(
  person: Client,
  id: string,
  holds: (subscription: Subscription) => boolean,
): Promise<Subscription> {
  return lookUntil(() => subscriptionOf(person, id), holds);
}
