import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { guardAddresses } from '../../adapters/net/address-guard.ts';
import { blockListOf } from '../../adapters/net/addresses.ts';
import { sendWebhook } from '../../adapters/webhooks/request.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { discover } from '../support/sellers/discovery.ts';
import { newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { listen } from '../support/sellers/seller-agent.ts';
import { SECRET, subscribe, subscriptionWhen } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const WEBHOOK_TIMEOUT_MS = 15_000;
const FAILURES_BEFORE_FAILED = 10;

describe('a webhook that is not taken', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let authority: Authority;
  let embedded: string;
  let person: Person;
  let advertiserId: string;
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    clock = skippingClock();
    authority = await newAuthority();
    server = await startTestServer({
      clock,
      settings: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8', OUTBOUND_CA_FILE: authority.file },
    });
    embedded = (await openStorefront(await newPerson(server))).storefrontId;
  });
  beforeEach(async () => {
    person = await newPerson(server);
    advertiserId = await newAdvertiser(person);
  });
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));
  afterAll(async () => {
    await server.stop();
    authority.remove();
  });

  async function receiver(answer: (res: ServerResponse) => void, from = authority): Promise<Receiver> {
    const made = await startReceiver(from);
    receivers.push(made);
    made.answers(answer);
    return made;
  }

  const event = () => discover(person, advertiserId, [embedded]);

  function rowsOf(id: string) {
    return server.store.db
      .selectFrom('webhook_deliveries')
      .select(['state', 'outcome', 'http_status'])
      .where('organization_id', '=', person.organizationId)
      .where('subscription_id', '=', id)
      .orderBy('id')
      .execute();
  }

  /** A subscription to this address, after one event has failed. */
  async function failedAt(url: string) {
    const { id } = await subscribe(person, url);
    await event();
    const subscription = await subscriptionWhen(person, id, ({ failureCount }) => failureCount > 0);
    return { subscription, rows: await rowsOf(id) };
  }

  describe('is a failure, and is not sent again', () => {
    test.each([400, 401, 404, 410, 429, 500, 503])('when the receiver answers %i', async (status) => {
      const hook = await receiver((res) => res.writeHead(status, { 'retry-after': '0' }).end());

      const { subscription, rows } = await failedAt(hook.url);
      hook.answers((res) => res.writeHead(204).end());
      await event();
      await hook.received(2);

      expect(subscription).toMatchObject({ status: 'active', failureCount: 1, lastSuccess: null });
      expect(subscription.lastFailureReason).toBe(`http_${status}`);
      expect(subscription.lastFailure).not.toBeNull();
      expect(rows).toEqual([{ state: 'failed', outcome: `http_${status}`, http_status: status }]);
      const sessions = hook.deliveries.map(({ payload }) => payload.discoveryId);
      expect(new Set(sessions).size).toBe(2);
    });

    test.each([301, 302, 307, 308])(
      'when it is redirected with %i, and nobody goes there',
      async (status) => {
        const elsewhere = await receiver((res) => res.writeHead(204).end());
        const hook = await receiver((res) => res.writeHead(status, { location: elsewhere.url }).end());

        const { rows } = await failedAt(hook.url);

        expect(rows).toEqual([{ state: 'failed', outcome: `http_${status}`, http_status: status }]);
        expect(hook.deliveries).toHaveLength(1);
        expect(elsewhere.deliveries).toEqual([]);
      },
    );

    test('when the receiver does not answer in time', async () => {
      const hook = await receiver(() => {});
      const { id } = await subscribe(person, hook.url);
      await event();
      await hook.received(1);

      clock.skip(WEBHOOK_TIMEOUT_MS);

      await subscriptionWhen(person, id, ({ failureCount }) => failureCount === 1);
      expect(await rowsOf(id)).toEqual([{ state: 'failed', outcome: 'timeout', http_status: null }]);
      expect(hook.deliveries).toHaveLength(1);
    });

    test('when the receiver cuts the connection after reading it', async () => {
      const hook = await receiver((res) => res.socket?.destroy());

      const { rows } = await failedAt(hook.url);

      expect(rows).toEqual([{ state: 'failed', outcome: 'econnreset', http_status: null }]);
      expect(hook.deliveries).toHaveLength(1);
    });

    test('when nobody listens there', async () => {
      const hook = await receiver(() => {});
      await hook.stop();

      const { rows } = await failedAt(hook.url);

      expect(rows).toEqual([{ state: 'failed', outcome: 'econnrefused', http_status: null }]);
    });

    test('when the certificate is of somebody else', async () => {
      const stranger = await newAuthority();
      const hook = await receiver((res) => res.writeHead(204).end(), stranger);

      const { rows } = await failedAt(hook.url);

      stranger.remove();
      expect(rows[0]?.state).toBe('failed');
      expect(rows[0]?.outcome).toMatch(/cert|self_signed|signature/);
      expect(hook.deliveries).toEqual([]);
    });

    test('when the receiver does not speak TLS', async () => {
      const plain = await listen((_req, res) => res.end());

      const { rows } = await failedAt(plain.url.replace('http:', 'https:'));

      await plain.stop();
      expect(rows[0]).toMatchObject({ state: 'failed', http_status: null });
    });

    test.each(['https://10.1.2.3/hook', 'https://[fd00::1]/hook', 'https://169.254.169.254/hook'])(
      'when its address is private: %s',
      async (url) => {
        const hook = await receiver(() => {});
        const { id } = await subscribe(person, hook.url);
        // Open when it was registered: the settings have changed since, or the rules.
        await server.store.db
          .updateTable('webhook_subscriptions')
          .set({ url })
          .where('organization_id', '=', person.organizationId)
          .where('id', '=', id)
          .execute();
        await event();

        const { lastFailureReason } = await subscriptionWhen(person, id, (one) => one.failureCount > 0);

        expect(lastFailureReason).toBe('blocked_address');
        expect(await rowsOf(id)).toEqual([
          { state: 'failed', outcome: 'blocked_address', http_status: null },
        ]);
      },
    );
  });

  test('to a name that stands for a private address goes nowhere', async () => {
    const hook = await receiver((res) => res.writeHead(204).end());
    const url = hook.url.replace('127.0.0.1', 'localhost');
    const message = { url, secret: SECRET, body: '{}', deliveryId: '1' };
    const way = { clock, ca: authority.certificate, timeoutMs: 5_000, signal: new AbortController().signal };

    const refused = await sendWebhook(message, { ...way, guard: guardAddresses(blockListOf([])) });
    const allowed = guardAddresses(blockListOf(['127.0.0.0/8', '::1/128']));
    const taken = await sendWebhook(message, { ...way, guard: allowed });

    expect(refused).toEqual({ ok: false, status: null, reason: 'blocked_address' });
    expect(taken).toEqual({ ok: true, status: 204 });
    expect(hook.deliveries).toHaveLength(1);
  });

  test('spares a receiver it knows half of a handshake, under the authority that vouched for it alone', async () => {
    const hook = await receiver((res) => res.writeHead(204).end());
    const stranger = await newAuthority();
    const message = { url: hook.url, secret: SECRET, body: '{}', deliveryId: '1' };
    const guard = guardAddresses(blockListOf(['127.0.0.0/8']));
    const way = { clock, guard, timeoutMs: 5_000, signal: new AbortController().signal };
    const ca = authority.certificate;

    for (let time = 0; time < 2; time += 1) await sendWebhook(message, { ...way, ca });
    const refused = await sendWebhook(message, { ...way, ca: stranger.certificate });
    await sendWebhook(message, { ...way, ca });

    stranger.remove();
    expect(refused).toMatchObject({ ok: false, status: null });
    expect(hook.deliveries.map(({ resumed }) => resumed)).toEqual([false, true, false]);
  });

  test('never goes over plain http, whatever is allowed', async () => {
    const visits: string[] = [];
    const plain = await listen((req, res) => {
      visits.push(req.url ?? '');
      res.end();
    });
    const guard = guardAddresses(blockListOf(['127.0.0.0/8']));
    const message = { url: plain.url, secret: SECRET, body: '{}', deliveryId: '1' };

    const outcome = await sendWebhook(message, {
      guard,
      clock,
      ca: undefined,
      timeoutMs: 5_000,
      signal: new AbortController().signal,
    });

    await plain.stop();
    expect(outcome).toEqual({ ok: false, status: null, reason: 'not_https' });
    expect(visits).toEqual([]);
  });

  describe('unlike one that is taken', () => {
    test.each([200, 201, 202, 204, 299])('with %i', async (status) => {
      const hook = await receiver((res) => res.writeHead(status).end());
      const { id } = await subscribe(person, hook.url);

      await event();
      const subscription = await subscriptionWhen(person, id, ({ lastSuccess }) => lastSuccess !== null);

      expect(subscription).toMatchObject({ status: 'active', failureCount: 0, lastFailure: null });
      expect(await rowsOf(id)).toEqual([{ state: 'delivered', outcome: null, http_status: status }]);
    });

    test('by a receiver that never stops talking, who is not listened to', async () => {
      const cut = gate();
      const hook = await receiver((res) => {
        res.on('close', cut.open);
        res.writeHead(200);
        const pour = () => {
          while (!res.destroyed && res.write('x'.repeat(65_536)));
        };
        res.on('drain', pour);
        pour();
      });
      const { id } = await subscribe(person, hook.url);

      await event();
      await cut.passed;
      await subscriptionWhen(person, id, ({ lastSuccess }) => lastSuccess !== null);

      expect(await rowsOf(id)).toEqual([{ state: 'delivered', outcome: null, http_status: 200 }]);
    });
  });

  describe('ten times in a row', () => {
    async function failTimes(id: string, hook: Receiver, times: number): Promise<void> {
      const before = hook.deliveries.length;
      for (let round = 1; round <= times; round += 1) {
        await event();
        await hook.received(before + round);
      }
      await subscriptionWhen(person, id, ({ failureCount }) => failureCount === times);
    }

    test('ends the subscription, which gets nothing from then on', async () => {
      const hook = await receiver((res) => res.writeHead(500).end());
      const witness = await receiver((res) => res.writeHead(204).end());
      const { id } = await subscribe(person, hook.url);
      await failTimes(id, hook, FAILURES_BEFORE_FAILED - 1);
      const before = await subscriptionWhen(person, id, () => true);
      expect(before.status).toBe('active');

      await event();
      const after = await subscriptionWhen(person, id, ({ failureCount }) => failureCount === 10);
      hook.answers((res) => res.writeHead(204).end());
      await subscribe(person, witness.url);
      await event();
      await witness.received(1);

      expect(after.status).toBe('failed');
      expect(hook.deliveries).toHaveLength(FAILURES_BEFORE_FAILED);
      expect(await rowsOf(id)).toHaveLength(FAILURES_BEFORE_FAILED);
    });

    test('skips what was still waiting for it', async () => {
      const held = gate();
      const hook = await receiver((res) => res.writeHead(500).end());
      const { id } = await subscribe(person, hook.url);
      await failTimes(id, hook, FAILURES_BEFORE_FAILED - 1);
      hook.answers((res) => void held.passed.then(() => res.writeHead(500).end()));
      await event();
      await hook.received(FAILURES_BEFORE_FAILED);
      await event();
      await event();

      held.open();
      await subscriptionWhen(person, id, ({ status }) => status === 'failed');

      const rows = await rowsOf(id);
      expect(rows.slice(-2)).toEqual([
        { state: 'skipped', outcome: 'subscription_failed', http_status: null },
        { state: 'skipped', outcome: 'subscription_failed', http_status: null },
      ]);
      expect(hook.deliveries).toHaveLength(FAILURES_BEFORE_FAILED);
    });

    test('with a success in between does not: it begins to count anew', async () => {
      const hook = await receiver((res) => res.writeHead(500).end());
      const { id } = await subscribe(person, hook.url);
      await failTimes(id, hook, FAILURES_BEFORE_FAILED - 1);
      hook.answers((res) => res.writeHead(204).end());
      await event();
      await subscriptionWhen(person, id, ({ failureCount }) => failureCount === 0);
      hook.answers((res) => res.writeHead(500).end());

      await failTimes(id, hook, FAILURES_BEFORE_FAILED - 1);

      const subscription = await subscriptionWhen(person, id, () => true);
      expect(subscription).toMatchObject({ status: 'active', failureCount: 9 });
      expect(subscription.lastSuccess).not.toBeNull();
    });
  });
});
