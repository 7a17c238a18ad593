import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectRefusal } from '../support/callers/refusals.ts';
import { sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ADDRESSES = ['/api/v2/buyer/advertisers', '/mcp/v2/buyer', '/docs', '/', '/openapi.json', '/nowhere'];

/** What the door says; whatever else comes back, the request was let in. */
function isTurnedAway({ status, body }: { status: number; body: { error?: { message: string } } }): boolean {
  return status === 403 && /Host|origin/.test(body?.error?.message ?? '');
}

function ask(server: TestServer, path: string, ...headers: string[]) {
  return sendBytes(
    server.url,
    `${['GET', path, 'HTTP/1.1'].join(' ')}\r\n${headers.join('\r\n')}\r\nConnection: close\r\n\r\n`,
  );
}

describe('the door', () => {
  let local: TestServer;
  let proxied: TestServer;
  beforeAll(async () => {
    local = await startTestServer({ settings: { ALLOWED_ORIGINS: 'https://app.example' } });
    const settings = { HOST: '0.0.0.0', PUBLIC_URL: 'https://ads.example', ALLOWED_HOSTS: 'inside.example' };
    const service = await startTestServer({ settings });
    proxied = { ...service, url: service.url.replace('0.0.0.0', '127.0.0.1') };
  });
  afterAll(() => Promise.all([local.stop(), proxied.stop()]));

  test.each(ADDRESSES)('turns foreign hosts away from %s', async (path) => {
    for (const host of ['rebound.example', '127.0.0.1.rebound.example:4000', 'ads.example.evil'])
      expect(isTurnedAway(await ask(local, path, `Host: ${host}`))).toBe(true);
    for (const host of ['127.0.0.1', 'other.example', 'ads.example:8080'])
      expect(isTurnedAway(await ask(proxied, path, `Host: ${host}`))).toBe(true);
  });

  test.each(ADDRESSES)('lets the hosts of the service in at %s', async (path) => {
    for (const host of ['localhost', '127.0.0.1:9', '[::1]:4000'])
      expect(isTurnedAway(await ask(local, path, `Host: ${host}`))).toBe(false);
    for (const host of ['ads.example', 'ADS.example:443', 'inside.example:8080'])
      expect(isTurnedAway(await ask(proxied, path, `Host: ${host}`))).toBe(false);
  });

  test.each(['a b', '[', 'a:99999', '', 'a@b'])('answers 400 to the host “%s”, everywhere', async (host) => {
    for (const path of [...ADDRESSES, '/health']) {
      const reply = await ask(proxied, path, `Host: ${host}`);
      expectRefusal(reply, 400, { code: 'BAD_REQUEST', words: 'The Host header is no host.' });
    }
  });

  test('answers 400 to a second Host and to a second Authorization', async () => {
    const cases = [
      [['Host: localhost'], 'The request names more than one Host.'],
      [
        ['Authorization: Bearer a', 'authorization: Bearer b'],
        'The request has two Host or two Authorization headers.',
      ],
    ] as const;
    for (const [twice, words] of cases) {
      const reply = await ask(local, '/api/v2/buyer/advertisers', 'Host: localhost', ...twice);
      expectRefusal(reply, 400, { code: 'BAD_REQUEST', words });
    }
  });

  test('lets monitors ask for health under any host', async () => {
    expect((await ask(proxied, '/health', 'Host: 10.1.2.3:8080')).status).toBe(200);
  });

  test('turns pages of other origins away, and names none of them', async () => {
    const origins = [
      'evil://127.0.0.1',
      'chrome-extension://localhost',
      'http://localhost:6274',
      'null',
      'http://',
    ];
    for (const origin of [...origins, 'https://app.example.org', 'http://app.example']) {
      for (const path of ADDRESSES.filter((address) => !address.startsWith('/mcp'))) {
        const reply = await ask(local, path, 'Host: localhost:4000', `Origin: ${origin}`);
        expect(isTurnedAway(reply)).toBe(true);
        expect(reply.headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
  });

  test('lets any page call MCP, which needs a token that no browser adds, under our own hosts alone', async () => {
    const origin = 'Origin: https://elsewhere.example';
    const reply = await ask(local, '/mcp/v2/buyer', 'Host: localhost:4000', origin);
    const rebound = await ask(local, '/mcp/v2/buyer', 'Host: elsewhere.example', origin);

    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([401, '*']);
    expect(isTurnedAway(rebound)).toBe(true);
  });

  test('says which setting would let a page in, and repeats no origin that it could not hold', async () => {
    const origin = 'http://localhost:6274';
    for (const path of ADDRESSES.filter((address) => !address.startsWith('/mcp'))) {
      const { body } = await ask(local, path, 'Host: localhost:4000', `Origin: ${origin}`);
      expect(JSON.stringify(body)).toContain(`ALLOWED_ORIGINS=${origin}`);
      const odd = await ask(local, path, 'Host: localhost:4000', 'Origin: http://a.example/<script>');
      expect(JSON.stringify(odd.body)).not.toContain('script');
    }
  });

  test('lets in its own pages, as a browser of this machine names them, and those in the settings', async () => {
    const { port } = new URL(local.url);
    for (const name of ['localhost', '127.0.0.1', '[::1]']) {
      const own = `http://${name}:${port}`;
      const reply = await ask(local, '/openapi.json', `Host: ${name}:${port}`, `Origin: ${own}`);
      expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([200, own]);
    }
    const named = await ask(local, '/openapi.json', 'Host: localhost', 'Origin: https://app.example');
    expect(named.headers['access-control-allow-origin']).toBe('https://app.example');
  });
});
