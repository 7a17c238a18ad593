import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type Gate, gate } from '../support/run/gate.ts';
import { beginDiscovery, browse, discover } from '../support/sellers/discovery.ts';
import { connectAgent, done, newAdvertiser, openStorefront } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { SECRET, subscribe, subscriptionWhen } from '../support/sellers/webhooks.ts';
import { type Authority, newAuthority, type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SLOW_SELLERS = 3;

describe('a webhook', () => {
  let server: TestServer;
  let authority: Authority;
  let embedded: string;
  /** Sellers that answer when they are let. */
  const slow: { agent: SellerAgent; storefrontId: string }[] = [];
  const receivers: Receiver[] = [];

  beforeAll(async () => {
    authority = await newAuthority();
    server = await startTestServer({
      settings: {
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
        WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
        OUTBOUND_CA_FILE: authority.file,
      },
    });
    embedded = (await openStorefront(await newPerson(server))).storefrontId;
    for (let index = 0; index < SLOW_SELLERS; index += 1) {
      const agent = await startSellerAgent();
      const { storefrontId } = await connectAgent(await newPerson(server), agent.url);
      slow.push({ agent, storefrontId });
    }
  });
  afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));
  afterAll(async () => {
    await server.stop();
    await Promise.all(slow.map(({ agent }) => agent.stop()));
    authority.remove();
  });

  async function receiver(): Promise<Receiver> {
    const made = await startReceiver(authority);
    receivers.push(made);
    return made;
  }

  async function buyer(): Promise<{ person: Person; advertiserId: string }> {
    const person = await newPerson(server);
    return { person, advertiserId: await newAdvertiser(person) };
  }

  /** A session whose sellers land one by one, when the test opens their gates. */
  async function slowSession(person: Person, advertiserId: string) {
    const gates: Gate[] = slow.map(({ agent }, index) => {
      const own = gate();
      agent.on('get_products', async () => {
        await own.passed;
        return { products: [adcpProduct(`slow-${index}`)] };
      });
      return own;
    });
    const ids = slow.map(({ storefrontId }) => storefrontId);
    const { discoveryId } = await beginDiscovery(person, advertiserId, ids);
    const land = async (index: number) => {
      gates[index]?.open();
      await browse(person, discoveryId, ({ revision }) => revision > index);
    };
    return { discoveryId, land };
  }

  async function framesOf(person: Person, discoveryId: string): Promise<string[]> {
    const { text } = await person.get(`/buyer/discovery/${discoveryId}/events`);
    return text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []));
  }

  test('carries each revision once, in order, in the very bytes of the event stream', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    const { id } = await subscribe(person, hook.url);
    const { discoveryId, land } = await slowSession(person, advertiserId);

    for (let index = 0; index < SLOW_SELLERS; index += 1) await land(index);
    await hook.received(SLOW_SELLERS);
    await subscriptionWhen(person, id, ({ lastSuccess }) => lastSuccess !== null);

    const bodies = hook.deliveries.map(({ raw }) => raw);
    expect(bodies).toEqual(await framesOf(person, discoveryId));
    expect(hook.deliveries.map(({ payload }) => payload.revision)).toEqual([1, 2, 3]);
    expect(hook.deliveries.map(({ payload }) => payload.resultsComplete)).toEqual([false, false, true]);
  });

  test('has the payload of the event catalogue, with the groups that landed since the last one', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    await subscribe(person, hook.url);
    const { discoveryId, land } = await slowSession(person, advertiserId);

    await land(0);
    await land(1);
    await hook.received(2);
    await land(2);

    const payload = hook.deliveries[1]?.payload;
    expect(payload).toEqual({
      event: 'discovery.revision',
      discoveryId,
      revision: 2,
      resultsComplete: false,
      productGroups: [
        {
          groupId: expect.any(String),
          groupName: 'far.example',
          products: [expect.objectContaining({ productId: 'slow-1' })],
        },
      ],
      pendingAgents: [{ agentId: expect.any(String), agentName: 'Agent' }],
      incompleteAgents: [],
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    await hook.received(3);
  });

  test('is signed over its raw body, without a prefix and without a timestamp', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    const secret = 'schlüssel mit Umlauten ü';
    await subscribe(person, hook.url, { secret });

    await discover(person, advertiserId, [embedded]);
    await hook.received(1);

    const [delivery] = hook.deliveries;
    const expected = createHmac('sha256', Buffer.from(secret, 'utf8'))
      .update(Buffer.from(delivery?.raw ?? '', 'utf8'))
      .digest('hex');
    expect(delivery?.headers['x-webhook-signature']).toBe(expected);
    expect(expected).toMatch(/^[0-9a-f]{64}$/);
    expect(Object.keys(delivery?.headers ?? {}).filter((name) => name.includes('timestamp'))).toEqual([]);
  });

  test('is a plain POST of JSON that keeps no connection and names itself', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    await subscribe(person, hook.url);

    await discover(person, advertiserId, [embedded]);
    await hook.received(1);

    expect(hook.deliveries[0]).toMatchObject({ method: 'POST', httpVersion: '1.1' });
    const headers = hook.deliveries[0]?.headers;
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(hook.deliveries[0]?.raw ?? '')),
      'user-agent': 'Rialto-Webhooks/1',
      connection: 'close',
    });
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('authorization');
  });

  test('has an id of its own, by which a receiver tells events apart', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    await subscribe(person, hook.url);
    await subscribe(person, `${hook.url}?again`);

    await discover(person, advertiserId, [embedded]);
    await discover(person, advertiserId, [embedded]);
    await hook.received(4);

    const ids = hook.deliveries.map(({ headers }) => headers['x-webhook-delivery']);
    expect(new Set(ids).size).toBe(4);
  });

  test('says by its id whom it is for and what it tells, and nothing of how much others are told', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    const { id } = await subscribe(person, hook.url);

    await discover(person, advertiserId, [embedded]);
    await hook.received(1);

    const [sent] = hook.deliveries;
    const { discoveryId, revision } = sent?.payload ?? {};
    expect(sent?.headers['x-webhook-delivery']).toBe(`${id}.${discoveryId}.${revision}`);
  });

  test('waits for the one before it: a subscription has one in flight, and others are not held up', async () => {
    const { person, advertiserId } = await buyer();
    const [held, quick] = [await receiver(), await receiver()];
    const free = gate();
    let inFlight = 0;
    let most = 0;
    held.answers((res) => {
      inFlight += 1;
      most = Math.max(most, inFlight);
      void free.passed.then(() => {
        inFlight -= 1;
        res.writeHead(200).end();
      });
    });
    await subscribe(person, held.url);
    await subscribe(person, quick.url);

    for (let round = 0; round < 5; round += 1) await discover(person, advertiserId, [embedded]);
    await quick.received(5);
    expect(held.deliveries).toHaveLength(1);
    free.open();
    await held.received(5);

    expect(most).toBe(1);
    const order = (hook: Receiver) => hook.deliveries.map(({ payload }) => payload.discoveryId);
    expect(order(held)).toEqual(order(quick));
  });

  test('goes to the subscriptions that were there before the session, and to no later one', async () => {
    const { person, advertiserId } = await buyer();
    const [early, late] = [await receiver(), await receiver()];
    await subscribe(person, early.url);
    const { land } = await slowSession(person, advertiserId);
    const { id } = await subscribe(person, late.url);

    for (let index = 0; index < SLOW_SELLERS; index += 1) await land(index);
    await early.received(SLOW_SELLERS);
    const { discoveryId } = await discover(person, advertiserId, [embedded]);
    await subscriptionWhen(person, id, ({ lastSuccess }) => lastSuccess !== null);

    expect(late.deliveries.map(({ payload }) => payload.discoveryId)).toEqual([discoveryId]);
  });

  test('goes to the account whose session it was, and to no other', async () => {
    const [mine, theirs] = [await buyer(), await buyer()];
    const [here, there] = [await receiver(), await receiver()];
    await subscribe(mine.person, here.url);
    await subscribe(theirs.person, there.url);

    const { discoveryId } = await discover(mine.person, mine.advertiserId, [embedded]);
    await here.received(1);
    const other = await discover(theirs.person, theirs.advertiserId, [embedded]);
    await there.received(1);

    expect(here.deliveries.map(({ payload }) => payload.discoveryId)).toEqual([discoveryId]);
    expect(there.deliveries.map(({ payload }) => payload.discoveryId)).toEqual([other.discoveryId]);
  });

  test('stops with its subscription: what waits is skipped, and what is under way is broken off', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    const broken = gate();
    hook.answers((res) => res.on('close', broken.open));
    const { id } = await subscribe(person, hook.url);
    await discover(person, advertiserId, [embedded]);
    await discover(person, advertiserId, [embedded]);
    await hook.received(1);

    done(await person.delete(`/buyer/webhook-subscriptions/${id}`));
    await broken.passed;
    const other = await receiver();
    await subscribe(person, other.url);
    await discover(person, advertiserId, [embedded]);
    await other.received(1);

    expect(hook.deliveries).toHaveLength(1);
    const rows = await server.store.db
      .selectFrom('webhook_deliveries')
      .select(['state', 'outcome'])
      .where('organization_id', '=', person.organizationId)
      .where('subscription_id', '=', id)
      .orderBy('id')
      .execute();
    expect(rows[1]).toEqual({ state: 'skipped', outcome: 'subscription_deleted' });
  });

  test('has its secret nowhere but in the signature', async () => {
    const { person, advertiserId } = await buyer();
    const hook = await receiver();
    const { id } = await subscribe(person, hook.url);
    await discover(person, advertiserId, [embedded]);
    await hook.received(1);

    const list = await person.get('/buyer/webhook-subscriptions');
    const audit = await person.get('/buyer/audit-logs?take=100');
    const rows = await server.store.db
      .selectFrom('webhook_subscriptions')
      .selectAll()
      .where('organization_id', '=', person.organizationId)
      .where('id', '=', id)
      .execute();
    const [delivery] = hook.deliveries;
    const seen = [list.text, audit.text, server.log.lines, rows, delivery?.headers, delivery?.raw];
    expect(JSON.stringify(seen)).not.toContain(SECRET);
  });
});
