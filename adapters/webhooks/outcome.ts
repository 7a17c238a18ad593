import type { Db } from '../../store/engine/db.ts';
import {
  findSubscriptionById,
  finishDelivery,
  listEndedWithWork,
  skipDeliveries,
  updateSubscriptionHealth,
} from '../../store/unscoped/webhook-deliveries.ts';
import { releaseDelivery } from '../../store/unscoped/webhook-dispatch.ts';
import type { WebhookDeliveryRow } from '../../store/webhooks.ts';
import type { Services } from '../../tools/core/context.ts';
import { nowOf } from '../../tools/core/moments.ts';
import { afterDelivery, isReceivers } from '../../tools/domain/webhooks/rules.ts';
import type { SentWebhook } from '../../tools/domain/webhooks/sending.ts';
import type { Unsent } from './why-unsent.ts';

/** How attempts end, and what that means for their subscriptions. */

/** Ends what is not sent; what another process can sign it is given back to. */
export async function recordUnsent(
  { store, ports }: Services,
  { id }: Pick<WebhookDeliveryRow, 'id'>,
  unsent: Unsent | 'left',
): Promise<void> {
  if (unsent === 'left') return releaseDelivery(store.db, id);
  const end = { state: 'skipped', outcome: unsent, http_status: null } as const;
  await finishDelivery(store.db, { id, ...end, finished_at: nowOf(ports.clock) });
}

type Attempted = SentWebhook & { readonly ms: number };

/** The row's end and what it means for the subscription, in one transaction. */
export async function recordOutcome(
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

/** Subscriptions of one look. */
const ENDED_AT_ONCE = 100;

/** Skips what was stored for subscriptions while they ended: whoever ended them could not see it. */
export async function skipLate({ store, ports }: Services): Promise<void> {
  const now = nowOf(ports.clock);
  for (const ended of await listEndedWithWork(store.db, ENDED_AT_ONCE)) {
    const outcome = ended.status === null ? 'subscription_deleted' : 'subscription_failed';
    await skipDeliveries(store.db, ended, { outcome, now });
  }
}
