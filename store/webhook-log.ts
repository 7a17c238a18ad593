import { sql } from 'kysely';
import type { Db } from './engine/db.ts';
import { type Counted, counted, type Page } from './engine/paging.ts';
import type { Scope } from './engine/scope.ts';
import { inOrganization, ofOrganization } from './engine/scoped.ts';
import { TEST_EVENT, type WebhookDeliveryRow } from './webhooks.ts';

interface Trial {
  readonly subscriptionId: string;
  /** The process that makes the attempt. */
  readonly owner: string;
  /** What its payload is called. */
  readonly told: string;
  readonly now: string;
}

/**
 * Stores that a receiver is tried, before its socket opens. Undefined while another trial of it is under way; to be
 * asked where the account is held.
 */
export async function insertTrial(
  tx: Db,
  scope: Scope,
  { subscriptionId, owner, told, now }: Trial,
): Promise<WebhookDeliveryRow | undefined> {
  const underWay = await tx
    .selectFrom('webhook_deliveries')
    .select('id')
    .$call(inOrganization(scope))
    .where('subscription_id', '=', subscriptionId)
    .where('state', '=', 'attempting')
    .where('test', '=', 1)
    .limit(1)
    .executeTakeFirst();
  if (underWay !== undefined) return undefined;
  const about = {
    subscription_id: subscriptionId,
    event_type: TEST_EVENT,
    session_id: '',
    revision: 0,
    told,
  } as const;
  const begun = { state: 'attempting', test: 1, owner, created_at: now, claimed_at: now } as const;
  return tx
    .insertInto('webhook_deliveries')
    .values(ofOrganization(scope, { ...about, ...begun }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Ends a trial; undefined when it was over already, because it took too long. */
export function endTrial(
  db: Db,
  scope: Scope,
  {
    id,
    ...set
  }: Pick<WebhookDeliveryRow, 'id' | 'state' | 'outcome' | 'http_status' | 'finished_at' | 'ms' | 'answer'>,
): Promise<WebhookDeliveryRow | undefined> {
  return db
    .updateTable('webhook_deliveries')
    .set(set)
    .$call(inOrganization(scope))
    .where('id', '=', id)
    .where('state', '=', 'attempting')
    .returningAll()
    .executeTakeFirst();
}

interface Asked {
  readonly subscriptionId: string;
  /** Undefined for all. */
  readonly state?: WebhookDeliveryRow['state'] | undefined;
  readonly page: Page;
}

/** Deliveries that nobody heard of; the two words stand in the index, and the planner wants to read them. */
const UNHEARD: readonly WebhookDeliveryRow['state'][] = ['failed', 'skipped'];
const unheard = UNHEARD.map((state) => sql.lit(state));

/**
 * The deliveries of a subscription, newest first. Served by `webhook_deliveries_log`, and those that nobody heard of by
 * `webhook_deliveries_log_unheard`.
 */
export function listDeliveries(
  db: Db,
  scope: Scope,
  { subscriptionId, state, page }: Asked,
): Promise<Counted<WebhookDeliveryRow>> {
  const found = db
    .selectFrom('webhook_deliveries')
    .$call(inOrganization(scope))
    .where('subscription_id', '=', subscriptionId)
    .$if(state !== undefined, (query) => query.where('state', '=', state ?? 'pending'))
    .$if(state !== undefined && UNHEARD.includes(state), (query) => query.where('state', 'in', unheard));
  return counted(db, { asker: scope, rows: found.selectAll().orderBy('id', 'desc'), found }, page);
}
