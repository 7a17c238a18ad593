import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTenant } from '../../store/engine/scope.ts';
import { findMcpSession, type McpSessionRow } from '../../store/mcp-sessions.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import {
  initialize,
  messagesOf,
  type RawAnswer,
  type RawClient,
  rawClient,
  rpc,
  scriptHeaders,
} from '../support/mcp/mcp.ts';
import { eventually } from '../support/run/eventually.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

describe('a session of the initialize era', () => {
  let server: TestServer;
  let client: RawClient;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    client = rawClient(server.url);
    person = await newPerson(server);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  const open = async (more: { key?: string; path?: string; id?: string; version?: string } = {}) => {
    const { key = person.key, path = BUYER, id, version } = more;
    const answer = await client.send({ path, headers: scriptHeaders(key, id), body: initialize(version) });
    return String(answer.headers['mcp-session-id']);
  };
  const send = (
    body: string,
    {
      id,
      key = person.key,
      path = BUYER,
      ...more
    }: { id?: string; key?: string; path?: string; accept?: string },
  ): Promise<RawAnswer> => client.send({ path, body, headers: { ...scriptHeaders(key, id), ...more } });
  const ping = (options: Parameters<typeof send>[1]) => send(rpc('ping'), options);
  const rowOf = (id: string): Promise<McpSessionRow | undefined> =>
    findMcpSession(server.store.db, makeTenant(person.organizationId), {
      id,
      principal: `api_key:${person.keyId}`,
      surface: 'buyer',
    });

  describe('begins', () => {
    test('with a UUID of its own, and a row that names its principal', async () => {
      const [one, other] = [await open(), await open()];

      expect(one).toMatch(UUID);
      expect(other).toMatch(UUID);
      expect(other).not.toBe(one);
      const row = await rowOf(one);
      expect(row).toMatchObject({ id: one, surface: 'buyer', created_at: row?.seen_at });
      expect(JSON.parse(row?.initialize ?? '')).toMatchObject({ method: 'initialize' });
    });

    test('with the id the client names, if that is a free UUID', async () => {
      const named = '7b0f2b7e-3a1e-4f6c-9d53-2f8f3b0a0c11';

      expect(await open({ id: named })).toBe(named);
      expect(await open({ id: named })).not.toBe(named);
      expect(await open({ id: 'my-session' })).toMatch(UUID);
    });

    test.each(VERSIONS)('in version %s when the client asks for it', async (version) => {
      const answer = await send(initialize(version), {});

      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text).result).toMatchObject({
        protocolVersion: version,
        serverInfo: { name: 'rialto-buyer', title: 'Rialto for buyers' },
        capabilities: { tools: {} },
        instructions: expect.stringContaining('discover_products'),
      });
    });

    test.each(['2026-07-28', '1999-01-01', 'x'])(
      'in the newest version of its era when the client asks for %s',
      async (version) => {
        const { text } = await send(initialize(version), {});

        expect(JSON.parse(text).result.protocolVersion).toBe('2025-11-25');
      },
    );

    test.each([
      ['name of the client', { clientInfo: { name: 'x'.repeat(1_000_000), version: '1' } }],
      ['list of capabilities', { capabilities: { experimental: { long: { text: 'x'.repeat(16_384) } } } }],
    ])('not with a %s that nobody needs to keep: -32602, and no row', async (_what, more) => {
      const known = {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'a', version: '1' },
      };
      const id = '7b0f2b7e-3a1e-4f6c-9d53-2f8f3b0a0c12';

      const answer = await send(rpc('initialize', { ...known, ...more }), { id });

      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', error: { code: -32602 } });
      expect(answer.headers['mcp-session-id']).toBeUndefined();
      expect(await rowOf(id)).toBeUndefined();
    });

    test.each([
      ['no params', undefined],
      ['no params in them', {}],
      ['a name of the client alone', { clientInfo: { name: 'script' } }],
      ['null for what it does not know', { protocolVersion: null, capabilities: null, clientInfo: null }],
    ])('for a script that says initialize with %s, and serves its calls', async (_what, params) => {
      const greeted = await send(rpc('initialize', params), {});

      expect(greeted.status).toBe(200);
      expect(JSON.parse(greeted.text).result.protocolVersion).toBe('2025-11-25');
      const id = String(greeted.headers['mcp-session-id']);
      expect(id).toMatch(UUID);
      const called = await send(rpc('tools/call', { name: 'advertiser_list' }), { id });
      expect(JSON.parse(called.text).result.structuredContent).toMatchObject({ total: 0 });
    });

    test.each([
      ['another kind of version', { protocolVersion: 2025 }],
      ['capabilities that are none', { capabilities: 'all' }],
      ['a client that is a word', { clientInfo: 'script' }],
    ])('not with %s: -32602, which says what initialize takes', async (_what, params) => {
      const answer = await send(rpc('initialize', params), {});

      expect(answer.status).toBe(400);
      expect(answer.headers['mcp-session-id']).toBeUndefined();
      expect(JSON.parse(answer.text).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('clientInfo'),
      });
    });
  });

  describe('serves', () => {
    let id: string;
    beforeAll(async () => {
      id = await open();
    });

    test('calls, lists, pings and notifications', async () => {
      const notified = await send('{"jsonrpc":"2.0","method":"notifications/initialized"}', { id });
      const called = await send(rpc('tools/call', { name: 'advertiser_list', arguments: {} }), { id });
      const listed = await send(rpc('tools/list', {}, 'a'), { id });

      expect(notified).toMatchObject({ status: 202, text: '' });
      expect(called).toMatchObject({ status: 200, headers: { 'mcp-session-id': id } });
      expect(JSON.parse(called.text).result.structuredContent).toMatchObject({ items: [], total: 0 });
      expect(JSON.parse(listed.text)).toMatchObject({ id: 'a', result: { tools: expect.any(Array) } });
      expect(JSON.parse((await ping({ id })).text)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    });

    test('plain JSON to a script that names no event stream, events to a host that does', async () => {
      const script = await ping({ id });
      const curl = await ping({ id, accept: '*/*' });
      const host = await ping({ id, accept: 'application/json, text/event-stream' });

      expect(script.headers['content-type']).toMatch(/^application\/json/);
      expect(curl.headers['content-type']).toMatch(/^application\/json/);
      expect(host.headers['content-type']).toMatch(/^text\/event-stream/);
      expect(messagesOf(host)).toEqual(messagesOf(script));
    });

    test('a batch with a list, however short, in the revision that has them', async () => {
      const old = await open({ version: '2025-03-26' });
      const two = await send(`[${rpc('ping')},${rpc('ping', {}, 2)}]`, { id: old });
      const one = await send(`[${rpc('ping', {}, 3)}]`, { id: old });

      expect(JSON.parse(two.text)).toMatchObject([{ id: 1 }, { id: 2 }]);
      expect(JSON.parse(one.text)).toMatchObject([{ id: 3 }]);
    });

    test('no batch in any other: 400, and none of it is carried out', async () => {
      for (const version of VERSIONS.filter((known) => known !== '2025-03-26')) {
        const answer = await send(`[${rpc('ping')}]`, { id: await open({ version }) });

        expect(answer.status).toBe(400);
        expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32600 } });
      }
    });

    test('a request without an id with 400, instead of dropping it without a word', async () => {
      const answer = await send(
        '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"advertiser_create","arguments":{}}}',
        { id },
      );

      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32600 }, id: null });
    });

    test('an odd cursor and an unknown prompt with -32602', async () => {
      const number = await send(rpc('tools/list', { cursor: 5 }), { id });
      const text = await send(rpc('resources/list', { cursor: 'x' }), { id });
      const prompt = await send(rpc('prompts/get', { name: 'none' }), { id });

      for (const { text: body } of [number, text, prompt]) {
        expect(JSON.parse(body)).toMatchObject({ id: 1, error: { code: -32602 } });
      }
    });

    test('the per-tool addresses of its surface', async () => {
      const body = rpc('tools/call', { name: 'advertiser_list', arguments: {} });

      const below = await send(body, { id, path: `${BUYER}/advertiser-list` });
      const begunBelow = await open({ path: `${BUYER}/advertiser-list` });

      expect(JSON.parse(below.text).result.structuredContent).toMatchObject({ items: [] });
      expect((await ping({ id: begunBelow })).status).toBe(200);
    });

    test('unknown methods with -32601 and unknown tools with -32602', async () => {
      const method = await send(rpc('no/such'), { id });
      const tool = await send(rpc('tools/call', { name: 'no_such_tool' }), { id });

      expect(JSON.parse(method.text).error.code).toBe(-32601);
      expect(JSON.parse(tool.text).error.code).toBe(-32602);
    });

    test('nobody who names a version that is none', async () => {
      const headers = { ...scriptHeaders(person.key, id), 'mcp-protocol-version': '1999-01-01' };

      const answer = await client.send({ path: BUYER, headers, body: rpc('ping') });

      expect(answer.status).toBe(400);
    });
  });

  describe('is found by nobody else', () => {
    const missing = { status: 404, text: expect.stringContaining('-32001') };

    test('404 for another key of the organization, another organization, another surface', async () => {
      const id = await open();
      const colleague = await person.withKey(['buyer:admin']);
      const stranger = await newPerson(server);

      expect(await ping({ id, key: colleague.key })).toMatchObject(missing);
      expect(await ping({ id, key: stranger.key })).toMatchObject(missing);
      expect(await ping({ id, path: '/mcp/v2/storefront' })).toMatchObject(missing);
      expect(await ping({ id })).toMatchObject({ status: 200 });
    });

    test('404 for an id that nobody has, and for what is no id', async () => {
      expect(await ping({ id: '00000000-0000-4000-8000-000000000000' })).toMatchObject(missing);
      expect(await ping({ id: 'x' })).toMatchObject(missing);
      expect(await ping({ id: '' })).toMatchObject({ status: 404 });
    });

    test('400 without an id', async () => {
      const answer = await ping({});

      expect(answer.status).toBe(400);
      expect(JSON.parse(answer.text)).toMatchObject({ error: { code: -32000 }, id: null });
    });

    test('a stranger cannot end it', async () => {
      const id = await open();
      const stranger = await newPerson(server);

      const answer = await client.send({
        method: 'DELETE',
        path: BUYER,
        headers: scriptHeaders(stranger.key, id),
      });

      expect(answer.status).toBe(404);
      expect(await rowOf(id)).toBeDefined();
    });
  });

  describe('has one event stream', () => {
    const listenTo = (id: string | undefined, accept = 'text/event-stream') =>
      fetch(`${server.url}${BUYER}`, {
        headers: {
          authorization: `Bearer ${person.key}`,
          accept,
          ...(id === undefined ? {} : { 'mcp-session-id': id }),
        },
      });

    test('that stays open until the session is ended, and is refused a second time', async () => {
      const id = await open();
      const stream = await listenTo(id);
      const second = await listenTo(id);
      const ended = await client.send({
        method: 'DELETE',
        path: BUYER,
        headers: scriptHeaders(person.key, id),
      });

      expect(stream.status).toBe(200);
      expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
      expect(second.status).toBe(409);
      expect(ended.status).toBe(200);
      expect(await stream.text()).toBe(': listening\n\n');
    });

    test('whose place is free as soon as its reader has gone', async () => {
      const id = await open();
      for (let count = 0; count < 3; count += 1) {
        const abort = new AbortController();
        const stream = await fetch(`${server.url}${BUYER}`, {
          signal: abort.signal,
          headers: {
            authorization: `Bearer ${person.key}`,
            accept: 'text/event-stream',
            'mcp-session-id': id,
          },
        });
        expect(stream.status).toBe(200);
        abort.abort();
        await eventually(() => expect(server.running.app.seats.taken).toBe(0));
      }
    });

    test('for a reader of events alone, with a session alone', async () => {
      const refused = [await listenTo(await open(), 'application/json'), await listenTo(undefined)];
      const unknown = await listenTo('00000000-0000-4000-8000-000000000000');

      expect(refused.map(({ status }) => status)).toEqual([406, 400]);
      expect(unknown.status).toBe(404);
    });
  });

  test('ends with DELETE: its row is gone, and its id finds nothing', async () => {
    const id = await open();
    const end = () => client.send({ method: 'DELETE', path: BUYER, headers: scriptHeaders(person.key, id) });

    expect((await end()).status).toBe(200);
    expect(await rowOf(id)).toBeUndefined();
    expect((await ping({ id })).status).toBe(404);
    expect((await end()).status).toBe(404);
  });
});
