import type { Generated, Selectable } from 'kysely';
import type { JsonText } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { inPieces } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, inOrganization, ofAccount, ofOrganization } from './engine/scoped.ts';

export const eventTypes = ['discovery.revision'] as const;
export const subscriptionStatuses = ['active', 'failed'] as const;
export const deliveryStates = ['pending', 'attempting', 'delivered', 'failed', 'skipped'] as const;

export type EventType = (typeof eventTypes)[number];

export interface WebhookSubscriptionTable {
  sequence: Generated<number>;
  id: string;
  organization_id: number;
  customer_id: number;
  url: string;
  /** The signing secret, encrypted for this row. */
  secret: string;
  event_types: JsonText<EventType[]>;
  status: (typeof subscriptionStatuses)[number];
  failure_count: number;
  last_success: string | null;
  last_failure: string | null;
  created_at: string;
  updated_at: string;
}

/** One event on its way to one subscription. The body is the revision it names. */
export interface WebhookDeliveryTable {
  id: Generated<number>;
  organization_id: number;
  subscription_id: string;
  event_type: EventType;
  session_id: string;
  revision: number;
  state: (typeof deliveryStates)[number];
  owner: string | null;
  outcome: string | null;
  http_status: number | null;
  created_at: string;
  claimed_at: string | null;
  finished_at: string | null;
}

export type WebhookSubscriptionRow = Selectable<WebhookSubscriptionTable>;
export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>;

declare module './engine/database.ts' {
  interface Database {
    webhook_subscriptions: WebhookSubscriptionTable;
    webhook_deliveries: WebhookDeliveryTable;
  }
}

export async function insertSubscription(
  db: Db,
  scope: Scope,
  subscription: Omit<WebhookSubscriptionRow, 'sequence' | 'organization_id' | 'customer_id'>,
): Promise<WebhookSubscriptionRow> {
  return db
    .insertInto('webhook_subscriptions')
    .values(ofAccount(scope, subscription))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** All subscriptions of the account, newest first. */
export function listSubscriptions(db: Db, scope: Scope): Promise<WebhookSubscriptionRow[]> {
  return db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .$call(inAccount(scope))
    .orderBy('sequence', 'desc')
    .execute();
}

/** Ends a subscription; what was still to be sent is skipped. False: no such subscription here. */
export async function deleteSubscription(
  db: Db,
  scope: Scope,
  subscription: { id: string; now: string },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('webhook_subscriptions')
    .$call(inAccount(scope))
    .where('id', '=', subscription.id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await db
    .updateTable('webhook_deliveries')
    .set({ state: 'skipped', outcome: 'subscription_deleted', finished_at: subscription.now })
    .$call(inOrganization(scope))
    .where('subscription_id', '=', subscription.id)
    .where('state', '=', 'pending')
    .execute();
  return true;
}

/** The newest subscription of the account: a session starting now sends to none that come after it. */
export async function lastSubscription(db: Db, scope: Scope): Promise<number> {
  const row = await db
    .selectFrom('webhook_subscriptions')
    .select((eb) => eb.fn.max('sequence').as('sequence'))
    .$call(inAccount(scope))
    .executeTakeFirst();
  return row?.sequence ?? 0;
}

/** What an event needs to know to reach the subscriptions that were there before its session. */
export interface EventSource {
  readonly event_type: EventType;
  readonly session_id: string;
  readonly revision: number;
  readonly last_subscription: number;
  readonly created_at: string;
}

/** Puts an event on its way to every subscription that is due it, in the event's own transaction. */
export async function insertDeliveries(db: Db, scope: Scope, event: EventSource): Promise<number> {
  const { event_type, session_id, revision, created_at } = event;
  const due = await db
    .selectFrom('webhook_subscriptions')
    .select(['id', 'event_types'])
    .$call(inAccount(scope))
    .where('sequence', '<=', event.last_subscription)
    .where('status', '=', 'active')
    .orderBy('sequence')
    .execute();
  const rows = due
    .filter(({ event_types }) => event_types.includes(`"${event_type}"`))
    .map(({ id }) => {
      const delivery = { subscription_id: id, event_type, session_id, revision, created_at };
      return ofOrganization(scope, { ...delivery, state: 'pending' as const });
    });
  await inPieces(rows, (piece) => db.insertInto('webhook_deliveries').values(piece).execute());
  return rows.length;
}
