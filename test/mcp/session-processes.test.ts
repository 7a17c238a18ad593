import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { initialize, type RawAnswer, rawClient, rpc, scriptHeaders } from '../support/mcp/mcp.ts';
import { manualClock, START } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { answersLater, farSeller } from '../support/sellers/far-seller.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';
const HOUR = 3_600_000;

describe('a session outlives its process', () => {
  let database: TestDatabase;
  let running: TestServer[];
  beforeEach(async () => {
    database = await freshDatabase();
    running = [];
  });
  afterEach(async () => {
    for (const server of running) await server.stop();
    await database.drop();
  });

  /** A process on the database, some hours after the first one. */
  const start = async (hours = 0): Promise<TestServer> => {
    const server = await startTestServer({
      database,
      clock: manualClock(START + hours * HOUR),
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    running.push(server);
    return server;
  };
  const stopAll = async () => {
    for (const server of running.splice(0)) await server.stop();
  };
  const later = async (hours: number) => {
    await stopAll();
    return start(hours);
  };

  test('the next process serves it, several requests at once, and ends it', async () => {
    const first = await start();
    const { key } = await newPerson(first);
    const id = await open(first, key);

    const second = await later(1);
    const list = rpc('tools/list', {});
    const answers = await Promise.all([1, 2, 3].map(() => send(second, { key, id, body: list })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(JSON.parse(answers[0]?.text ?? '').result.tools.length).toBeGreaterThan(10);
    expect((await send(second, { key, id, method: 'DELETE' })).status).toBe(200);
    expect((await send(second, { key, id, body: rpc('ping') })).status).toBe(404);
  });

  test('a process that stops ends its event streams', async () => {
    const server = await start();
    const { key } = await newPerson(server);
    const id = await open(server, key);
    const stream = await fetch(`${server.url}${BUYER}`, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', 'mcp-session-id': id },
    });

    await stopAll();

    expect(await stream.text()).toBe(': listening\n\n');
  });

  test('24 hours after its last request it is over, and not before', async () => {
    const first = await start();
    const { key } = await newPerson(first);
    const [used, idle] = [await open(first, key), await open(first, key)];

    const second = await later(23);
    expect((await send(second, { key, id: used, body: rpc('ping') })).status).toBe(200);

    const third = await later(25);
    expect((await send(third, { key, id: used, body: rpc('ping') })).status).toBe(200);
    expect((await send(third, { key, id: idle, body: rpc('ping') })).status).toBe(404);
  });

  describe.runIf(engine === 'postgres')('beside another one', () => {
    test('either serves what the other one began, and neither what the other one ended', async () => {
      const [one, other] = [await start(), await start()];
      const { key } = await newPerson(one);
      const id = await open(one, key);
      const ask = (server: TestServer) => send(server, { key, id, body: rpc('ping') });

      expect((await ask(other)).status).toBe(200);
      expect((await ask(one)).status).toBe(200);
      expect((await send(other, { key, id, method: 'DELETE' })).status).toBe(200);
      expect((await ask(one)).status).toBe(404);
    });

    /**
     * A session that has an event stream, and a call that waits for a seller which never answers, in the first of two.
     */
    const atWork = async () => {
      const [one, other] = [await start(), await start()];
      for (const { running: process } of [one, other]) {
        await eventually(() => expect(process.app.link?.isUp).toBe(true));
      }
      const silent = await farSeller(one, 'Silent');
      answersLater(silent, { products: [] });
      const owner = await newPerson(one);
      const advertiserId = await newAdvertiser(owner);
      const id = await open(one, owner.key);
      const headers = {
        authorization: `Bearer ${owner.key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-session-id': id,
      };
      const stream = await fetch(`${one.url}${BUYER}`, {
        headers: { ...headers, accept: 'text/event-stream' },
      });
      const args = { advertiserId, storefrontIds: [silent.storefrontId], waitSeconds: 30 };
      const body = rpc('tools/call', { name: 'discover_products', arguments: args }, 'call');
      const calling = await fetch(`${one.url}${BUYER}`, { method: 'POST', headers, body });
      await silent.agent.called('get_products');
      return { one, other, key: owner.key, id, stream, calling, silent };
    };

    test('either ends what the other one has open for a session that is ended', async () => {
      const { other, key, id, stream, calling, silent } = await atWork();

      expect((await send(other, { key, id, method: 'DELETE' })).status).toBe(200);

      expect(await stream.text()).toBe(': listening\n\n');
      expect(await calling.text()).toBe('');
      await silent.agent.stop();
    });

    test('either calls off what is under way in the other one, and nothing else of the session', async () => {
      const { one, other, key, id, stream, calling, silent } = await atWork();
      const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'call' } };

      expect((await send(other, { key, id, body: JSON.stringify(cancelled) })).status).toBe(202);

      expect(await calling.text()).toBe('');
      expect((await send(one, { key, id, body: rpc('ping', {}, 'call') })).status).toBe(200);
      await stream.body?.cancel();
      await silent.agent.stop();
    });
  });
});

async function open(server: TestServer, key: string): Promise<string> {
  const { headers } = await send(server, { key, body: initialize() });
  return String(headers['mcp-session-id']);
}

async function send(
  server: TestServer,
  { key, id, method = 'POST', body }: { key: string; id?: string; method?: string; body?: string },
): Promise<RawAnswer> {
  const client = rawClient(server.url);
  try {
    return await client.send({
      method,
      path: BUYER,
      headers: scriptHeaders(key, id),
      ...(body === undefined ? {} : { body }),
    });
  } finally {
    client.close();
  }
}
