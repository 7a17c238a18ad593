import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { restPaths } from '../../tools/core/addresses.ts';
import { tools } from '../../tools/registry.ts';
import { clientFor } from '../support/callers/client.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { connect, program } from '../support/callers/programs.ts';
import { expectRefusal, refusalCode } from '../support/callers/refusals.ts';
import { manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const AGENT_HOST = 'agents.example';
const DOCUMENT = '/.well-known/oauth-protected-resource';
const RESOURCES = [
  '',
  '/mcp/v2/buyer',
  '/mcp/buyer',
  '/mcp/v2/storefront',
  '/mcp/storefront',
  '/api/v2/buyer',
  '/api/buyer',
  '/api/v2/storefront',
  '/api/storefront',
  '/api/v2',
];
const WELL_KNOWN = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/.well-known/jwks.json',
  '/.well-known/brand.json',
  ...RESOURCES.map((path) => `${DOCUMENT}${path}`),
];

describe('discovery', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { AGENT_URL: `http://${AGENT_HOST}` } });
  });
  afterAll(() => server.stop());

  const bytesAt = (path: string, host: string) =>
    new Promise<{ status: number; bytes: string }>((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      request({ hostname, port, path, headers: { host } }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => {
          resolve({ status: answer.statusCode ?? 0, bytes: Buffer.concat(chunks).toString('hex') });
        });
      })
        .on('error', reject)
        .end();
    });

  test.each(WELL_KNOWN)('is the same on both hosts, byte by byte: %s', async (path) => {
    const [api, agent] = [await bytesAt(path, new URL(server.url).host), await bytesAt(path, AGENT_HOST)];

    expect(api.status).toBe(200);
    expect(agent).toEqual(api);
  });

  test.each(RESOURCES)('has a document for each address that a token may be for: %j', async (path) => {
    const { body } = await program(server).get(`${DOCUMENT}${path}`);

    expect(body).toMatchObject({
      resource: `${server.url}${path}`,
      authorization_servers: [server.url],
      scopes_supported: ['openid', 'profile', 'email'],
      bearer_methods_supported: ['header'],
    });
  });

  test('names every endpoint, each of which is there', async () => {
    const { body } = await program(server).get('/.well-known/oauth-authorization-server');

    expect(body).toMatchObject({
      issuer: server.url,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      response_types_supported: ['code'],
      id_token_signing_alg_values_supported: ['ES256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    });
    expect(body.grant_types_supported).toEqual(
      expect.arrayContaining(['authorization_code', 'refresh_token', 'client_credentials']),
    );
    for (const name of ['authorization', 'token', 'registration', 'revocation', 'userinfo']) {
      const address = body[`${name}_endpoint`];
      const method = name === 'authorization' ? 'GET' : 'POST';
      expect((await fetch(address, { method, redirect: 'manual' })).status, address).not.toBe(404);
    }
  });

  test('names no URN but those of the IETF, in its documents and in the guide for agents', async () => {
    const paths = [...WELL_KNOWN, '/auth.md', '/llms.txt', '/openapi.json'];
    const texts = await Promise.all(paths.map(async (path) => (await fetch(`${server.url}${path}`)).text()));
    const urns = texts.flatMap((text) => text.match(/\burn:[\w:.-]+/g) ?? []);

    expect(urns).toContain('urn:ietf:params:oauth:grant-type:jwt-bearer');
    expect(urns.filter((urn) => !urn.startsWith('urn:ietf:'))).toEqual([]);
  });

  test.each(['GET', 'POST'])('begins at the refusal of REST: %s', async (method) => {
    const reply = await clientFor(server.url).send('/buyer/campaigns', { method });

    expectRefusal(reply, 401, { code: 'UNAUTHORIZED', words: 'This call needs a credential.' });
    expect(reply.headers.get('www-authenticate')).toBe(
      `Bearer realm="api", resource_metadata="${server.url}${DOCUMENT}/api/v2/buyer"`,
    );
  });

  test('begins at the refusal of every address of REST that is not for everybody', async () => {
    const { send } = clientFor(server.url);
    const closed = tools.filter(({ access }) => access.kind !== 'open');
    const addresses = closed.flatMap(({ surface, rest }) =>
      restPaths(surface, rest).map((path) => ({
        path: path.replace(/\{\w+\}/g, '1'),
        method: rest?.method ?? 'GET',
      })),
    );

    const wrong: string[] = [];
    for (const { path, method } of addresses) {
      const reply = await send(`${server.url}${path}`, { method });
      const challenge = reply.headers.get('www-authenticate') ?? '';
      const isSound = challenge.startsWith(
        `Bearer realm="api", resource_metadata="${server.url}${DOCUMENT}/`,
      );
      if (reply.status !== 401 || refusalCode(reply) !== 'UNAUTHORIZED' || !isSound)
        wrong.push(`${method} ${path}: ${reply.status} ${challenge}`);
    }
    expect(wrong).toEqual([]);
    expect(addresses.length).toBeGreaterThan(closed.length / 2);
  });

  test.each([
    ['/mcp/v2/buyer', '/mcp/v2/buyer'],
    ['/mcp/v2/storefront', '/mcp/v2/storefront'],
    ['/mcp/buyer', '/mcp/buyer'],
    ['/mcp/storefront?toolsets=selling', '/mcp/storefront'],
    ['/mcp/buyer/advertiser-list', '/mcp/buyer'],
  ])('begins at the refusal of MCP, which names the address that was called: %s', async (path, named) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, headers } = await fetch(`${server.url}${path}`, { method });

      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toBe(
        `Bearer realm="api", scope="openid profile email", resource_metadata="${server.url}${DOCUMENT}${named}"`,
      );
    }
  });

  test.each([
    'Bearer nothing',
    'Bearer eyJhbGciOiJFUzI1NiJ9.e30.AAAA',
    'Bearer rialto_live_x',
    'Basic eDp5',
    'Bearer',
  ])('is pointed to by every refusal of a credential: %s', async (authorization) => {
    for (const path of ['/api/v2/buyer/campaigns', '/mcp/v2/buyer', '/api/v2/storefront/products']) {
      const { status, headers } = await fetch(`${server.url}${path}`, { headers: { authorization } });

      expect(status).toBe(401);
      expect(headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(headers.get('www-authenticate')).toContain(`resource_metadata="${server.url}${DOCUMENT}/`);
    }
  });

  test.each([
    ['/api/v2/signup/buyers', { name: 'Acme' }],
    ['/agent/identity/claim', { type: 'service_auth', claim_token: 'clm_x', login_hint: 'a@b.example' }],
    ['/widgets/api-keys/keys', { name: 'Key', permissions: ['buyer:read'] }],
    ['/auth/userinfo', {}],
  ])('is pointed to by what stands beside REST and MCP as well: %s', async (path, body) => {
    const { status, headers } = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toContain(`resource_metadata="${server.url}${DOCUMENT}"`);
  });

  const preflight = (path: string) =>
    fetch(`${server.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://page.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type, mcp-protocol-version',
      },
    });

  test.each([
    '/auth/register',
    '/auth/token',
    '/auth/revoke',
    '/mcp/v2/buyer',
    '/mcp/v2/storefront',
    '/mcp/v2/buyer/advertiser-list',
    '/mcp/buyer',
    ...WELL_KNOWN.slice(0, 5),
  ])('lets pages of any origin call %s', async (path) => {
    const { status, headers } = await preflight(path);
    const answer = await fetch(`${server.url}${path}`, { headers: { origin: 'https://page.example' } });

    expect(status).toBe(204);
    for (const one of [headers, answer.headers]) {
      expect(one.get('access-control-allow-origin')).toBe('*');
      expect(one.get('access-control-allow-credentials')).toBeNull();
      expect(one.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    }
    expect(headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  });

  test.each([
    '/api/v2/org-api-keys',
    '/api/v2/buyer/campaigns',
    '/authorize',
    '/auth/interaction/x',
    '/auth/userinfo',
    '/auth/tokens',
    '/sign-in',
    '/',
  ])('lets no other page call %s', async (path) => {
    const { status, headers } = await preflight(path);

    expect(status).toBe(403);
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the keys that sign', () => {
  test('are followed when they are rotated, and the old one is published until its last token is over', async () => {
    const { rotateSigningKey } = await import('../../adapters/auth/tokens.ts');
    const clock = manualClock();
    const server = await startTestServer({ clock, settings: { PROCESS_LEASE_MS: '60000' } });
    const person = await signedInPerson(server);
    const { services } = server.running.app;
    const kids = async () => {
      const { body } = await program(server).get('/.well-known/jwks.json');
      return body.keys.map(({ kid }: { kid: string }) => kid);
    };
    const kidOf = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
    const before = await connect(server, person);
    const kid = await rotateSigningKey({ store: server.store, clock, secrets: services.ports.secrets });
    clock.advance(61_000);
    const after = await connect(server, person);
    const { get } = clientFor(server.url, before.tokens.access_token);

    expect(kidOf(after.tokens.access_token)).toBe(kid);
    expect(kidOf(after.tokens.id_token)).toBe(kid);
    expect(await kids()).toEqual([kid, kidOf(before.tokens.access_token)]);
    expect((await get('/buyer/campaigns')).status).toBe(200);
    expect(JSON.stringify((await program(server).get('/.well-known/jwks.json')).body)).not.toContain('"d"');
    await server.stop();
  });
});
