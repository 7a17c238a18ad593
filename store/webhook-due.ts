import type { Db } from './engine/db.ts';
import { inPieces } from './engine/pieces.ts';
import type { Scope } from './engine/scope.ts';
import { inAccount, ofOrganization } from './engine/scoped.ts';
import { reachesAdvertiser } from './webhook-reach.ts';
import type { EventType } from './webhooks.ts';

/** What an event needs to know to reach the subscriptions that were there before its session. */
export interface EventSource {
  readonly event_type: EventType;
  readonly session_id: string;
  /** Whose it is: a subscription that does not reach it gets nothing. */
  readonly advertiser_id: number;
  readonly revision: number;
  /** Absent: whoever is subscribed at that moment is sent it. */
  readonly last_subscription?: number;
  /** The stored event, where it is no revision. */
  readonly event?: number;
  /** The event as whoever gets it knows it. */
  readonly told: string;
  readonly created_at: string;
}

/** Puts an event on its way to every subscription that is due it, in the event's own transaction. */
export async function insertDeliveries(db: Db, scope: Scope, event: EventSource): Promise<number> {
  const { event_type, session_id, revision, last_subscription, told, created_at } = event;
  const due = await db
    .selectFrom('webhook_subscriptions')
    .select(['id', 'event_types'])
    .$call(inAccount(scope))
    .$if(last_subscription !== undefined, (query) => query.where('sequence', '<=', last_subscription ?? 0))
    .where('status', '=', 'active')
    .where(reachesAdvertiser(event))
    .orderBy('sequence')
    .execute();
  const rows = due
    .filter(({ event_types }) => event_types.includes(`"${event_type}"`))
    .map(({ id }) => {
      const about = { session_id, revision, event: event.event ?? null, told };
      const delivery = { subscription_id: id, event_type, ...about, created_at };
      return ofOrganization(scope, { ...delivery, state: 'pending' as const });
    });
  await inPieces(rows, (piece) => db.insertInto('webhook_deliveries').values(piece).execute());
  return rows.length;
}
