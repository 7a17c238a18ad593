import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { discover } from '../support/sellers/discovery.ts';
import { done, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { SECRET, subscribe, subscriptionWhen } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const EVENTS = ['discovery.revision'];
const SUBSCRIPTIONS_MAX = 50;
const AT_ONCE = 6;
const PER_ACCOUNT = 2;

describe('one account', () => {
  let server: TestServer;
  let authority: Authority;
  let hole: Receiver;
  let healthy: Receiver;
  let embedded: string;
  beforeAll(async () => {
    authority = await newAuthority();
    [hole, healthy] = [await startReceiver(authority), await startReceiver(authority)];
    // Takes every event and says nothing.
    hole.answers(() => {});
    server = await startTestServer({
      settings: {
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
        OUTBOUND_CA_FILE: authority.file,
        WEBHOOKS_AT_ONCE: String(AT_ONCE),
        WEBHOOKS_PER_ACCOUNT: String(PER_ACCOUNT),
        // No attempt ends by itself while the test runs.
        WEBHOOK_TIMEOUT_MS: '600000',
        SHUTDOWN_GRACE_MS: '1000',
      },
    });
    embedded = (await openStorefront(await newPerson(server))).storefrontId;
  });
  afterAll(async () => {
    await Promise.all([hole.stop(), healthy.stop()]);
    await server.stop();
    authority.remove();
  });

  async function eventOf(person: Person): Promise<void> {
    await discover(person, await newAdvertiser(person), [embedded]);
  }

  test('whose receivers hang holds its own places, and events of others arrive', async () => {
    const [victim, holder] = [await newPerson(server), await newPerson(server)];
    for (let index = 0; index < 2 * AT_ONCE; index += 1) await subscribe(holder, `${hole.url}/${index}`);
    const { id } = await subscribe(victim, healthy.url);
    await eventOf(holder);
    await hole.received(PER_ACCOUNT);

    await eventOf(victim);
    await healthy.received(1);
    await subscriptionWhen(victim, id, ({ lastSuccess }) => lastSuccess !== null);

    expect(hole.deliveries).toHaveLength(PER_ACCOUNT);
    // What was there before goes on: an attempt that ends makes room for the next of its account.
    hole.answers((res) => res.writeHead(204).end());
  });

  test('has its limit of subscriptions, however many calls come at once', async () => {
    const person = await newPerson(server);
    const create = (index: number) =>
      person.post('/buyer/webhook-subscriptions', {
        url: `https://hooks.acme.example/${index}`,
        secret: SECRET,
        eventTypes: EVENTS,
      });

    const replies = await Promise.all(Array.from({ length: SUBSCRIPTIONS_MAX + 20 }, (_, i) => create(i)));

    const made = replies.filter(({ status }) => status === 201);
    expect(made).toHaveLength(SUBSCRIPTIONS_MAX);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(20);
    const { total } = done(await person.get('/buyer/webhook-subscriptions'));
    expect(total).toBe(SUBSCRIPTIONS_MAX);
  });

  test('has one subscription of an address, however many calls ask for it at once', async () => {
    const person = await newPerson(server);
    const fields = { url: 'https://hooks.acme.example/once', secret: SECRET, eventTypes: EVENTS };

    const replies = await Promise.all(
      Array.from({ length: 10 }, () => person.post('/buyer/webhook-subscriptions', fields)),
    );

    expect(replies.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(replies.map(({ body }) => body.data.subscription.id)).size).toBe(1);
  });

  test('reaches this machine by its name where its range is open', async () => {
    const person = await newPerson(server);

    const { subscription } = done(
      await person.post('/buyer/webhook-subscriptions', {
        url: 'https://localhost:8443/in',
        secret: SECRET,
        eventTypes: EVENTS,
      }),
    );

    expect(subscription.url).toBe('https://localhost:8443/in');
  });
});
