import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';
import { grantsOfMaker, reachesAdvertiser } from '../webhook-reach.ts';
import type { WebhookDeliveryRow } from '../webhooks.ts';

/** Whom a webhook that is about to be sent is for, and what they reach by then. */

/** For whom a claimed delivery is, as that stands now. */
export interface Receiver {
  readonly organization_id: number;
  readonly suspended_at: string | null;
  /** Who made the subscription; null for one made before that was kept. */
  readonly principal: string | null;
  readonly advertiser_id: number;
  /** 1: what its maker reaches is bounded, by grants or by the sandbox. */
  readonly bounded: number;
}

/** Undefined where the subscription is gone, or the session or the event. */
export async function findReceiver(
  db: Db,
  delivery: Pick<WebhookDeliveryRow, 'subscription_id' | 'session_id' | 'event'>,
): Promise<Receiver | undefined> {
  const row = await unscoped(db)
    .selectFrom('webhook_subscriptions')
    .innerJoin('organizations', 'organizations.id', 'webhook_subscriptions.organization_id')
    .leftJoin('discovery_sessions', (join) => join.on('discovery_sessions.id', '=', delivery.session_id))
    .leftJoin('account_events', (join) => join.on('account_events.sequence', '=', delivery.event))
    .select((eb) => [
      'webhook_subscriptions.organization_id',
      'organizations.suspended_at',
      'webhook_subscriptions.principal',
      eb.fn.coalesce('account_events.advertiser_id', 'discovery_sessions.advertiser_id').as('advertiser_id'),
      eb
        .case()
        .when(eb.or([eb('webhook_subscriptions.sandbox', '=', 1), eb.exists(grantsOfMaker(eb))]))
        .then(1)
        .else(0)
        .end()
        .as('bounded'),
    ])
    .where('webhook_subscriptions.id', '=', delivery.subscription_id)
    .executeTakeFirst();
  if (row === undefined || row.advertiser_id === null) return undefined;
  return { ...row, advertiser_id: row.advertiser_id };
}

/** Whether a subscription reaches an advertiser at a moment, by the grants of its maker and who is live then. */
export async function reachesNow(
  db: Db,
  { subscriptionId, advertiserId, now }: { subscriptionId: string; advertiserId: number; now: string },
): Promise<boolean> {
  const row = await unscoped(db)
    .selectFrom('webhook_subscriptions')
    .select('webhook_subscriptions.id')
    .where('webhook_subscriptions.id', '=', subscriptionId)
    .where(reachesAdvertiser({ advertiser_id: advertiserId, created_at: now }))
    .executeTakeFirst();
  return row !== undefined;
}
