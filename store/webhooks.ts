import type { Generated, Selectable } from 'kysely';
import { byIdInAccount } from './engine/by-id.ts';
import type { Flag, JsonText, Sealed } from './engine/codec.ts';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Scope, Tenant } from './engine/scope.ts';
import { inAccount, inOrganization, ofAccount } from './engine/scoped.ts';
import { skipInSteps } from './skipped-deliveries.ts';
import { grantsOfMaker, type Holding } from './webhook-reach.ts';

/** The events that are told of campaigns and media buys. */
export const accountEventTypes = [
  'campaign.updated',
  'media_buy.updated',
  'media_buy.delivery',
  'approval.needed',
] as const;
export const eventTypes = ['discovery.revision', ...accountEventTypes] as const;
/** What a test delivery is, beside the events that happen. */
export const TEST_EVENT = 'webhook.test';
export const subscriptionStatuses = ['active', 'failed'] as const;
export const deliveryStates = ['pending', 'attempting', 'delivered', 'failed', 'skipped'] as const;

export type EventType = (typeof eventTypes)[number];

export interface WebhookSubscriptionTable {
  sequence: Generated<number>;
  id: string;
  organization_id: number;
  customer_id: number;
  /** Who made it, such as `api_key:key_…`; null for one made before that was kept: it is the account's. */
  principal: string | null;
  /** Whose grants narrow it: the credential's own, or those of the person it acts for. */
  holder: string | null;
  /** 1: made with a test key; it gets the events of sandbox advertisers alone. */
  sandbox: Flag;
  url: string;
  /** The signing secret, encrypted for this row. */
  secret: Sealed;
  event_types: JsonText<EventType[]>;
  status: (typeof subscriptionStatuses)[number];
  failure_count: number;
  last_success: string | null;
  last_failure: string | null;
  /** Why the last failure was one; null before there was one. */
  failure_reason: string | null;
  /** How long the last attempt took, in milliseconds. */
  last_ms: number;
  created_at: string;
  updated_at: string;
}

/** One event on its way to one subscription. The body is that of the revision or of the event it names. */
export interface WebhookDeliveryTable {
  id: Generated<number>;
  organization_id: number;
  subscription_id: string;
  event_type: EventType | typeof TEST_EVENT;
  /** Of a revision, with its number; empty and 0 for what is no revision. */
  session_id: string;
  revision: number;
  /** The event that is told (`account_events.sequence`); null for what is none. */
  event: number | null;
  /**
   * What it tells of, as its receiver knows it: no other delivery of the subscription does; null before it was kept.
   */
  told: string | null;
  /** 1: somebody tries the receiver, and nothing is counted. */
  test: Generated<Flag>;
  /** How long the attempt took, in milliseconds. */
  ms: number | null;
  /** The first of what the receiver answered, as text. */
  answer: string | null;
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

/** A page of the subscriptions of the account, newest first: of all of them, or of those of a holder. */
export function listSubscriptions(
  db: Db,
  scope: Scope,
  { holder, page }: { readonly holder: string | null; readonly page: Page },
): Promise<Counted<WebhookSubscriptionRow>> {
  const found = db
    .selectFrom('webhook_subscriptions')
    .$call(inAccount(scope))
    .$if(holder !== null, (query) => query.where('holder', '=', holder));
  return counted(db, { asker: scope, rows: found.selectAll().orderBy('sequence', 'desc'), found }, page);
}

/** How many subscriptions the account has. */
export async function countSubscriptions(db: Db, scope: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('webhook_subscriptions')
    .select((eb) => eb.fn.countAll().as('total'))
    .$call(inAccount(scope))
    .executeTakeFirstOrThrow();
  return Number(total);
}

/** The subscriptions of the account that are sent to an address, newest first: as many as its quota lets there be. */
export function listSubscriptionsTo(db: Db, scope: Scope, url: string): Promise<WebhookSubscriptionRow[]> {
  return db
    .selectFrom('webhook_subscriptions')
    .selectAll()
    .$call(inAccount(scope))
    .where('url', '=', url)
    .orderBy('sequence', 'desc')
    .execute();
}

/** Makes a subscription that of whoever asked for it last. */
export async function handOver(
  db: Db,
  scope: Scope,
  { id, ...maker }: Pick<WebhookSubscriptionRow, 'id' | 'principal' | 'holder' | 'updated_at'>,
): Promise<void> {
  await db
    .updateTable('webhook_subscriptions')
    .set(maker)
    .$call(inAccount(scope))
    .where('id', '=', id)
    .execute();
}

export const findSubscription = byIdInAccount((db) => db.selectFrom('webhook_subscriptions').selectAll());

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
  await skipPending(db, scope, { ids: [subscription.id], now: subscription.now });
  return true;
}

function skipPending(
  db: Db,
  tenant: Tenant,
  { ids, now }: { ids: readonly string[]; now: string },
): Promise<void> {
  const due = (limit: number) =>
    db
      .selectFrom('webhook_deliveries')
      .select('id')
      .$call(inOrganization(tenant))
      .where('subscription_id', 'in', ids)
      .where('state', '=', 'pending')
      .limit(limit)
      .execute();
  return skipInSteps(db, tenant, { outcome: 'subscription_deleted', now, due });
}

/** Ends the subscriptions of a holder that grants narrow, and gives their ids; those of others stay. */
export async function deleteSubscriptionsOf(
  db: Db,
  tenant: Tenant,
  { holder, now }: Holding,
): Promise<string[]> {
  const deleted = await db
    .deleteFrom('webhook_subscriptions')
    .$call(inOrganization(tenant))
    .where('holder', '=', holder)
    .where((eb) => eb.exists(grantsOfMaker(eb)))
    .returning('id')
    .execute();
  const ids = deleted.map(({ id }) => id);
  if (ids.length > 0) await skipPending(db, tenant, { ids, now });
  return ids;
}

/** Ends every subscription that a credential made, when the credential itself is over, and gives their ids. */
export async function deleteSubscriptionsMadeBy(
  db: Db,
  tenant: Tenant,
  { principal, now }: { readonly principal: string; readonly now: string },
): Promise<string[]> {
  const deleted = await db
    .deleteFrom('webhook_subscriptions')
    .$call(inOrganization(tenant))
    .where('principal', '=', principal)
    .returning('id')
    .execute();
  const ids = deleted.map(({ id }) => id);
  if (ids.length > 0) await skipPending(db, tenant, { ids, now });
  return ids;
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
