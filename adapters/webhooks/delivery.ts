import type { Db } from '../../store/engine/db.ts';
import {
  claimDelivery,
  findSubscriptionById,
  finishDelivery,
  listInterruptedDeliveries,
  listSubscriptionsWithWork,
  skipDeliveries,
  updateSubscriptionHealth,
} from '../../store/unscoped/webhook-deliveries.ts';
import { findDispatch, releaseDelivery } from '../../store/unscoped/webhook-dispatch.ts';
import type { WebhookDeliveryRow } from '../../store/webhooks.ts';
import type { Services } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { unawaited } from '../../tools/core/unawaited.ts';
import { forgotten, underWay } from '../../tools/core/under-way.ts';
import { deliveryName } from '../../tools/domain/webhooks/names.ts';
import { afterDelivery, isReceivers } from '../../tools/domain/webhooks/rules.ts';
import { nextTurns, type Places, type Waiting } from '../../tools/domain/webhooks/turns.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import { type LeftToOthers, leftToOthers } from './left-to-others.ts';
import { sendWebhook, type WebhookOutcome } from './request.ts';
import { secretOf, type Unsent, whyUnsent } from './standing.ts';

/** Rows written by other processes are found this often. */
const LOOK_EVERY_MS = 1_000;
const SUBSCRIPTIONS_AT_ONCE = 1_000;
/** Such attempts are looked for this often. */
const LOOK_FOR_OVERDUE_EVERY_MS = 10_000;

export interface WebhookOptions {
  readonly guard: AddressGuard;
  readonly ca: string | undefined;
  readonly timeoutMs: number;
  /** From how long on an attempt counts as slow. */
  readonly slowMs: number;
  readonly places: Places;
}

interface Sending extends WebhookOptions {
  readonly others: LeftToOthers;
}

export interface WebhookDelivery {
  /** Begins no further attempt, and resolves when those under way are over. */
  stop(): Promise<void>;
}

interface Flight extends Waiting {
  /** When it began, in milliseconds since 1970. */
  readonly began: number;
  readonly over: Promise<void>;
}

/**
 * Sends the events that wait: one in flight a subscription, oldest first, so many subscriptions at a time, of
 * which each account, and those that were slow or failing lately, have their places.
 * An attempt is committed before its socket opens, and what is found attempted is never sent again.
 */
export function startWebhookDelivery(services: Services, options: WebhookOptions): WebhookDelivery {
  const flights = new Map<string, Flight>();
  const stopping = new AbortController();
  const others = leftToOthers(services);
  const launch = (waiting: Waiting) => {
    const subscriptionId = waiting.id;
    const over = attemptNext(services, { ...options, others }, subscriptionId)
      .catch((err: unknown) => {
        services.log.error({ err, subscriptionId }, 'webhook delivery failed');
        return false;
      })
      .then((attempted) => {
        flights.delete(subscriptionId);
        if (attempted) services.ports.wake.signal('webhooks');
      });
    flights.set(subscriptionId, { ...waiting, began: services.ports.clock.now(), over });
  };
  const { slowMs, places } = options;
  /** What is under way for long is troubled already, though nothing says so yet. */
  const inFlight = () => {
    const slowSince = services.ports.clock.now() - slowMs;
    return [...flights.values()].map(({ account, troubled, began }) => ({
      account,
      troubled: troubled || began <= slowSince,
    }));
  };
  const endOverdue = overdueSweep(services, options.timeoutMs);
  const pump = async () => {
    await endOverdue();
    if (flights.size >= places.inAll) return;
    const leaves = await others.keys();
    const bounds = { slowMs, perAccount: places.perAccount, limit: SUBSCRIPTIONS_AT_ONCE, leaves };
    const waiting = await listSubscriptionsWithWork(services.store.db, bounds);
    if (stopping.signal.aborted) return;
    const grounded = waiting.filter(({ id }) => !flights.has(id));
    for (const turn of nextTurns(grounded, inFlight(), places)) launch(turn);
  };
  const rows = services.ports.wake.listen('webhooks');
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      await pump().catch((err: unknown) => services.log.error({ err }, 'looking for webhooks failed'));
      await rows.next(LOOK_EVERY_MS, stopping.signal);
    }
    rows.close();
  })();
  return {
    stop: async () => {
      stopping.abort();
      await loop;
      await Promise.all([...flights.values()].map(({ over }) => over));
    },
  };
}

/**
 * Ends the attempts whose outcome could not be written, whoever made them: while one is open, nothing else of
 * its subscription is sent. Each had its one attempt.
 */
function overdueSweep(services: Services, timeoutMs: number): () => Promise<void> {
  const { ports } = services;
  let due = 0;
  return async () => {
    const now = ports.clock.now();
    if (now < due) return;
    due = now + LOOK_FOR_OVERDUE_EVERY_MS;
    const { takeoverAfterMs } = services.limits;
    await endInterrupted(services, new Date(now - timeoutMs - takeoverAfterMs).toISOString());
  };
}

/** Ends the attempts of processes that died, and those of anybody that were claimed before `overdue`. */
export async function endInterrupted(services: Services, overdue?: string): Promise<void> {
  const interrupted = await listInterruptedDeliveries(services.store.db, overdue);
  for (const delivery of forgotten(services, interrupted)) {
    await recordOutcome(services, delivery, { ok: false, status: null, reason: 'interrupted', ms: 0 });
  }
}

/** Attempts the oldest event of a subscription. False when there was none to attempt. */
async function attemptNext(services: Services, options: Sending, subscriptionId: string): Promise<boolean> {
  const { store, processId } = services;
  const claim = { subscriptionId, owner: processId, now: nowOf(services.ports.clock) };
  const delivery = await claimDelivery(store.db, claim);
  if (delivery === undefined) return false;
  await underWay(services, delivery.id, () => attemptClaimed(services, options, delivery));
  return true;
}

async function attemptClaimed(
  services: Services,
  options: Sending,
  delivery: WebhookDeliveryRow,
): Promise<void> {
  const began = services.ports.clock.now();
  const outcome = await attempt(services, options, delivery).catch((err: unknown): WebhookOutcome => {
    // Whatever went wrong here, the event had its attempt: left open it would hold up all that follow it.
    const { id: deliveryId, subscription_id: subscriptionId } = delivery;
    services.log.error({ err, subscriptionId, deliveryId }, 'attempting a webhook failed');
    return { ok: false, status: null, reason: 'internal_error' };
  });
  if ('unsent' in outcome) return recordUnsent(services, delivery, outcome.unsent);
  await recordOutcome(services, delivery, { ...outcome, ms: services.ports.clock.now() - began });
}

async function attempt(
  services: Services,
  options: Sending,
  delivery: WebhookDeliveryRow,
): Promise<WebhookOutcome | { readonly unsent: Unsent | 'left' }> {
  const unsent = await whyUnsent(services, delivery);
  if (unsent !== undefined) return { unsent };
  const dispatch = await findDispatch(services.store.db, delivery);
  if (dispatch === undefined) return { unsent: 'gone' };
  const { subscription, payload } = dispatch;
  const secret = secretOf(services, subscription);
  if (secret === undefined) {
    return { unsent: (await options.others.includes(subscription.secret)) ? 'left' : 'secret_not_opened' };
  }
  const { wake, clock } = services.ports;
  const over = new AbortController();
  const cancelled = new AbortController();
  // Deleting a subscription ends an attempt under way (interface, States: deliveries stop immediately).
  const deletion = wake.listen(`webhook:${subscription.id}`);
  // The listener outlives the attempt, so that running out of time is not taken for a deletion.
  const deleted = deletion.next(2 * options.timeoutMs, over.signal).then(() => {
    if (!over.signal.aborted) cancelled.abort();
  });
  unawaited(deleted, services.log, 'listening for a deletion');
  try {
    return await sendWebhook(
      {
        url: subscription.url,
        secret,
        body: payload,
        deliveryId: deliveryName(delivery),
      },
      { guard: options.guard, ca: options.ca, timeoutMs: options.timeoutMs, clock, signal: cancelled.signal },
    );
  } finally {
    over.abort();
    deletion.close();
  }
}

async function recordUnsent(
  { store, ports }: Services,
  { id }: Pick<WebhookDeliveryRow, 'id'>,
  unsent: Unsent | 'left',
): Promise<void> {
  if (unsent === 'left') return releaseDelivery(store.db, id);
  const end = { state: 'skipped', outcome: unsent, http_status: null } as const;
  await finishDelivery(store.db, { id, ...end, finished_at: nowOf(ports.clock) });
}

type Attempted = WebhookOutcome & { readonly ms: number };

/** The row's end and what it means for the subscription, in one transaction. */
async function recordOutcome(
  services: Services,
  delivery: Pick<WebhookDeliveryRow, 'id' | 'subscription_id' | 'test'>,
  outcome: Attempted,
): Promise<void> {
  const now = nowOf(services.ports.clock);
  services.ports.tally.delivery(outcome.ok ? 'delivered' : outcome.reason);
  await services.store.transaction(async (tx) => {
    const ended = await finishDelivery(tx, {
      id: delivery.id,
      state: outcome.ok ? 'delivered' : 'failed',
      outcome: outcome.ok ? null : outcome.reason,
      http_status: outcome.status,
      finished_at: now,
      ms: outcome.ms,
      answer: outcome.answer ?? null,
    });
    // Somebody else has ended it, and counted it. Of a receiver that is tried nothing is counted.
    if (ended && delivery.test === 0) await countOutcome(tx, delivery.subscription_id, { outcome, now });
  });
}

async function countOutcome(
  tx: Db,
  subscriptionId: string,
  { outcome, now }: { readonly outcome: Attempted; readonly now: string },
): Promise<void> {
  const subscription = await findSubscriptionById(tx, subscriptionId);
  if (subscription === undefined) return;
  const { id, ...before } = subscription;
  const reason = outcome.ok ? null : outcome.reason;
  if (reason !== null && !isReceivers(reason)) return;
  const health = afterDelivery(before, { reason, ms: outcome.ms, now });
  const { status, failure_count, last_success, last_failure, failure_reason, last_ms, updated_at } = health;
  const set = { status, failure_count, last_success, last_failure, failure_reason, last_ms, updated_at };
  await updateSubscriptionHealth(tx, id, set);
  if (status === 'failed') await skipDeliveries(tx, subscription, { outcome: 'subscription_failed', now });
}
