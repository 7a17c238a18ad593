import type { Db } from '../engine/db.ts';
import { unscoped } from '../engine/unscoped.ts';

/** How much waits to be done, whosever it is: for the operator of the service. */

/** Beyond this many it is enough to know that there are more. */
const QUEUE_COUNTED_MAX = 10_000;

export interface Queues {
  /** Events that wait for their attempt. */
  readonly webhooks: number;
  /** Since when the oldest of them waits. */
  readonly oldestWebhook: string | null;
  /** Discovery sessions that collect. */
  readonly sessions: number;
  /** Orders on their way to a seller. */
  readonly orders: number;
}

/** Each found by its index, and counted no further than `QUEUE_COUNTED_MAX`. */
export async function measureQueues(db: Db): Promise<Queues> {
  const all = unscoped(db);
  const waiting = all
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('state', '=', 'pending')
    .limit(QUEUE_COUNTED_MAX);
  const collecting = all
    .selectFrom('discovery_sessions')
    .select('id')
    .where('status', '=', 'collecting')
    .limit(QUEUE_COUNTED_MAX);
  const sending = all
    .selectFrom('media_buys')
    .select('id')
    .where('submission', '=', 'sending')
    .limit(QUEUE_COUNTED_MAX);
  const oldest = all
    .selectFrom('webhook_deliveries')
    .select('created_at')
    .where('state', '=', 'pending')
    .orderBy('id')
    .limit(1);
  const row = await all
    .selectNoFrom(({ selectFrom }) => [
      selectFrom(waiting.as('w'))
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('webhooks'),
      selectFrom(collecting.as('c'))
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('sessions'),
      selectFrom(sending.as('s'))
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .as('orders'),
      oldest.as('oldest_webhook'),
    ])
    .executeTakeFirstOrThrow();
  return {
    webhooks: Number(row.webhooks ?? 0),
    oldestWebhook: row.oldest_webhook,
    sessions: Number(row.sessions ?? 0),
    orders: Number(row.orders ?? 0),
  };
}

/** How many webhook subscriptions there are of each status. */
export async function countSubscriptions(db: Db): Promise<{ status: string; count: number }[]> {
  const rows = await unscoped(db)
    .selectFrom('webhook_subscriptions')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .orderBy('status')
    .execute();
  return rows.map(({ status, count }) => ({ status, count: Number(count) }));
}
