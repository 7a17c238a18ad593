import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientFor, type Reply } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { manualClock } from '../support/run/clock.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { startTestServer, type TestOptions, type TestServer } from '../support/server/server.ts';

const WINDOW = 60;

/** The limit headers of an answer, each spelling read for itself. */
function limitsOf({ headers }: Reply) {
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  return {
    limit: number('ratelimit-limit'),
    remaining: number('ratelimit-remaining'),
    reset: number('ratelimit-reset'),
    policy: headers.get('ratelimit-policy'),
    combined: headers.get('ratelimit'),
  };
}

function expectRefused(reply: Reply, limit: number): void {
  expectEnvelope(reply);
  expectRefusal(reply, 429, {
    code: 'RATE_LIMITED',
    words: /^Too many requests\. Retry in \d+ s\.$/,
    details: { suggestion: expect.stringContaining('Retry-After') },
  });
  const retryAfter = Number(reply.headers.get('retry-after'));
  expect(retryAfter).toBeGreaterThanOrEqual(1);
  expect(retryAfter).toBeLessThanOrEqual(WINDOW);
  expect(limitsOf(reply)).toMatchObject({ limit, remaining: 0, reset: retryAfter });
}

describe('the limit of an account', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      settings: { RATE_LIMIT_BASIC: '2', RATE_LIMIT_STANDARD: '4', RATE_LIMIT_PREMIUM: '6' },
    });
  });
  afterAll(() => server.stop());

  const ask = (client: Client) => client.get('/buyer/advertisers');

  test.each([
    ['basic', 2],
    ['standard', 4],
    ['premium', 6],
  ] as const)(
    'of tier %s is %i requests a minute, and every answer says how many are left',
    async (tier, limit) => {
      const person = await newPerson(server, { tier });

      for (let left = limit - 1; left >= 0; left -= 1) {
        const reply = await ask(person);
        const { reset, ...told } = limitsOf(reply);
        expect(reply.status).toBe(200);
        expect(reset).toBeGreaterThan(0);
        expect(reset).toBeLessThanOrEqual(WINDOW);
        expect(told).toEqual({
          limit,
          remaining: left,
          policy: `${limit};w=${WINDOW}`,
          combined: `limit=${limit}, remaining=${left}, reset=${reset}`,
        });
        expect(reply.headers.has('retry-after')).toBe(false);
      }
      expectRefused(await ask(person), limit);
    },
  );

  test('is one for all its keys, and for REST and MCP together', async () => {
    const person = await newPerson(server, { tier: 'basic' });
    const second = await person.withKey(['buyer:read']);
    const bound = await person.withKey(['buyer:read'], Number(person.accounts.BUYER));
    const mcp = () =>
      clientFor(server.url, person.key).send(`${server.url}/mcp/v2/buyer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      });

    expect(limitsOf(await ask(person)).remaining).toBe(1);
    expect(limitsOf(await mcp()).remaining).toBe(0);

    expectRefused(await ask(second), 2);
    expectRefused(await ask(bound), 2);
    expectRefused(await mcp(), 2);
  });

  test('leaves other accounts alone', async () => {
    const busy = await newPerson(server, { tier: 'basic' });
    for (let count = 0; count < 3; count += 1) await ask(busy);

    expect((await ask(busy)).status).toBe(429);
    expect((await ask(await newPerson(server, { tier: 'basic' }))).status).toBe(200);
  });

  test('counts what is refused, and changes nothing once it is reached', async () => {
    const person = await newPerson(server, { tier: 'basic' });
    await person.post('/buyer/advertisers', {});
    await ask(person);

    expectRefused(
      await person.post('/buyer/advertisers', {
        name: 'A',
        brand: 'a.example',
        saveBrand: true,
        primaryCurrency: 'USD',
      }),
      2,
    );

    const { count } = await server.store.db
      .selectFrom('advertisers')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('organization_id', '=', person.organizationId)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(0);
  });

  test('begins anew a minute after its first request', async () => {
    const clock = manualClock();
    const timed = await startTestServer({ clock, settings: { RATE_LIMIT_BASIC: '2' } });
    const person = await newPerson(timed, { tier: 'basic' });
    await ask(person);
    clock.advance(20_000);
    await ask(person);

    const refused = await ask(person);
    expectRefused(refused, 2);
    expect(refused.headers.get('retry-after')).toBe('40');

    clock.advance(39_999);
    expectRefused(await ask(person), 2);
    clock.advance(1);
    expect(limitsOf(await ask(person))).toMatchObject({ remaining: 1, reset: WINDOW });
    await timed.stop();
  });

  test('does not count for what needs no credential', async () => {
    const person = await newPerson(server, { tier: 'basic' });
    for (let count = 0; count < 3; count += 1) {
      expect((await person.send(`${server.url}/health`, {})).status).toBe(200);
    }
  });
});

describe('the limit of an IP address', () => {
  let server: TestServer | undefined;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  const start = async (settings: TestOptions['settings']) => {
    server = await startTestServer({ settings: { RATE_LIMIT_PER_IP: '3', ...settings } });
    const { url } = server;
    return (path: string, forwarded?: string) =>
      clientFor(url).send(`${url}${path}`, {
        headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
      });
  };

  test('counts every request of REST and MCP, with or without a credential, known address or not', async () => {
    const ask = await start({ NODE_ENV: 'production' });

    expect(limitsOf(await ask('/openapi.json'))).toMatchObject({ limit: 3, remaining: 2, policy: '3;w=60' });
    expect(limitsOf(await ask('/api/v2/nothing'))).toMatchObject({ limit: 3, remaining: 1 });
    const unknown = await ask('/mcp/v2/buyer');
    expect(unknown.status).toBe(401);
    expect(limitsOf(unknown)).toMatchObject({ limit: 3, remaining: 0 });
    for (const path of ['/api/v2/nothing', '/api/v2/buyer/advertisers', '/mcp/v2/buyer'])
      expectRefused(await ask(path), 3);
  });

  test('counts pages and documents, and what is nowhere, together with the rest', async () => {
    const ask = await start({ NODE_ENV: 'production' });

    for (const [left, path] of [
      [2, '/docs'],
      [1, '/openapi.json'],
      [0, '/nothing'],
    ] as const)
      expect(limitsOf(await ask(path))).toMatchObject({ limit: 3, remaining: left });

    for (const path of ['/docs', '/openapi.json', '/nothing', '/api/v2/nothing'])
      expectRefused(await ask(path), 3);
  });

  test('is not taken from by /health: a monitor asks as often as it likes, also when the limit is reached', async () => {
    const ask = await start({ NODE_ENV: 'production' });

    for (let count = 0; count < 3; count += 1) expect((await ask('/health')).status).toBe(200);
    expect(limitsOf(await ask('/nothing'))).toMatchObject({ limit: 3, remaining: 2 });
    for (let count = 0; count < 3; count += 1) await ask('/nothing');
    const { status, headers } = await ask('/health');
    expect(status).toBe(200);
    expect(headers.has('ratelimit')).toBe(false);
  });

  test('spares loopback in development, and only there', async () => {
    const ask = await start({ NODE_ENV: 'development' });

    for (let count = 0; count < 4; count += 1) {
      const reply = await ask('/openapi.json');
      expect(reply.status).toBe(200);
      expect(reply.headers.has('ratelimit')).toBe(false);
    }
  });

  test('stands above the limit of the account: the answer names whichever is nearer', async () => {
    await start({ NODE_ENV: 'production' });
    if (server === undefined) throw new Error('No server.');
    const person = await newPerson(server, { tier: 'premium' });

    const replies = [];
    for (let count = 0; count < 4; count += 1) replies.push(await person.get('/buyer/advertisers'));

    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
    expect(replies.slice(0, 3).map(limitsOf)).toMatchObject(
      [2, 1, 0].map((left) => ({ limit: 3, remaining: left })),
    );
    expectRefused(replies[3] as Reply, 3);
  });

  test('leaves the answer to the limit of the account where that is nearer', async () => {
    await start({ NODE_ENV: 'production', RATE_LIMIT_PER_IP: '600', RATE_LIMIT_BASIC: '2' });
    if (server === undefined) throw new Error('No server.');
    const person = await newPerson(server, { tier: 'basic' });

    expect(limitsOf(await person.get('/buyer/advertisers'))).toMatchObject({ limit: 2, remaining: 1 });
  });

  test('ignores X-Forwarded-For of whoever is no trusted proxy', async () => {
    const ask = await start({ NODE_ENV: 'production' });

    for (let count = 0; count < 3; count += 1) await ask('/openapi.json', `203.0.113.${count}`);

    expectRefused(await ask('/openapi.json', '203.0.113.9'), 3);
  });

  describe('behind a trusted proxy', () => {
    const trusted = { TRUSTED_PROXIES: '127.0.0.0/8,10.0.0.0/8,2001:db8:ffff::/48' };

    const remaining = async (ask: Awaited<ReturnType<typeof start>>, forwarded: string) =>
      limitsOf(await ask('/openapi.json', forwarded)).remaining;

    test('is counted for the last address in X-Forwarded-For that is no proxy’s', async () => {
      const ask = await start(trusted);

      expect(await remaining(ask, '203.0.113.1')).toBe(2);
      expect(await remaining(ask, '203.0.113.2')).toBe(2);
      expect(await remaining(ask, '203.0.113.1, 10.1.2.3')).toBe(1);
      expect(await remaining(ask, '203.0.113.1 , 2001:db8:ffff::9, 10.1.2.3')).toBe(0);
      expectRefused(await ask('/openapi.json', '::ffff:203.0.113.1'), 3);
    });

    test('cannot be escaped by an address that the caller wrote in front', async () => {
      const ask = await start(trusted);

      for (const [left, invented] of [2, 1, 0].entries()) {
        expect(await remaining(ask, `198.51.100.${left}, 203.0.113.1`)).toBe(invented);
      }
      expectRefused(await ask('/openapi.json', '127.0.0.1, 203.0.113.1'), 3);
    });

    test('is one for a whole IPv6 network of 56 bits, however its addresses are written', async () => {
      const ask = await start(trusted);

      expect(await remaining(ask, '2001:db8::1')).toBe(2);
      expect(await remaining(ask, '2001:db8::2')).toBe(1);
      expect(await remaining(ask, '2001:0DB8:0:0:ffff:1:2:3')).toBe(0);
      expect(await remaining(ask, '2001:db8:0:100::1')).toBe(2);
      expectRefused(await ask('/openapi.json', '2001:db8:0:ff::'), 3);
    });

    test('is one for a network as large as the settings say', async () => {
      const ask = await start({ ...trusted, RATE_LIMIT_IPV6_PREFIX: '64' });

      expect(await remaining(ask, '2001:db8::1')).toBe(2);
      expect(await remaining(ask, '2001:db8:0:1::1')).toBe(2);
      expect(await remaining(ask, '2001:db8::2')).toBe(1);
    });

    test('is one for an IPv4 address, whatever it is dressed in', async () => {
      const ask = await start(trusted);

      expect(await remaining(ask, '203.0.113.9')).toBe(2);
      expect(await remaining(ask, '::FFFF:203.0.113.9')).toBe(1);
      expect(await remaining(ask, '::ffff:cb00:7109')).toBe(0);
      expectRefused(await ask('/openapi.json', '0:0:0:0:0:ffff:cb00:7109'), 3);
    });

    test('falls back on the proxy where it names no address', async () => {
      const ask = await start({ ...trusted, NODE_ENV: 'production' });

      for (const [index, nonsense] of ['garbage', '', 'unknown, garbage'].entries()) {
        expect(await remaining(ask, nonsense)).toBe(2 - index);
      }
      expectRefused(await ask('/openapi.json', '999.1.1.1'), 3);
    });

    test('reads an address that comes with a port', async () => {
      const ask = await start(trusted);

      expect(await remaining(ask, '203.0.113.1:5555')).toBe(2);
      expect(await remaining(ask, '203.0.113.1:6666')).toBe(1);
      expect(await remaining(ask, '[2001:db8::1]:5555')).toBe(2);
      expect(await remaining(ask, '[2001:db8::1]')).toBe(1);
    });
  });
});
