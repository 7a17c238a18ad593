import { claimDelivery } from '../../store/unscoped/webhook-deliveries.ts';
import { findDispatch } from '../../store/unscoped/webhook-dispatch.ts';
import type { WebhookDeliveryRow } from '../../store/webhooks.ts';
import type { Services } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { unawaited } from '../../tools/core/unawaited.ts';
import { underWay } from '../../tools/core/under-way.ts';
import { deliveryName } from '../../tools/domain/webhooks/names.ts';
import type { SentWebhook } from '../../tools/domain/webhooks/sending.ts';
import type { AddressGuard } from '../net/address-guard.ts';
import type { LeftToOthers } from './left-to-others.ts';
import { recordOutcome, recordUnsent } from './outcome.ts';
import { sendWebhook } from './request.ts';
import { secretOf, type Unsent, whyUnsent } from './why-unsent.ts';

/** One attempt: claimed, asked about once more, sent, and ended by what came of it. */

/** What an attempt is made with. */
export interface Sending {
  readonly guard: AddressGuard;
  readonly ca: string | undefined;
  readonly timeoutMs: number;
  readonly others: LeftToOthers;
}

/** Attempts the oldest event of a subscription. False when there was none to attempt. */
export async function attemptNext(
  services: Services,
  options: Sending,
  subscriptionId: string,
): Promise<boolean> {
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
  const outcome = await attempt(services, options, delivery).catch((err: unknown): SentWebhook => {
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
): Promise<SentWebhook | { readonly unsent: Unsent | 'left' }> {
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
