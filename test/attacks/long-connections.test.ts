import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { revokeKey } from '../../tools/domain/organizations/keys.ts';
import { readEvents } from '../support/callers/event-reader.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectEnded, expectRefusal } from '../support/callers/refusals.ts';
import { eventsOf, initialize, type RawClient, rawClient, rpc, scriptHeaders } from '../support/mcp/mcp.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';

describe('what stays open', () => {
  let server: TestServer;
  let client: RawClient;
  let ada: FarSeller;
  let owner: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({
      settings: {
        SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
        STREAMS_PER_ACCOUNT: '2',
        MCP_SESSIONS_PER_CREDENTIAL: '2',
        MCP_SESSIONS_PER_ORGANIZATION: '3',
      },
    });
    client = rawClient(server.url);
    ada = await farSeller(server, 'Ada');
    owner = await newPerson(server);
    advertiserId = await newAdvertiser(owner);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    await ada.agent.stop();
  });

  /** A session whose one seller answers when the gate is opened. */
  const begin = async (advertiser = advertiserId) => {
    const held = answersLater(ada, { products: [productAt('ada.example', 'ada-1')] });
    const fields = { advertiserId: advertiser, storefrontIds: [ada.storefrontId], waitSeconds: 0 };
    const { discoveryId } = done(await owner.post('/buyer/discovery/discover-products', fields));
    return { discoveryId: String(discoveryId), held };
  };
  const revoke = ({ organizationId, keyId }: Person) =>
    revokeKey(server.operator, { organizationId, id: keyId });
  const narrow = ({ organizationId, keyId }: Person, advertiser: string) =>
    giveGrant(server.operator, {
      organizationId,
      holder: `api_key:${keyId}`,
      advertiserId: Number(advertiser),
    });
  const openSession = async ({ key }: Person, { path = BUYER, version = '2025-11-25' } = {}) => {
    const answer = await client.send({ path, headers: scriptHeaders(key), body: initialize(version) });
    return { ...answer, id: String(answer.headers['mcp-session-id']) };
  };
  const listenTo = ({ key }: Person, id: string, signal?: AbortSignal) =>
    fetch(`${server.url}${BUYER}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'mcp-session-id': id },
      ...(signal === undefined ? {} : { signal }),
    });

  describe('ends with its credential', () => {
    test('an event stream, which says why', async () => {
      const reader = await owner.withKey(['buyer:read']);
      const { discoveryId, held } = await begin();
      const events = await readEvents(server, reader, { discoveryId });

      await revoke(reader);
      const [last, ...more] = await events.rest();
      held.open();

      expect(more).toEqual([]);
      expectEnded(last, { code: 'UNAUTHORIZED', words: 'The credential is unknown, expired or revoked.' });
    });

    test('a long poll, with the refusal that the next call would get', async () => {
      const reader = await owner.withKey(['buyer:read']);
      const { discoveryId, held } = await begin();
      const polling = reader.get(`/buyer/discovery/${discoveryId}/browse-products?waitSeconds=30`);

      await revoke(reader);
      const reply = await polling;
      held.open();

      expectRefusal(reply, 401, {
        code: 'UNAUTHORIZED',
        words: 'The credential is unknown, expired or revoked.',
      });
    });

    test('the event stream of an MCP session, and the session', async () => {
      const person = await newPerson(server);
      const { id } = await openSession(person);
      const stream = await listenTo(person, id);

      await revoke(person);

      expect(await stream.text()).toMatch(/^: listening\n\n: ended: .+\n\n$/);
      expect((await listenTo(person, id)).status).toBe(401);
    });
  });

  const waitingFor = (discoveryId: string, id: number) =>
    rpc('tools/call', { name: 'browse_products', arguments: { discoveryId, waitSeconds: 30 } }, id);
  const post = ({ key }: Person, session: string, body: string) =>
    fetch(`${server.url}${BUYER}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-session-id': session,
      },
      body,
    });

  test('every answer of an MCP session ends with its credential, whatever else came under its id', async () => {
    const person = await owner.withKey(['buyer:read']);
    const { discoveryId, held } = await begin();
    const { id } = await openSession(person);
    const waiting: Response[] = [];
    for (const call of [1, 2, 3]) {
      waiting.push(await post(person, id, waitingFor(discoveryId, call)));
      await (await post(person, id, rpc('ping', {}, call))).text();
    }

    await revoke(person);
    const texts = await Promise.all(waiting.map((answer) => answer.text()));
    held.open();

    for (const text of texts) expect(text).toContain('UNAUTHORIZED');
  });

  describe('is asked about again when grants change', () => {
    test.each([[['here', 'elsewhere']], [['elsewhere', 'here']]])(
      'each call of a batch by itself: %s',
      async (order) => {
        const reader = await owner.withKey(['buyer:read']);
        const other = await newAdvertiser(owner, { name: 'Other', brand: 'other.example' });
        const [here, elsewhere] = [await begin(), await begin(other)];
        const { id } = await openSession(reader, { version: '2025-03-26' });
        const calls = order.map((place, call) =>
          waitingFor((place === 'here' ? here : elsewhere).discoveryId, call),
        );
        const answers = eventsOf(await post(reader, id, `[${calls.join(',')}]`));

        await narrow(reader, advertiserId);
        const { value: first } = await answers.next();
        here.held.open();
        elsewhere.held.open();
        const { value: second } = await answers.next();

        expect(first).toMatchObject({
          id: order.indexOf('elsewhere'),
          result: { isError: true, structuredContent: { code: 'ACCESS_DENIED' } },
        });
        expect(second).toMatchObject({
          id: order.indexOf('here'),
          result: { structuredContent: { resultsComplete: true } },
        });
      },
    );

    test('and ends where they lead elsewhere, and goes on where they lead here still', async () => {
      const [stays, goes] = [await owner.withKey(['buyer:read']), await owner.withKey(['buyer:read'])];
      const other = await newAdvertiser(owner, { name: 'Other', brand: 'other.example' });
      const { discoveryId, held } = await begin();
      const staying = await readEvents(server, stays, { discoveryId });
      const going = await readEvents(server, goes, { discoveryId });

      await narrow(stays, advertiserId);
      await narrow(goes, other);
      const [last] = await going.rest();
      held.open();

      expectEnded(last, {
        code: 'ACCESS_DENIED',
        words: 'This discovery session belongs to an account or advertiser beyond your grants.',
      });
      expect((await staying.rest()).map(({ event }) => event)).toEqual(['complete']);
    });
  });

  describe('is shared fairly', () => {
    test('an account that has all its streams open leaves seats to the others', async () => {
      const [greedy, modest] = [await newPerson(server), await newPerson(server)];
      const stop = new AbortController();
      const colleague = await greedy.withKey(['buyer:read']);
      const statuses: number[] = [];
      for (const person of [greedy, greedy, colleague, modest]) {
        const { id } = await openSession(person);
        statuses.push((await listenTo(person, id, stop.signal)).status);
      }
      stop.abort();

      expect(statuses).toEqual([200, 200, 429, 200]);
    });

    test('a credential keeps so many sessions, an organization so many, and no more are stored', async () => {
      const person = await newPerson(server);
      const colleague = await person.withKey(['buyer:read']);
      const at = [await openSession(person), await openSession(person), await openSession(person)];
      const others = [await openSession(colleague), await openSession(colleague)];
      const { count } = await server.store.db
        .withoutPlugins()
        .selectFrom('mcp_sessions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('organization_id', '=', person.organizationId)
        .executeTakeFirstOrThrow();

      expect([...at, ...others].map(({ status }) => status)).toEqual([200, 200, 429, 200, 429]);
      expect(Number(at[2]?.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(count)).toBe(3);
    });
  });

  test('a session opened at a narrowed address is none at another, and the other way round', async () => {
    const person = await newPerson(server);
    const narrowed = `${BUYER}?readonly=true`;
    const [whole, part] = [await openSession(person), await openSession(person, { path: narrowed })];
    const ask = (path: string, id: string) =>
      client.send({ path, headers: scriptHeaders(person.key, id), body: rpc('ping') });

    expect((await ask(BUYER, whole.id)).status).toBe(200);
    expect((await ask(narrowed, part.id)).status).toBe(200);
    for (const answer of [await ask(narrowed, whole.id), await ask(BUYER, part.id)]) {
      expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('initialize here') });
    }
  });

  test('a call that is called off ends its answer, for readers of events and for scripts', async () => {
    const person = await newPerson(server);
    const { id } = await openSession(person);
    const headers = scriptHeaders(person.key, id);
    const advertiser = await newAdvertiser(person);
    const held = answersLater(ada, { products: [] });
    const args = { advertiserId: advertiser, storefrontIds: [ada.storefrontId], waitSeconds: 30 };
    const calling = (accept: string, call: number) =>
      client.send({
        path: BUYER,
        headers: { ...headers, accept },
        body: rpc('tools/call', { name: 'discover_products', arguments: args }, call),
      });

    const before = ada.agent.calls.filter(({ tool }) => tool === 'get_products').length;
    const answers = [calling('application/json, text/event-stream', 7), calling('application/json', 8)];
    await ada.agent.called('get_products', before + 2);
    for (const requestId of [7, 8]) {
      const body = JSON.stringify({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId },
      });
      expect((await client.send({ path: BUYER, headers, body })).status).toBe(202);
    }
    const [events, script] = await Promise.all(answers);
    held.open();

    expect(events?.text ?? '').not.toContain('"result"');
    expect(JSON.parse(script?.text ?? '')).toMatchObject({ id: 8, error: { code: -32800 } });
  });
});
