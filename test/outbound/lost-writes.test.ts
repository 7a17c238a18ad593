import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { recover } from '../../adapters/process/recovery.ts';
import { asSealed, type Sealed } from '../../store/engine/codec.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { FailingWrites } from '../support/database/failing-writes.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { discover, draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, done, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { subscribe, subscriptionOf, subscriptionWhen } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const MINUTE_MS = 60_000;
/** Ten failures in a row end a subscription. */
const MORE_THAN_END_ONE = 11;

describe('a process that lives on after a write of it failed', () => {
  const writes = new FailingWrites();
  let server: TestServer;
  let clock: SkippingClock;
  let authority: Authority;
  let far: SellerAgent;
  let place: { storefrontId: string; agentId: string };
  let embedded: string;
  let person: Person;
  let advertiserId: string;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    clock = skippingClock();
    authority = await newAuthority();
    server = await startTestServer({
      clock,
      store: { plugins: [new ScopeGuard(), writes] },
      settings: {
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        OUTBOUND_CA_FILE: authority.file,
      },
    });
    far = await startSellerAgent([adcpProduct('far-1')]);
    place = await connectAgent(await newPerson(server), far.url);
    embedded = (await openStorefront(await newPerson(server))).storefrontId;
    person = await newPerson(server);
    advertiserId = await newAdvertiser(person);
  });
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));
  afterAll(async () => {
    await server.stop();
    await far.stop();
    authority.remove();
  });

  describe('of the answer to an order', () => {
    const execute = (campaignId: string) => person.post(`/buyer/campaigns/${campaignId}/execute`);
    const ordersSince = (start: number) =>
      far.calls.slice(start).filter(({ tool }) => tool === 'create_media_buy');
    const buyOf = (campaignId: string) =>
      server.store.db
        .selectFrom('media_buys')
        .select(['id', 'submission', 'status', 'version', 'source_message'])
        .where('organization_id', '=', person.organizationId)
        .where('campaign_id', '=', campaignId)
        .executeTakeFirstOrThrow();

    /** A campaign whose seller has taken the order, which nobody here knows. */
    async function lostAnswer() {
      const campaignId = await draftOf(person, { ...place, advertiserId, productId: 'far-1' });
      const start = far.calls.length;
      const failed = writes.failNext();
      const { status, body } = await execute(campaignId);
      await failed;
      expect(status).toBe(200);
      expect(body.data.errors).toMatchObject([{ message: expect.stringContaining('could not be stored') }]);
      return { campaignId, start };
    }

    /** The buy once its order is not on its way any more. */
    async function settled(campaignId: string) {
      for (;;) {
        const buy = await buyOf(campaignId);
        if (buy.submission !== 'sending') return buy;
        await person.get(`/buyer/campaigns/${campaignId}`);
      }
    }

    test('sends it again under its key once it is overdue, and the buy is there', async () => {
      const before = far.buys.size;
      const { campaignId, start } = await lostAnswer();
      expect(await buyOf(campaignId)).toMatchObject({ submission: 'sending', status: 'DRAFT' });

      clock.skip(3 * MINUTE_MS);
      const buy = await settled(campaignId);

      expect(buy).toMatchObject({ submission: 'answered', status: 'ACTIVE' });
      expect(far.buys.size).toBe(before + 1);
      const [first, second, ...more] = ordersSince(start).map(({ args }) => args);
      expect(second).toEqual(first);
      expect(more).toEqual([]);
      const { logs } = done(await person.get(`/buyer/audit-logs?resourceId=${buy.id}&take=10`));
      expect(logs).toHaveLength(1);
    });

    test('leaves an order alone that may still be on its way', async () => {
      const { campaignId, start } = await lostAnswer();
      const before = await buyOf(campaignId);

      clock.skip(MINUTE_MS);
      await recover(server.running.app.services);

      expect(await buyOf(campaignId)).toEqual(before);
      expect(ordersSince(start)).toHaveLength(1);
      // Later it is due, and out of the way of the next test.
      clock.skip(2 * MINUTE_MS);
      expect(await settled(campaignId)).toMatchObject({ submission: 'answered' });
    });

    test('tries again later when the write of the repeat fails too', async () => {
      const { campaignId, start } = await lostAnswer();
      const failedAgain = gate();
      far.on('create_media_buy', (args) => {
        // The repeat is claimed by now: the next change is its end.
        if (ordersSince(start).length === 2) void writes.failNext().then(failedAgain.open);
        return { media_buy_id: String(args['idempotency_key']), status: 'active', packages: [] };
      });
      clock.skip(3 * MINUTE_MS);
      await failedAgain.passed;

      clock.skip(3 * MINUTE_MS);
      await recover(server.running.app.services);
      const buy = await settled(campaignId);

      expect(buy).toMatchObject({ submission: 'answered', status: 'ACTIVE' });
      const keys = ordersSince(start).map(({ args }) => args['idempotency_key']);
      expect(keys).toHaveLength(3);
      expect(new Set(keys).size).toBe(1);
    });
  });

  describe('of the end of a webhook', () => {
    async function subscribed() {
      const hook = await startReceiver(authority);
      receivers.push(hook);
      return { hook, id: (await subscribe(person, hook.url)).id };
    }
    const event = () => discover(person, advertiserId, [embedded]);
    const rowsOf = (id: string) =>
      server.store.db
        .selectFrom('webhook_deliveries')
        .select(['id', 'state', 'outcome'])
        .where('organization_id', '=', person.organizationId)
        .where('subscription_id', '=', id)
        .orderBy('id')
        .execute();

    /** The first event as it is when its end could not be written. */
    async function leaveOpen(id: string): Promise<void> {
      await server.store.db
        .updateTable('webhook_deliveries')
        .set({ state: 'attempting', outcome: null, http_status: null, finished_at: null })
        .where('organization_id', '=', person.organizationId)
        .where('subscription_id', '=', id)
        .execute();
    }

    test('ends it as interrupted once it is overdue, and sends what waits behind it', async () => {
      const { hook, id } = await subscribed();
      await event();
      await subscriptionWhen(person, id, ({ lastSuccess }) => lastSuccess !== null);
      await leaveOpen(id);
      await event();
      await recover(server.running.app.services);
      expect(await rowsOf(id)).toMatchObject([{ state: 'attempting' }, { state: 'pending' }]);

      clock.skip(2 * MINUTE_MS);
      await hook.received(2);
      const subscription = await subscriptionWhen(person, id, ({ lastFailure }) => lastFailure !== null);

      expect(subscription.status).toBe('active');
      expect((await rowsOf(id))[0]).toMatchObject({ state: 'failed', outcome: 'interrupted' });
      const told = hook.deliveries.map(({ payload }) => payload.discoveryId);
      expect(new Set(told).size).toBe(2);
    });
  });

  describe('that cannot open the secret of a subscription', () => {
    test('passes over any number of events, counts none against the receiver and sends the next', async () => {
      const hook = await startReceiver(authority);
      receivers.push(hook);
      const { id } = await subscribe(person, hook.url);
      const { db } = server.store;
      const mine = () =>
        db
          .selectFrom('webhook_subscriptions')
          .select('secret')
          .where('organization_id', '=', person.organizationId)
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
      const { secret } = await mine();
      const put = (text: Sealed) =>
        db
          .updateTable('webhook_subscriptions')
          .set({ secret: text })
          .where('organization_id', '=', person.organizationId)
          .where('id', '=', id)
          .execute();
      const rowsOf = () =>
        db
          .selectFrom('webhook_deliveries')
          .select(['state', 'outcome', 'finished_at'])
          .where('organization_id', '=', person.organizationId)
          .where('subscription_id', '=', id)
          .orderBy('id')
          .execute();
      await put(asSealed('v1.of another key'));

      for (let event = 0; event < MORE_THAN_END_ONE; event++)
        await discover(person, advertiserId, [embedded]);
      while ((await rowsOf()).some(({ finished_at }) => finished_at === null));
      const before = await subscriptionOf(person, id);
      await put(secret);
      await discover(person, advertiserId, [embedded]);
      await hook.received(1);
      const taken = await subscriptionWhen(person, id, ({ lastSuccess }) => lastSuccess !== null);

      const untouched = { status: 'active', failureCount: 0, lastFailure: null };
      expect(before).toMatchObject({ ...untouched, lastSuccess: null });
      expect(taken).toMatchObject(untouched);
      expect(hook.deliveries).toHaveLength(1);
      const told = (await rowsOf()).map(({ state, outcome }) => ({ state, outcome }));
      expect(told).toEqual([
        ...Array.from({ length: MORE_THAN_END_ONE }, () => ({
          state: 'skipped',
          outcome: 'secret_not_opened',
        })),
        { state: 'delivered', outcome: null },
      ]);
    });
  });
});
