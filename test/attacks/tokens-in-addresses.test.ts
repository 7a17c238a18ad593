import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, signedInPerson } from '../support/callers/consenting.ts';
import { connect } from '../support/callers/programs.ts';
import { newServiceToken } from '../support/callers/service-tokens.ts';
import { initialize } from '../support/mcp/mcp.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What clients have called a credential in the query of an address, or in a form (RFC 6750, sections 2.2 and 2.3). */
const NAMES = ['access_token', 'token', 'api_key', 'apikey', 'key', 'authorization', 'bearer'] as const;
const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';

/** Where a credential opens something; an unversioned address leads on before anything is asked. */
const PLACES = [
  ['GET', '/api/v2/buyer/campaigns', 401],
  ['GET', '/api/v2/buyer/events', 401],
  ['GET', '/api/v2/storefront/products', 401],
  ['GET', '/api/v2/org-api-keys', 401],
  ['POST', '/api/v2/buyer/advertisers', 401],
  ['GET', '/mcp/v2/buyer', 401],
  ['POST', '/mcp/v2/buyer', 401],
  ['POST', '/mcp/v2/storefront', 401],
  ['GET', '/auth/userinfo', 401],
  ['POST', '/auth/userinfo', 401],
  ['GET', '/widgets/api-keys/keys', 401],
  ['POST', '/mcp/buyer', 308],
  ['GET', '/api/buyer/campaigns', 308],
] as const;

describe('a credential in an address or a form', () => {
  let server: TestServer;
  let person: Browser;
  let credentials: readonly string[];
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    person = await signedInPerson(server);
    const { tokens } = await connect(server, person);
    const { bearer } = await newServiceToken(server, person.organization);
    credentials = [person.organization.key, tokens.access_token, bearer];
  });
  afterAll(() => server.stop());

  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const address = new URL(path, server.url);
    const { status, headers, body } = await fetch(address, { redirect: 'manual', method, ...init });
    await body?.cancel();
    return { status, location: headers.get('location') ?? '' };
  };
  const bodyFor = (method: string, path: string): RequestInit =>
    method === 'GET'
      ? {}
      : { headers: { 'content-type': JSON_TYPE }, body: path.startsWith('/mcp') ? initialize() : '{}' };

  test.each(PLACES)('opens nothing: %s %s', async (method, path, answered) => {
    for (const shown of credentials) {
      for (const name of NAMES) {
        const query = new URLSearchParams({ [name]: shown });
        const { status } = await ask(method, `${path}?${query}`, bodyFor(method, path));
        expect([name, status]).toEqual([name, answered]);
      }
    }
  });

  test('opens nothing in a form either', async () => {
    for (const shown of credentials) {
      const form = {
        headers: { 'content-type': FORM_TYPE },
        body: new URLSearchParams({ access_token: shown }),
      };
      for (const path of ['/auth/userinfo', '/mcp/v2/buyer', '/api/v2/buyer/advertisers']) {
        expect([path, (await ask('POST', path, form)).status]).toEqual([path, 401]);
      }
    }
  });

  test('signs nobody in at a page: neither a session nor a key is read from its address', async () => {
    const session = person.cookies.get('/ rialto_session')?.split('=')[1] ?? '';
    for (const [name, value] of [
      ['rialto_session', session],
      ...credentials.map((one) => ['access_token', one]),
    ]) {
      const { status, location } = await ask(
        'GET',
        `/settings/profile?${name}=${encodeURIComponent(value ?? '')}`,
      );
      expect(status).toBe(303);
      expect(new URL(location, server.url).pathname).toBe('/sign-in');
    }
  });

  test('is in no line of the log', () => {
    const lines = JSON.stringify(server.log.lines);

    expect(server.log.lines.length).toBeGreaterThan(PLACES.length);
    for (const shown of credentials) expect(lines).not.toContain(shown);
  });
});
