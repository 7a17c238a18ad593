import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headersOf } from '../support/callers/browsers.ts';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, signedInPerson } from '../support/callers/consenting.ts';
import { type Connected, type Connecting, connect, program } from '../support/callers/programs.ts';
import { newServiceToken } from '../support/callers/service-tokens.ts';
import { initialize } from '../support/mcp/mcp.ts';
import { openMcp } from '../support/mcp/open-session.ts';
import { skippingClock } from '../support/run/skipping-clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOUR_MS = 3_600_000;

describe('a service token that a program makes', () => {
  const clock = skippingClock();
  let server: TestServer;
  let person: Browser;
  beforeAll(async () => {
    server = await startTestServer({ clock });
    person = await signedInPerson(server);
  });
  afterAll(() => server.stop());

  async function asked({ tokens }: Connected, wanted: object) {
    const { status, body } = await clientFor(server.url, tokens.access_token).post('/service-tokens', wanted);
    return { status, bearer: `${body.data?.accessClientId}.${body.data?.accessClientSecret}` };
  }
  async function made(how: Connecting = {}, wanted: object = { role: 'ADMIN' }) {
    const connected = await connect(server, person, how);
    const { status, bearer } = await asked(connected, wanted);
    expect(status).toBe(201);
    return { connected, bearer };
  }
  const rest = async (bearer: string, path: string) => (await clientFor(server.url, bearer).get(path)).status;
  const mcp = async (bearer: string, path: string) => {
    const headers = { ...headersOf(bearer), 'content-type': 'application/json' };
    const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: initialize() });
    await answer.text();
    return answer.status;
  };
  const everywhere = async (bearer: string) => [
    await mcp(bearer, '/mcp/v2/buyer'),
    await rest(bearer, '/buyer/campaigns'),
    await mcp(bearer, '/mcp/v2/storefront'),
    await rest(bearer, '/storefront/join-links'),
  ];

  test.each([
    ['/mcp/v2/buyer', [200, 200, 401, 401]],
    ['/mcp/v2/storefront', [401, 401, 200, 200]],
    ['/api/v2', [401, 200, 401, 200]],
    ['', [200, 200, 200, 200]],
  ])('opens what the program’s own token opens, and nothing beside it: %s', async (resource, statuses) => {
    const { connected, bearer } = await made({ resource });

    expect(await everywhere(connected.tokens.access_token)).toEqual(statuses);
    expect(await everywhere(bearer)).toEqual(statuses);
  });

  test('ends when the program is disconnected, with what it holds open, and no other does', async () => {
    const [ended, kept] = [await made(), await made()];
    const session = await openMcp(server, ended.bearer);
    expect(await rest(ended.bearer, '/buyer/campaigns')).toBe(200);

    await program(server).revoke(ended.connected.tokens.refresh_token);

    expect(await rest(ended.bearer, '/buyer/campaigns')).toBe(401);
    await session.stream.text.catch(() => '');
    expect(session.stream.isOver()).toBe(true);
    expect(await rest(kept.bearer, '/buyer/campaigns')).toBe(200);
  });

  test('ends when the person takes back all programs on their page', async () => {
    const { bearer } = await made();
    const csrf = 'c'.repeat(43);

    await person.go(`${server.url}/settings/programs`, {
      method: 'POST',
      body: new URLSearchParams({ csrf }),
      headers: { origin: server.url },
    });

    expect(await rest(bearer, '/buyer/campaigns')).toBe(401);
  });

  test.each([
    ['reads only', { consent: { access: 'read' } }],
    ['makes and changes', { scope: 'openid buyer:write' }],
    ['manages accounts', { scope: 'openid account:admin' }],
  ] as const)('is not to be had for a program that %s', async (_what, how) => {
    const connected = await connect(server, person, how);

    for (const role of ['READ', 'READ_WRITE', 'ADMIN']) {
      expect((await asked(connected, { role })).status).toBe(403);
    }
  });

  test('makes no other', async () => {
    const { bearer } = await made();

    expect((await clientFor(server.url, bearer).post('/service-tokens', {})).status).toBe(403);
  });

  test('opens every side where the person made it at a browser', async () => {
    const { bearer } = await newServiceToken(server, person.organization);

    expect(await everywhere(bearer)).toEqual([200, 200, 200, 200]);
  });

  test('goes on when the token that made it is renewed or over, for a day', async () => {
    const { connected, bearer } = await made();

    clock.skip(2 * HOUR_MS);
    expect(await rest(connected.tokens.access_token, '/buyer/campaigns')).toBe(401);
    expect(await rest(bearer, '/buyer/campaigns')).toBe(200);
    clock.skip(22 * HOUR_MS);
    expect(await rest(bearer, '/buyer/campaigns')).toBe(401);
  });
});
