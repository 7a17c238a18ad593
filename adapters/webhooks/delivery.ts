import {
  listInterruptedDeliveries,
  listSubscriptionsWithWork,
} from '../../store/unscoped/webhook-deliveries.ts';
import type { Services } from '../../tools/core/context.ts';
import { momentOf } from '../../tools/core/moments.ts';
import { forgotten } from '../../tools/core/under-way.ts';
import { nextTurns, type Places, type Waiting } from '../../tools/domain/webhooks/turns.ts';
import { attemptNext, type Sending } from './attempt.ts';
import { leftToOthers } from './left-to-others.ts';
import { recordOutcome, skipLate } from './outcome.ts';

/** Rows written by other processes are found this often. */
const LOOK_EVERY_MS = 1_000;
/** Of so many subscriptions with something to send one look chooses whose turn it is; how many go out is a setting. */
const WAITING_MAX = 1_000;
/** Such attempts are looked for this often. */
const LOOK_FOR_OVERDUE_EVERY_MS = 10_000;

export interface WebhookOptions extends Omit<Sending, 'others'> {
  /** From how long on an attempt counts as slow. */
  readonly slowMs: number;
  readonly places: Places;
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
    const bounds = { slowMs, perAccount: places.perAccount, limit: WAITING_MAX, leaves };
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
 * its subscription is sent. Each had its one attempt. And what no subscription is there for any more.
 */
function overdueSweep(services: Services, timeoutMs: number): () => Promise<void> {
  const { ports } = services;
  let due = 0;
  return async () => {
    const now = ports.clock.now();
    if (now < due) return;
    due = now + LOOK_FOR_OVERDUE_EVERY_MS;
    const { takeoverAfterMs } = services.limits;
    await endInterrupted(services, momentOf(now - timeoutMs - takeoverAfterMs));
    await skipLate(services);
  };
}

/** Ends the attempts of processes that died, and those of anybody claimed before `overdue`: without it, of nobody. */
export async function endInterrupted(services: Services, overdue = ''): Promise<void> {
  const interrupted = await listInterruptedDeliveries(services.store.db, overdue);
  for (const delivery of forgotten(services, interrupted)) {
    await recordOutcome(services, delivery, { ok: false, status: null, reason: 'interrupted', ms: 0 });
  }
}
