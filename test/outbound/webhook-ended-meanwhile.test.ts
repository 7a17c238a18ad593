import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordOutcome } from '../../adapters/webhooks/outcome.ts';
import { makeScope } from '../../store/engine/scope.ts';
import { insertDeliveries } from '../../store/webhook-due.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { engine } from '../support/database/database.ts';
import { lookUntil } from '../support/run/looking.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const MINUTE_MS = 60_000;

// Where one writes at a time nothing is stored meanwhile.
describe.runIf(engine === 'postgres')('an event that is stored while its subscription', () => {
  let server: TestServer;
  let clock: SkippingClock;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({ clock });
  });
  afterAll(() => server.stop());

  const subscriptionRow = (person: Person, id: string) =>
    server.store.db
      .selectFrom('webhook_subscriptions')
      .selectAll()
      .where('organization_id', '=', person.organizationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
  const deliveriesOf = (person: Person) =>
    server.store.db
      .selectFrom('webhook_deliveries')
      .select(['state', 'outcome', 'told'])
      .where('organization_id', '=', person.organizationId)
      .where('told', '=', 'evt_late')
      .execute();

  async function fails(person: Person, id: string): Promise<void> {
    const { db } = server.store;
    await db
      .updateTable('webhook_subscriptions')
      .set({ failure_count: 9 })
      .where('organization_id', '=', person.organizationId)
      .where('id', '=', id)
      .execute();
    const about = {
      organization_id: person.organizationId,
      subscription_id: id,
      session_id: '',
      revision: 0,
    };
    const begun = { event_type: 'media_buy.updated', state: 'attempting', told: 'evt_last' } as const;
    const created_at = new Date(clock.now()).toISOString();
    const owner = server.running.app.services.processId;
    const delivery = await db
      .insertInto('webhook_deliveries')
      .values({ ...about, ...begun, owner, created_at, claimed_at: created_at })
      .returningAll()
      .executeTakeFirstOrThrow();
    const outcome = { ok: false, status: 500, reason: 'http_500', ms: 1 } as const;
    await recordOutcome(server.running.app.services, delivery, outcome);
  }
  const isDeleted = async (person: Person, id: string) => {
    done(await person.delete(`/buyer/webhook-subscriptions/${id}`));
  };

  test.each([
    ['is deleted', isDeleted, 'subscription_deleted'],
    ['fails for good', fails, 'subscription_failed'],
  ])('%s is skipped, and waits for nobody', async (_, ends, outcome) => {
    const person = await newPerson(server);
    const advertiser_id = Number(await newAdvertiser(person));
    const { id } = await subscribe(person, 'https://receiver.example/hook', {
      eventTypes: ['media_buy.updated'],
    });
    const { customer_id: customerId } = await subscriptionRow(person, id);
    const scope = makeScope({ organizationId: person.organizationId, customerId });

    await server.store.transaction(async (tx) => {
      const created_at = new Date(clock.now()).toISOString();
      const about = { event_type: 'media_buy.updated', session_id: '', revision: 0 } as const;
      await insertDeliveries(tx, scope, { ...about, advertiser_id, told: 'evt_late', created_at });
      await ends(person, id);
    });
    expect(await deliveriesOf(person)).toHaveLength(1);
    clock.skip(MINUTE_MS);

    const [late] = await lookUntil(
      () => deliveriesOf(person),
      (rows) => rows.every(({ state }) => state !== 'pending'),
    );
    expect(late).toMatchObject({ state: 'skipped', outcome });
  });
});
