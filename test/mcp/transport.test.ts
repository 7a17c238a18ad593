import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import {
  initialize,
  type RawAnswer,
  type RawClient,
  rawClient,
  rpc,
  scriptHeaders,
  stateless,
} from '../support/mcp/mcp.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';

describe('an MCP address', () => {
  let server: TestServer;
  let client: RawClient;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer({ settings: { ALLOWED_ORIGINS: 'https://app.example' } });
    client = rawClient(server.url);
    person = await newPerson(server);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  /** A call that would succeed, but for what a test changes about it. */
  const call = (
    more: { headers?: object; path?: string; name?: string; body?: string; method?: string } = {},
  ): Promise<RawAnswer> => {
    const { name = 'advertiser_list', headers = {}, path = BUYER, ...others } = more;
    const good = stateless(person.key, 'tools/call', { name, arguments: {} });
    return client.send({ path, ...good, ...others, headers: { ...good.headers, ...headers } });
  };
  const error = ({ text }: RawAnswer) => JSON.parse(text).error;

  describe('for arguments that are no object', () => {
    const ERAS = ['stateless', 'session'] as const;
    const plain = { name: 'advertiser_list', arguments: {} };

    const inSession = async () => {
      const opened = await client.send({
        path: BUYER,
        headers: scriptHeaders(person.key),
        body: initialize(),
      });
      const id = String(opened.headers['mcp-session-id']);
      return { headers: scriptHeaders(person.key, id), body: rpc('tools/call', plain) };
    };
    const callWith = async (era: (typeof ERAS)[number], args: string) => {
      const good = era === 'session' ? await inSession() : stateless(person.key, 'tools/call', plain);
      return client.send({
        path: BUYER,
        ...good,
        body: good.body.replace('"arguments":{}', `"arguments":${args}`),
      });
    };

    test('refuses one that names its tool by what is no text', async () => {
      const good = stateless(person.key, 'tools/call', plain);
      const body = good.body.replace('"advertiser_list"', '{"toString":1,"valueOf":1}');

      const answer = await client.send({ path: BUYER, ...good, body });

      expect(answer.status).toBe(400);
      expect(error(answer)).toMatchObject({ code: expect.any(Number), message: expect.stringMatching(/./) });
      expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
    });

    test.each(
      ERAS.flatMap((era) =>
        ['"{\\"take\\":10}"', '[]', '[{"take":10}]', '10', 'true'].map((args) => [era, args] as const),
      ),
    )('says in the %s era that %s is none', async (era, args) => {
      const answer = await callWith(era, args);

      expect(answer.status).toBe(400);
      expect(error(answer)).toMatchObject({
        code: -32602,
        message: expect.stringContaining('as a JSON object'),
      });
    });

    test.each(ERAS)('takes null in the %s era for none', async (era) => {
      const answer = await callWith(era, 'null');

      expect(answer.status).toBe(200);
      expect(JSON.parse(answer.text).result.structuredContent).toMatchObject({ total: 0 });
    });
  });

  test.each([
    ['tools/call', {}, 'params.name'],
    ['tools/call', { name: 5 }, 'params.name'],
    ['tools/call', undefined, 'params.name'],
    ['prompts/get', {}, 'params.name'],
    ['prompts/get', { name: 'find_and_buy', arguments: [] }, 'params.arguments'],
    ['resources/read', {}, 'params.uri'],
  ])('says in words what %s with %j lacks', async (method, params, where) => {
    const opened = await client.send({
      path: BUYER,
      headers: scriptHeaders(person.key),
      body: initialize(),
    });
    const headers = scriptHeaders(person.key, String(opened.headers['mcp-session-id']));

    const answer = await client.send({ path: BUYER, headers, body: rpc(method, params) });

    expect([answer.status, error(answer).code]).toEqual([400, -32602]);
    expect(error(answer).message).toMatch(/^[^{}[\]]*(?:\{"take": 10\}[^{}[\]]*)?$/);
    expect(error(answer).message).toContain(where);
  });

  describe('200', () => {
    test('for a stateless call: one JSON body, limits and request id in the headers, no session', async () => {
      const answer = await call({ headers: { 'x-request-id': 'my-request' } });

      expect(answer.status).toBe(200);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'x-request-id': 'my-request',
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'ratelimit-limit': expect.any(String),
        'ratelimit-policy': expect.any(String),
      });
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
      expect(JSON.parse(answer.text).result.structuredContent).toMatchObject({ items: [], total: 0 });
    });

    test('for a stateless call that brings a session id all the same: nobody looks at it', async () => {
      expect((await call({ headers: { 'mcp-session-id': 'no-such-session' } })).status).toBe(200);
    });

    test('on the address of one tool, and of each toolset', async () => {
      expect((await call({ path: `${BUYER}/advertiser-list` })).status).toBe(200);
      expect((await call({ path: `${BUYER}?toolsets=advertisers` })).status).toBe(200);
    });

    test.each(['localhost', '127.0.0.1:9', '[::1]:4000'])('for the loopback name %s', async (host) => {
      expect((await call({ headers: { host } })).status).toBe(200);
    });

    test.each(['https://app.example', 'https://elsewhere.example', 'http://localhost:6274', 'null'])(
      'for a page of %s, which may read the answer and its headers',
      async (origin) => {
        const { status, headers } = await call({ headers: { origin } });

        expect(status).toBe(200);
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['access-control-expose-headers']).toContain('Mcp-Session-Id');
        expect(headers['access-control-expose-headers']).toContain('WWW-Authenticate');
      },
    );
  });

  describe('204', () => {
    test('for the question a page asks first, without a credential', async () => {
      const answer = await client.send({
        method: 'OPTIONS',
        path: BUYER,
        headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
      });

      expect(answer.status).toBe(204);
      for (const name of [
        'authorization',
        'mcp-session-id',
        'mcp-protocol-version',
        'mcp-method',
        'mcp-name',
      ]) {
        expect(answer.headers['access-control-allow-headers']).toContain(name);
      }
    });
  });

  describe('308', () => {
    test.each([
      ['/mcp/buyer?readonly=true', '/mcp/v2/buyer?readonly=true&via=alias'],
      ['/mcp/storefront', '/mcp/v2/storefront?via=alias'],
      ['/mcp/buyer/advertiser-list', '/mcp/v2/buyer/advertiser-list?via=alias'],
    ])('leads from %s to %s before anything else', async (path, location) => {
      const answer = await client.send({ path, body: rpc('ping') });

      expect(answer).toMatchObject({ status: 308, headers: { location } });
    });
  });

  describe('400', () => {
    test.each([
      ['broken JSON', '{"jsonrpc":'],
      ['an empty body', ''],
      ['a NUL character', '{"jsonrpc":"2.0","id":"\\u0000","method":"ping"}'],
      ['a key that reaches into JavaScript', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}'],
      ['more than 64 levels', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`],
      ['more than 1 MiB', `{"a":"${'x'.repeat(1_048_576)}"}`],
    ])('-32700 for %s', async (_what, body) => {
      const answer = await call({ body });

      expect(answer.status).toBe(400);
      expect(answer.headers['content-type']).toMatch(/^application\/json/);
      expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
    });

    test.each([undefined, 'text/plain', 'application/json; charset=latin1'])(
      '-32700 for Content-Type %s',
      async (type) => {
        const answer = await call({ headers: { 'content-type': type } });

        expect([answer.status, error(answer).code]).toEqual([400, -32700]);
      },
    );

    test('-32020 when a header says something else than the body', async () => {
      const wrong = [{ 'mcp-method': 'tools/list' }, { 'mcp-name': 'health' }, { 'mcp-method': undefined }];

      for (const headers of wrong) {
        const answer = await call({ headers });
        expect([answer.status, error(answer).code]).toEqual([400, -32020]);
      }
    });

    test('-32602 when the address is one tool’s and the call is another’s', async () => {
      const one = await call({ path: `${BUYER}/health` });
      const batch = await call({
        path: `${BUYER}/health`,
        body: `[${rpc('tools/call', { name: 'advertiser_list' })}]`,
      });

      expect([one.status, error(one).code]).toEqual([400, -32602]);
      expect([batch.status, error(batch).code]).toEqual([400, -32602]);
    });

    test('-32000 for a call of the session era without a session, at the address of a tool too', async () => {
      const body = rpc('tools/call', { name: 'advertiser_list', arguments: {} });

      for (const path of [BUYER, `${BUYER}/advertiser-list`]) {
        const answer = await client.send({ path, headers: scriptHeaders(person.key), body });
        expect([answer.status, error(answer).code]).toEqual([400, -32000]);
        expect(error(answer).message).toContain('Send initialize first');
      }
    });

    test('-32600 for a stateless call without an id, which nobody could answer', async () => {
      const { body = '{}' } = stateless(person.key, 'tools/call', { name: 'advertiser_list', arguments: {} });
      const { id: _, ...without } = JSON.parse(body);

      const answer = await call({ body: JSON.stringify(without) });

      expect([answer.status, error(answer).code]).toEqual([400, -32600]);
    });

    test('VALIDATION_ERROR for a toolset that is none', async () => {
      const answer = await call({ path: `${BUYER}?toolsets=nothing` });

      expect([answer.status, error(answer).code]).toEqual([400, 'VALIDATION_ERROR']);
    });
  });

  describe('401', () => {
    test.each([
      ['no credential', undefined, /^Bearer realm="[^"]+", scope="[^"]+", resource_metadata="[^"]+"$/],
      ['a key that is none', 'Bearer rialto_nobody', /^Bearer realm="[^"]+", error="invalid_token"/],
      ['another scheme', 'Basic eDp5', /^Bearer realm=/],
    ])('with WWW-Authenticate, for %s', async (_what, authorization, challenge) => {
      const modern = await call({ headers: { authorization } });
      const session = await client.send({
        path: BUYER,
        headers: { 'content-type': 'application/json', authorization },
        body: initialize(),
      });

      for (const answer of [modern, session]) {
        expect(answer.status).toBe(401);
        expect(answer.headers['www-authenticate']).toMatch(challenge);
        expect(error(answer).code).toBe('UNAUTHORIZED');
      }
    });
  });

  describe('403', () => {
    test.each([
      ['Host', { host: 'rebound.example' }],
      ['Host', { host: '127.0.0.1.rebound.example:4000' }],
    ])('for a foreign %s, whatever credential it brings: %o', async (_name, headers) => {
      const answer = await call({ headers });

      expect(answer.status).toBe(403);
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      expect(JSON.parse(answer.text)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32000 } });
    });
  });

  describe('404', () => {
    test('NOT_FOUND on the address of a tool that is not there, or not on this surface', async () => {
      for (const tail of ['no-such-tool', 'product-create']) {
        const answer = await call({ path: `${BUYER}/${tail}` });
        expect([answer.status, error(answer).code]).toEqual([404, 'NOT_FOUND']);
      }
    });

    test('NOT_FOUND on a surface that is not there', async () => {
      expect((await call({ path: '/mcp/v2/creative' })).status).toBe(404);
    });

    test('-32601 for a stateless method that is not there', async () => {
      const { headers, body } = stateless(person.key, 'no/such');

      const answer = await client.send({ path: BUYER, headers, body });

      expect([answer.status, error(answer).code]).toEqual([404, -32601]);
    });
  });

  describe('405', () => {
    test.each(['PUT', 'PATCH', 'HEAD', 'OPTIONS'])('with Allow, for %s', async (method) => {
      const answer = await client.send({ method, path: BUYER, headers: scriptHeaders(person.key) });

      expect(answer.status).toBe(405);
      expect(answer.headers['allow']).toBe('GET, POST, DELETE');
    });
  });

  describe('429', () => {
    test('RATE_LIMITED with Retry-After, for more than the tier allows', async () => {
      const small = await startTestServer({ settings: { RATE_LIMIT_BASIC: '2' } });
      const near = rawClient(small.url);
      const { key } = await newPerson(small, { tier: 'basic' });
      const ping = () => near.send({ path: BUYER, ...stateless(key, 'tools/list') });

      const answers = [await ping(), await ping(), await ping()];
      near.close();
      await small.stop();

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
      const [, , last] = answers as [RawAnswer, RawAnswer, RawAnswer];
      expect(error(last).code).toBe('RATE_LIMITED');
      expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
    });
  });
});
