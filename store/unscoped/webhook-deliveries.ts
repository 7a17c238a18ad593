import type { Db } from '../engine/db.ts';
import { makeTenant } from '../engine/scope.ts';
import { unscoped } from '../engine/unscoped.ts';
import { skipInSteps } from '../skipped-deliveries.ts';
import type { WebhookDeliveryRow, WebhookSubscriptionRow } from '../webhooks.ts';
import { keyIdIn } from './sealed.ts';

/** Sending webhooks, which the service does for every organization in turn. */

export interface WorkBounds {
  /** From how many milliseconds on the last attempt makes a subscription troubled, as a failure does. */
  readonly slowMs: number;
  /** No more than so many of an account: it has no more places. */
  readonly perAccount: number;
  readonly limit: number;
  /** Secrets keys of other processes: what was encrypted with one of these is theirs. */
  readonly leaves?: readonly string[];
}

/**
 * The subscriptions that have something to be sent, also those with something in flight, troubled ones last: of
 * each kind no more than the limit, of each account the longest waiting first, and the first of every account
 * before the second of any. However many of one kind wait, those of the other are seen.
 */
export async function listSubscriptionsWithWork(
  db: Db,
  { slowMs, perAccount, limit, leaves = [] }: WorkBounds,
): Promise<{ id: string; account: number; troubled: boolean }[]> {
  const rows = await judged(db, { slowMs, leaves })
    .with('placed', (cte) =>
      cte
        .selectFrom('judged')
        .selectAll()
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy(['account', 'troubled']).orderBy('first'))
            .as('place'),
        ),
    )
    .with('ranked', (cte) =>
      cte
        .selectFrom('placed')
        .select(['id', 'account', 'troubled'])
        .select((eb) =>
          eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('troubled').orderBy('place').orderBy('first'))
            .as('rank'),
        )
        .where('place', '<=', perAccount),
    )
    .selectFrom('ranked')
    .select(['id', 'account', 'troubled'])
    .where('rank', '<=', limit)
    .orderBy('troubled')
    .orderBy('rank')
    .execute();
  return rows.map(({ id, account, troubled }) => ({ id, account, troubled: Number(troubled) === 1 }));
}

/** What has something to be sent, each with whether it is troubled. */
function judged(db: Db, { slowMs, leaves }: { readonly slowMs: number; readonly leaves: readonly string[] }) {
  return unscoped(db)
    .with('waiting', (cte) =>
      cte
        .selectFrom('webhook_deliveries')
        .select((eb) => ['subscription_id', eb.fn.min('id').as('first')])
        .where('state', '=', 'pending')
        .groupBy('subscription_id'),
    )
    .with('judged', (cte) =>
      cte
        .selectFrom('waiting')
        .innerJoin('webhook_subscriptions as receiver', 'receiver.id', 'waiting.subscription_id')
        .select(({ eb, or }) => [
          'receiver.id',
          'receiver.customer_id as account',
          'waiting.first',
          eb
            .case()
            .when(or([eb('receiver.failure_count', '>', 0), eb('receiver.last_ms', '>=', slowMs)]))
            .then(1)
            .else(0)
            .end()
            .as('troubled'),
        ])
        .where('receiver.status', '=', 'active')
        .$if(leaves.length > 0, (query) => query.where(keyIdIn('receiver.secret'), 'not in', leaves)),
    );
}

/**
 * Claims the oldest event of a subscription, unless another one is in flight. From this commit on the event
 * has had its attempt, whatever becomes of the process.
 */
export function claimDelivery(
  db: Db,
  claim: { subscriptionId: string; owner: string; now: string },
): Promise<WebhookDeliveryRow | undefined> {
  return unscoped(db)
    .updateTable('webhook_deliveries')
    .set({ state: 'attempting', owner: claim.owner, claimed_at: claim.now })
    .where('state', '=', 'pending')
    .where('id', '=', (eb) =>
      eb
        .selectFrom('webhook_deliveries as oldest')
        .select((inner) => inner.fn.min('oldest.id').as('id'))
        .where('oldest.subscription_id', '=', claim.subscriptionId)
        .where('oldest.state', '=', 'pending'),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries as flying')
            .select('flying.id')
            .where('flying.subscription_id', '=', claim.subscriptionId)
            .where('flying.state', '=', 'attempting')
            // Somebody who tries the receiver holds up nothing.
            .where('flying.test', '=', 0),
        ),
      ),
    )
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_subscriptions')
          .select('webhook_subscriptions.id')
          .where('webhook_subscriptions.id', '=', claim.subscriptionId)
          .where('webhook_subscriptions.status', '=', 'active'),
      ),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Ends an attempt. False when it was over already. */
export async function finishDelivery(
  db: Db,
  delivery: Pick<WebhookDeliveryRow, 'id' | 'state' | 'outcome' | 'http_status' | 'finished_at'> &
    Partial<Pick<WebhookDeliveryRow, 'ms' | 'answer'>>,
): Promise<boolean> {
  const { id, ...set } = delivery;
  const { numUpdatedRows } = await unscoped(db)
    .updateTable('webhook_deliveries')
    .set(set)
    .where('id', '=', id)
    .where('state', '=', 'attempting')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export function findSubscriptionById(db: Db, id: string): Promise<WebhookSubscriptionRow | undefined> {
  return unscoped(db).selectFrom('webhook_subscriptions').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function updateSubscriptionHealth(
  db: Db,
  id: string,
  set: Pick<
    WebhookSubscriptionRow,
    'status' | 'failure_count' | 'last_success' | 'last_failure' | 'failure_reason' | 'last_ms' | 'updated_at'
  >,
): Promise<void> {
  await unscoped(db).updateTable('webhook_subscriptions').set(set).where('id', '=', id).execute();
}

/** A subscription that gets nothing more, with something that waits for it. */
interface Ended extends Pick<WebhookSubscriptionRow, 'id' | 'organization_id'> {
  /** Null where it is gone. */
  readonly status: WebhookSubscriptionRow['status'] | null;
}

/**
 * Subscriptions that ended while an event was put on its way to them: it was stored after what waited was skipped,
 * and is sent to nobody.
 */
export function listEndedWithWork(db: Db, limit: number): Promise<Ended[]> {
  return unscoped(db)
    .with('waiting', (cte) =>
      cte
        .selectFrom('webhook_deliveries')
        .select((eb) => ['subscription_id', eb.fn.min('organization_id').as('organization_id')])
        .where('state', '=', 'pending')
        .groupBy('subscription_id'),
    )
    .selectFrom('waiting')
    .leftJoin('webhook_subscriptions as receiver', 'receiver.id', 'waiting.subscription_id')
    .select(['waiting.subscription_id as id', 'waiting.organization_id', 'receiver.status'])
    .where(({ eb, or }) => or([eb('receiver.status', 'is', null), eb('receiver.status', '=', 'failed')]))
    .limit(limit)
    .execute();
}

/** What a subscription that failed or is gone will not be sent any more. */
export function skipDeliveries(
  db: Db,
  { id: subscriptionId, organization_id }: Pick<WebhookSubscriptionRow, 'id' | 'organization_id'>,
  end: { outcome: string; now: string },
): Promise<void> {
  const due = (limit: number) =>
    unscoped(db)
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('subscription_id', '=', subscriptionId)
      .where('state', '=', 'pending')
      .limit(limit)
      .execute();
  return skipInSteps(db, makeTenant(organization_id), { ...end, due });
}

/**
 * Attempts whose process is no longer alive, and those claimed before `overdue` by whomever: a process that
 * lives may have failed to write how one ended. They had their one attempt.
 */
export function listInterruptedDeliveries(db: Db, overdue: string): Promise<WebhookDeliveryRow[]> {
  return unscoped(db)
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('state', '=', 'attempting')
    .where((eb) =>
      eb.or([
        eb('owner', 'not in', eb.selectFrom('processes').select('processes.id')),
        eb('claimed_at', '<', overdue),
      ]),
    )
    .orderBy('id')
    .execute();
}
