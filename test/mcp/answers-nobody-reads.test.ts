import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { open } from '../../tools/core/access.ts';
import { defineTool } from '../../tools/core/define.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { initialize, messagesOf, type RawClient, rawClient, rpc, stateless } from '../support/mcp/mcp.ts';
import { type Gate, gate } from '../support/run/gate.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PATH = '/mcp/v2/buyer';
const BOTH = 'application/json, text/event-stream';

/** Of the call that is made: it was begun, it may go on, it told how far it is, its caller left. */
let steps: { begun: Gate; held: Gate; told: Gate; left: Gate };
const telling = defineTool({
  name: 'tell',
  title: 'Tell how far it is',
  description: 'Tells how far it is when the test says so, and then answers.',
  effect: 'read',
  access: open,
  rest: { method: 'GET', path: '/tell' },
  input: z.strictObject({}),
  output: z.object({ done: z.boolean() }),
  errors: [],
  handler: async (ctx) => {
    const { begun, held, told, left } = steps;
    ctx.signal.addEventListener('abort', left.open);
    begun.open();
    await held.passed;
    ctx.progress(1, 2, 'half of it');
    told.open();
    return { done: true };
  },
});

describe('an answer that nobody reads any more', () => {
  let server: TestServer;
  let client: RawClient;
  let person: Person;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeAll(async () => {
    server = await startTestServer({ tools: [telling] });
    client = rawClient(server.url);
    person = await newPerson(server);
  });
  beforeEach(() => {
    unhandled.length = 0;
    steps = { begun: gate(), held: gate(), told: gate(), left: gate() };
    process.on('unhandledRejection', note);
  });
  afterEach(async () => {
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  const headers = (id?: string) => ({
    authorization: `Bearer ${person.key}`,
    accept: BOTH,
    'content-type': 'application/json',
    'mcp-session-id': id,
  });
  const begin = async (version?: string) => {
    const begun = await client.send({ path: PATH, headers: headers(), body: initialize(version) });
    return String(begun.headers['mcp-session-id']);
  };
  const send = (id: string, body: string) => client.send({ path: PATH, headers: headers(id), body });
  const tell = (id: number | string) =>
    rpc('tools/call', { name: 'tell', arguments: {}, _meta: { progressToken: 't' } }, id);
  /** What is told now fails before this is over, if it fails at all. */
  const goOn = async () => {
    steps.held.open();
    await steps.told.passed;
    for (let count = 0; count < 5; count += 1) await turn();
  };

  test('of a call that was called off does no harm', async () => {
    const session = await begin();
    const calling = send(session, tell(7));
    await steps.begun.passed;

    const cancelled = await send(
      session,
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}',
    );
    expect(cancelled.status).toBe(202);
    expect(messagesOf(await calling)).toEqual([]);
    await goOn();
  });

  test('of a session that was ended does no harm', async () => {
    const session = await begin();
    const calling = send(session, tell(7));
    await steps.begun.passed;

    const ended = await client.send({ method: 'DELETE', path: PATH, headers: headers(session) });
    expect(ended.status).toBe(200);
    expect(messagesOf(await calling)).toEqual([]);
    await goOn();
  });

  test('of a stateless call whose caller hung up does no harm', async () => {
    const { headers: given, body } = stateless(person.key, 'tools/call', {
      name: 'tell',
      arguments: {},
      _meta: { progressToken: 't' },
    });
    const gone = new AbortController();
    const calling = fetch(`${server.url}${PATH}`, {
      method: 'POST',
      headers: Object.entries(given).filter((field): field is [string, string] => field[1] !== undefined),
      body,
      signal: gone.signal,
    }).catch(() => 'gone');
    await steps.begun.passed;

    gone.abort();
    expect(await calling).toBe('gone');
    await steps.left.passed;
    await goOn();
  });

  describe('is no way to another one: the id of a request that is under way', () => {
    const REFUSED = { status: 400, text: expect.stringContaining('-32600') };

    test('is refused to a second one, and the first is answered', async () => {
      const session = await begin();
      const calling = send(session, tell(7));
      await steps.begun.passed;

      const second = await send(session, rpc('ping', {}, 7));
      const named = await send(session, rpc('ping', {}, '7'));
      steps.held.open();

      expect(second).toMatchObject(REFUSED);
      expect(JSON.parse(second.text)).toMatchObject({ id: null, error: { message: expect.any(String) } });
      expect(messagesOf(named)).toMatchObject([{ id: '7', result: {} }]);
      expect(messagesOf(await calling)).toMatchObject([
        { method: 'notifications/progress' },
        { id: 7, result: { structuredContent: { done: true } } },
      ]);
      expect(messagesOf(await send(session, rpc('ping', {}, 7)))).toMatchObject([{ id: 7, result: {} }]);
    });

    test('is refused to a batch, and to the second of two in one, and none of it is carried out', async () => {
      const session = await begin('2025-03-26');
      const calling = send(session, tell(7));
      await steps.begun.passed;

      const beside = await send(session, `[${rpc('ping', {}, 8)},${rpc('ping', {}, 7)}]`);
      const twice = await send(session, `[${rpc('ping', {}, 9)},${rpc('ping', {}, 9)}]`);
      steps.held.open();

      expect(beside).toMatchObject(REFUSED);
      expect(twice).toMatchObject(REFUSED);
      expect(messagesOf(await calling)).toHaveLength(2);
      const free = await send(session, `[${rpc('ping', {}, 8)},${rpc('ping', {}, 9)}]`);
      expect(messagesOf(free)).toMatchObject([{ id: 8 }, { id: 9 }]);
    });

    test('is free again when it was called off, or its request was refused', async () => {
      const session = await begin();
      const calling = send(session, tell(7));
      await steps.begun.passed;
      await send(session, '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}');
      await calling;
      steps.held.open();

      const refused = await client.send({
        path: PATH,
        headers: { ...headers(session), 'mcp-protocol-version': '1999-01-01' },
        body: rpc('ping', {}, 7),
      });

      expect(refused.status).toBe(400);
      expect(messagesOf(await send(session, rpc('ping', {}, 7)))).toMatchObject([{ id: 7, result: {} }]);
    });
  });
});
