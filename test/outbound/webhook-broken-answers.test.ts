import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { discover } from '../support/sellers/discovery.ts';
import { newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { subscribe, subscriptionWhen } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** No attempt ends by itself while a test runs. */
const WEBHOOK_TIMEOUT_MS = 600_000;
const BODY_WAIT_MS = 1_000;

describe('a receiver of webhooks whose answer is no ordinary one', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let authority: Authority;
  let embedded: string;
  let person: Person;
  let advertiserId: string;
  const opened: (() => void)[] = [];

  beforeAll(async () => {
    authority = await newAuthority();
  });
  beforeEach(async () => {
    clock = skippingClock();
    server = await startTestServer({
      clock,
      settings: {
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        OUTBOUND_CA_FILE: authority.file,
        // One attempt at a time: one that never ended would hold up every other.
        WEBHOOKS_AT_ONCE: '1',
        WEBHOOK_TIMEOUT_MS: String(WEBHOOK_TIMEOUT_MS),
      },
    });
    embedded = (await openStorefront(await newPerson(server))).storefrontId;
    person = await newPerson(server);
    advertiserId = await newAdvertiser(person);
  });
  afterEach(async () => {
    await server.stop();
    for (const close of opened.splice(0)) close();
  });
  afterAll(() => authority.remove());

  /** Says these bytes to whatever comes, and leaves the connection open. */
  async function rawReceiver(says: string) {
    const sockets = new Set<Socket>();
    const heard = gate();
    const hungUp = gate();
    const raw = createServer({ key: authority.key, cert: authority.certificate }, (socket) => {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', hungUp.open);
      socket.once('data', () => socket.write(says, heard.open));
    });
    raw.listen(0, '127.0.0.1');
    await once(raw, 'listening');
    opened.push(() => {
      for (const socket of sockets) socket.destroy();
      raw.close();
    });
    const { port } = raw.address() as AddressInfo;
    return { url: `https://127.0.0.1:${port}/hook`, heard: heard.passed, hungUp: hungUp.passed };
  }

  function rowsOf(id: string) {
    return server.store.db
      .selectFrom('webhook_deliveries')
      .select(['state', 'outcome', 'http_status'])
      .where('organization_id', '=', person.organizationId)
      .where('subscription_id', '=', id)
      .orderBy('id')
      .execute();
  }

  const event = () => discover(person, advertiserId, [embedded]);

  test('that switches protocols has failed, is hung up on, and holds up neither the next event nor the end', async () => {
    const raw = await rawReceiver(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    );
    const { id } = await subscribe(person, raw.url);

    await event();
    await raw.hungUp;
    await event();
    await subscriptionWhen(person, id, ({ failureCount }) => failureCount === 2);
    const rows = await rowsOf(id);
    await server.running.stop();

    const failed = { state: 'failed', outcome: 'http_101', http_status: 101 };
    expect(rows).toEqual([failed, failed]);
  });

  test.each([
    ['switches protocols and names none', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
    ['has it waiting without end', 'HTTP/1.1 102 Processing\r\n\r\n'],
    ['begins a line and does not end it', 'HTTP/1.1 2'],
  ])('that %s has failed when the time is over at the latest', async (_what, says) => {
    const raw = await rawReceiver(says);
    const { id } = await subscribe(person, raw.url);
    await event();
    await raw.heard;

    clock.skip(WEBHOOK_TIMEOUT_MS);
    await raw.hungUp;
    await subscriptionWhen(person, id, ({ failureCount }) => failureCount === 1);

    expect(await rowsOf(id)).toMatchObject([{ state: 'failed' }]);
  });

  test('that says 200 and never ends its words has taken the event, and soon makes room for the next', async () => {
    const raw = await rawReceiver('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nGood');
    const { id } = await subscribe(person, raw.url);
    await event();
    await raw.heard;

    // What was written to the socket is read before the answers to later calls are.
    for (let round = 0; round < 5; round += 1) await person.get('/buyer/webhook-subscriptions');
    clock.skip(BODY_WAIT_MS);
    await subscriptionWhen(person, id, ({ lastSuccess }) => lastSuccess !== null);

    expect(await rowsOf(id)).toEqual([{ state: 'delivered', outcome: null, http_status: 200 }]);
  });
});
