import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import type { WebhookDeliveryRow, WebhookSubscriptionRow } from '../webhooks.ts';

/** The receiver and the bytes of a claimed delivery. */
export async function findDispatch(
  db: Db,
  delivery: WebhookDeliveryRow,
): Promise<{ subscription: WebhookSubscriptionRow; payload: string } | undefined> {
  const open = unscoped(db);
  const subscription = await open
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .where('id', '=', delivery.subscription_id)
    .executeTakeFirst();
  const told = delivery.event === null ? await revisionOf(db, delivery) : await eventOf(db, delivery.event);
  if (subscription === undefined || told === undefined) return undefined;
  return { subscription, payload: told.payload };
}

function revisionOf(db: Db, { session_id, revision }: WebhookDeliveryRow) {
  return unscoped(db)
    .selectFrom('discovery_revisions')
    .select('payload')
    .where('session_id', '=', session_id)
    .where('revision', '=', revision)
    .executeTakeFirst();
}

function eventOf(db: Db, sequence: number) {
  return unscoped(db)
    .selectFrom('account_events')
    .select('payload')
    .where('sequence', '=', sequence)
    .executeTakeFirst();
}

/** Gives a claimed delivery back, for another process to send: nothing of it has begun. */
export async function releaseDelivery(db: Db, id: number): Promise<void> {
  await unscoped(db)
    .updateTable('webhook_deliveries')
    .set({ state: 'pending', owner: null, claimed_at: null })
    .where('id', '=', id)
    .where('state', '=', 'attempting')
    .execute();
}
