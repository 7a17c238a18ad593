import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '../../adapters/signup/endpoints.ts';
import { restPaths } from '../../tools/core/addresses.ts';
import type { Tool } from '../../tools/core/define.ts';
import { tools } from '../../tools/registry.ts';
import { clientOf, type Stranger, stranger } from '../support/callers/agents.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal, refusalCode } from '../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Entering {
  readonly id: string;
  readonly client: Client;
  readonly token: string;
}

describe('an agent that nobody has claimed', () => {
  let server: TestServer;
  let agent: Stranger;
  let one: Entering;
  beforeAll(async () => {
    server = await startTestServer({ settings: { AGENT_ANONYMOUS_IN_ALL: '1000' } });
    agent = stranger(server);
    one = await enter();
  });
  afterAll(() => server.stop());

  async function enter(): Promise<Entering> {
    const registered = await agent.post('/agent/identity', { type: 'anonymous' });
    const exchanged = await agent.exchange(registered.body.identity.assertion);
    const token: string = exchanged.body.access_token;
    return { id: registered.body.id, client: clientFor(server.url, token), token };
  }

  test('registers and gets a short-lived token, and accepts no terms', async () => {
    const registered = await agent.post('/agent/identity', { type: 'anonymous' });
    const exchanged = await agent.exchange(registered.body.identity.assertion);

    expect(registered.status).toBe(200);
    expect(registered.headers.get('cache-control')).toBe('no-store');
    expect(registered.body).toEqual({
      id: expect.stringMatching(/^agent_reg_[a-z0-9]{20}$/),
      type: 'anonymous',
      identity: { assertion: expect.any(String), expires_at: expect.stringMatching(/Z$/) },
      scopes: { pre_claim: ['sandbox:read'], post_claim: ['buyer:read', 'buyer:write'] },
      claim: {
        token: expect.stringMatching(/^clm_[\w-]{43}$/),
        expires_at: expect.stringMatching(/Z$/),
        url: `${server.url}/agent/identity/claim`,
      },
    });
    expect(exchanged.status).toBe(200);
    expect(exchanged.headers.get('cache-control')).toBe('no-store');
    expect(exchanged.headers.get('pragma')).toBe('no-cache');
    expect(exchanged.body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'sandbox:read',
    });
  });

  test('reads advertisers of a sandbox of its own, by GET and HEAD, and those of nobody else', async () => {
    const other = await enter();
    const person = await newPerson(server);
    const foreign = await person.post('/buyer/advertisers', {
      name: 'Acme',
      brand: 'acme.example',
      saveBrand: true,
      primaryCurrency: 'USD',
    });

    const list = await one.client.get('/buyer/advertisers');
    const [own] = list.body.data.items;
    const found = await one.client.get(`/buyer/advertisers/${own.id}`);
    const heads = await Promise.all(
      ['/buyer/advertisers', `/buyer/advertisers/${own.id}`].map((path) =>
        one.client.send(path, { method: 'HEAD' }),
      ),
    );

    expect(list.status).toBe(200);
    expect(list.body.data.total).toBe(1);
    expect(own.sandbox).toBe(true);
    const { linkedAccountCount, ...listed } = own;
    expect(linkedAccountCount).toBe(0);
    // The list leaves out the tags that nobody set.
    const { utmConfig, ...shown } = found.body.data;
    expect(shown).toEqual(listed);
    expect(utmConfig).toHaveLength(6);
    expect(heads.map(({ status, text }) => [status, text])).toEqual([
      [200, ''],
      [200, ''],
    ]);
    const others = (await other.client.get('/buyer/advertisers')).body.data.items;
    expect(others[0].id).not.toBe(own.id);
    for (const id of [others[0].id, foreign.body.data.id]) {
      expect((await one.client.get(`/buyer/advertisers/${id}`)).status).toBe(404);
    }
  });

  const ALLOWED = new Set(['advertiser_list', 'advertiser_get']);
  const operations = tools.flatMap((tool: Tool) =>
    restPaths(tool.surface, tool.rest).map((path) => ({ tool, method: tool.rest?.method ?? 'GET', path })),
  );

  test('is forbidden every other capability of REST, and nothing changes', async () => {
    const before = await rowsOf(server);
    const answers = [];
    for (const { tool, method, path } of operations) {
      if (ALLOWED.has(tool.name) || tool.access.kind === 'open') continue;
      const target = path.replaceAll(/\{\w+\}/g, '1');
      const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const reply = await one.client.send(`${server.url}${target}`, { method, ...body });
      answers.push({ tool: tool.name, status: reply.status, code: refusalCode(reply) });
    }

    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter(({ status, code }) => status !== 403 || code !== 'FORBIDDEN')).toEqual([]);
    expect(await rowsOf(server)).toEqual(before);
  });

  test.each([
    ['POST', '/buyer/advertisers'],
    ['PUT', '/buyer/advertisers/1'],
    ['PATCH', '/buyer/advertisers/1'],
    ['DELETE', '/buyer/advertisers/1'],
    ['GET', '/buyer/advertisers/1/anything'],
    ['GET', '/buyer/advertisers/1/campaigns'],
    ['GET', '/buyer/advertisers/1/1/1'],
    ['GET', '/storefront/advertisers'],
    ['GET', '/buyer/no-such-thing'],
  ])('is forbidden %s %s', async (method, path) => {
    const reply = await one.client.send(path, { method });

    expectRefusal(reply, 403, {
      code: 'FORBIDDEN',
      words: 'An agent that nobody has claimed may only read advertisers, over REST.',
    });
    expect(reply.body.error.details.suggestion).toContain('/auth.md');
  });

  test.each(endpoints.map(({ method, path }) => [method, path] as const))(
    'is forbidden to sign anybody up: %s %s',
    async (method, path) => {
      const before = await rowsOf(server);
      const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
      const reply = await one.client.send(`${server.url}${path.replaceAll(/\{\w+\}/g, '1')}`, {
        method,
        ...body,
      });

      expectRefusal(reply, 403, {
        code: 'FORBIDDEN',
        words: 'An agent that nobody has claimed may only read advertisers, over REST.',
      });
      expect(await rowsOf(server)).toEqual(before);
    },
  );

  test('is forbidden the event stream of a session', async () => {
    const reply = await one.client.get('/buyer/discovery/disc_1/events');

    expectRefusal(reply, 403, {
      code: 'FORBIDDEN',
      words: 'An agent that nobody has claimed may only read advertisers, over REST.',
    });
  });

  const message = (method: string) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} });

  test.each([
    ['POST', '/mcp/v2/buyer', message('initialize')],
    ['POST', '/mcp/v2/buyer', message('tools/list')],
    ['POST', '/mcp/v2/buyer', message('ping')],
    ['POST', '/mcp/v2/buyer', 'no JSON at all'],
    ['POST', '/mcp/v2/buyer/advertiser-list', message('tools/call')],
    ['POST', '/mcp/v2/buyer/no-such-tool', message('tools/call')],
    ['POST', '/mcp/v2/storefront', message('initialize')],
    ['GET', '/mcp/v2/buyer', undefined],
    ['DELETE', '/mcp/v2/buyer', undefined],
    ['PUT', '/mcp/v2/buyer', undefined],
  ])('is forbidden MCP before a word of it is read: %s %s %s', async (method, path, body) => {
    const reply = await one.client.send(`${server.url}${path}`, {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      ...(body === undefined ? {} : { body }),
    });

    expect(reply.status).toBe(403);
    expect(reply.headers.get('www-authenticate')).toMatch(
      /^Bearer .*error="insufficient_scope".*resource_metadata="http/,
    );
    expect(reply.body).not.toHaveProperty('jsonrpc');
  });

  test('may ask what everybody may: whether the service is well', async () => {
    expect((await one.client.get(`${server.url}/health`)).status).toBe(200);
  });

  test('is recognised by its access token alone: an assertion and a claim token open nothing', async () => {
    const registered = await agent.post('/agent/identity', { type: 'anonymous' });
    const { identity, claim } = registered.body;

    for (const secret of [identity.assertion, claim.token]) {
      expect((await clientFor(server.url, secret).get('/buyer/advertisers')).status).toBe(401);
    }
    expect((await agent.exchange(one.token)).body.error).toBe('invalid_grant');
  });

  test('has its token taken where it is for, and nowhere else', async () => {
    const registered = await agent.post('/agent/identity', { type: 'anonymous' });
    const { assertion } = registered.body.identity;
    const rest = await agent.exchange(assertion, { resource: `${server.url}/api/v2/buyer` });
    const sellers = await agent.exchange(assertion, { resource: `${server.url}/mcp/v2/storefront` });

    const statusWith = async (token: string) =>
      (await clientFor(server.url, token).get('/buyer/advertisers')).status;
    expect(await statusWith(rest.body.access_token)).toBe(200);
    expect(await statusWith(sellers.body.access_token)).toBe(401);
  });

  test('exchanges the same assertion again, as often as it likes', async () => {
    const registered = await agent.post('/agent/identity', { type: 'anonymous' });
    const clients = await Promise.all(
      [1, 2, 3].map(() => clientOf(server, agent, registered.body.identity.assertion)),
    );

    for (const client of clients) expect((await client.get('/buyer/advertisers')).status).toBe(200);
  });
});

/** How many rows there are of everything but what is written of refusals and of being seen. */
async function rowsOf({ store }: TestServer): Promise<Record<string, number>> {
  const tables = await store.db.introspection.getTables();
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    if (['audit_logs', 'processes'].includes(name) || name.startsWith('kysely')) continue;
    const { rows } = await store.db
      .withoutPlugins()
      .selectFrom(name as 'users')
      .select((eb) => eb.fn.countAll().as('n'))
      .execute()
      .then((all) => ({ rows: all }));
    counts[name] = Number(rows[0]?.n);
  }
  return counts;
}
