import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Db } from '../../store/engine/db.ts';
import { makeScope, type Scope } from '../../store/engine/scope.ts';
import {
  insertEvent,
  listEventsAfter,
  PLACED_AT_ONCE,
  placeEvents,
  STREAM_BEGIN,
} from '../../store/events.ts';
import { SKIPPED_AT_ONCE } from '../../store/skipped-deliveries.ts';
import { skipDeliveries } from '../../store/unscoped/webhook-deliveries.ts';
import { skipBeyondGrants } from '../../store/webhook-reach.ts';
import {
  deleteSubscription,
  deleteSubscriptionsMadeBy,
  deleteSubscriptionsOf,
} from '../../store/webhooks.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const NOW = '2026-12-01T09:00:00.000Z';
const MANY = SKIPPED_AT_ONCE * 2 + 7;
const HOLDER = 'user:77';

let server: TestServer;
let buyer: Person;
let scope: Scope;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  buyer = await newPerson(server);
  ({ id } = await subscribe(buyer, 'https://receiver.example/hook', { eventTypes: ['media_buy.updated'] }));
  scope = makeScope({ organizationId: buyer.organizationId, customerId: buyer.accounts.BUYER ?? 0 });
});

/** The rows that each statement wrote. */
async function written(work: (tx: Db) => Promise<unknown>): Promise<number[]> {
  const counts: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (result.numAffectedRows !== undefined) counts.push(Number(result.numAffectedRows));
      return result;
    },
  };
  await server.store.transaction((tx) => work(tx.withPlugin(counting)));
  return counts;
}

async function deliveriesWait(): Promise<void> {
  const row = {
    organization_id: buyer.organizationId,
    subscription_id: id,
    event_type: 'media_buy.updated' as const,
    session_id: '',
    revision: 0,
    state: 'pending' as const,
    created_at: NOW,
  };
  const rows = Array.from({ length: MANY }, () => row);
  for (let from = 0; from < rows.length; from += 200) {
    await server.store.db
      .insertInto('webhook_deliveries')
      .values(rows.slice(from, from + 200))
      .execute();
  }
}

/** One that failed as well: the service itself sends nothing of it meanwhile. */
async function heldBy(set: { principal: string; holder: string }): Promise<void> {
  await server.store.db
    .updateTable('webhook_subscriptions')
    .set({ ...set, status: 'failed' })
    .where('organization_id', '=', buyer.organizationId)
    .where('id', '=', id)
    .execute();
}

async function narrowed(): Promise<void> {
  const advertiser_id = Number(await newAdvertiser(buyer));
  const grant = { organization_id: buyer.organizationId, holder: HOLDER, customer_id: null, advertiser_id };
  await server.store.db
    .insertInto('grants')
    .values({ ...grant, created_at: NOW })
    .execute();
}

async function pending(): Promise<number> {
  const { count } = await server.store.db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('organization_id', '=', buyer.organizationId)
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow();
  return Number(count);
}

const SKIPS: Readonly<Record<string, (tx: Db) => Promise<unknown>>> = {
  'is deleted': (tx) => deleteSubscription(tx, scope, { id, now: NOW }),
  'goes with its maker': (tx) => deleteSubscriptionsMadeBy(tx, scope, { principal: 'agent:1', now: NOW }),
  'goes with its holder': (tx) => deleteSubscriptionsOf(tx, scope, { holder: HOLDER, now: NOW }),
  'is narrowed': (tx) => skipBeyondGrants(tx, scope, { holder: HOLDER, now: NOW }),
};

test.each(Object.entries(SKIPS))(
  'however much waits for a subscription that %s, no statement skips more than a step of it',
  async (_what, skip) => {
    await heldBy({ principal: 'agent:1', holder: HOLDER });
    await narrowed();
    await deliveriesWait();

    const counts = await written(skip);

    expect(counts.filter((count) => count > 1)).toEqual([SKIPPED_AT_ONCE, SKIPPED_AT_ONCE, 7]);
    expect(await pending()).toBe(0);
  },
);

test('all of what waits for a subscription that failed is skipped', async () => {
  await heldBy({ principal: 'agent:1', holder: HOLDER });
  await deliveriesWait();

  await server.store.transaction((tx) =>
    skipDeliveries(
      tx,
      { id, organization_id: scope.organizationId },
      { outcome: 'subscription_failed', now: NOW },
    ),
  );

  expect(await pending()).toBe(0);
});

test('however many events nobody has read, no statement places more than a step of them, and all keep their order', async () => {
  const advertiser_id = Number(await newAdvertiser(buyer));
  const many = PLACED_AT_ONCE + 3;
  const event = { advertiser_id, event_type: 'media_buy.updated' as const, payload: '{}', created_at: NOW };
  await server.store.transaction(async (tx) => {
    for (let number = 1; number <= many; number += 1) {
      await insertEvent(tx, scope, { ...event, id: `evt_${buyer.organizationId}_${number}` });
    }
  });

  const steps = [
    await written((tx) => placeEvents(tx, scope)),
    await written((tx) => placeEvents(tx, scope)),
  ];

  expect(steps.map((counts) => counts.filter((count) => count > 1))).toEqual([[PLACED_AT_ONCE], [3]]);
  const rows = await listEventsAfter(server.store.db, scope, { after: STREAM_BEGIN, limit: many + 1 });
  expect(rows.map((row) => row.id.split('_').at(-1))).toEqual(
    Array.from({ length: many }, (_, index) => String(index + 1)),
  );
});
