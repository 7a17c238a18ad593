import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOauthClient } from '../../store/unscoped/oauth-clients.ts';
import { type Browser, locationOf, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { authorizeUrl, newPkce, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What hosts of five kinds send: a web assistant, an editor, another editor, a chat, a page for developers. */
const BODIES: Readonly<Record<string, { redirect_uris: readonly string[] } & Record<string, unknown>>> = {
  'a web assistant': {
    client_name: 'Assistant',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'openid profile email',
    redirect_uris: ['https://assistant.example/api/mcp/auth_callback'],
  },
  'an editor with a scheme of its own': {
    client_name: 'Editor',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    redirect_uris: [
      'editor://vendor.editor-mcp/oauth/callback',
      'https://www.editor.example/agents/mcp/oauth/callback',
      'http://localhost:8787/callback',
    ],
  },
  'an editor with a slash at the end': {
    client_name: 'Another editor',
    client_uri: 'https://code.example',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: 'native',
    redirect_uris: [
      'https://insiders.code.example/redirect',
      'https://code.example/redirect',
      'http://127.0.0.1/',
      'http://127.0.0.1:33418/',
    ],
  },
  'a chat with an address for each connector': {
    client_name: 'Chat',
    application_type: 'web',
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [
      'https://chat.example/connector/oauth/AbC_9%2Fz',
      'https://chat.example/connector_platform_oauth_redirect',
    ],
  },
  'a page for developers': {
    client_name: 'Inspector',
    redirect_uris: ['http://localhost:6274/oauth/callback', 'http://localhost:6274/oauth/callback/debug'],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: '',
    contacts: [],
  },
};

describe('registration', () => {
  let server: TestServer;
  let person: Browser;
  beforeAll(async () => {
    server = await startTestServer();
    person = await signedInPerson(server);
  });
  afterAll(() => server.stop());
  const register = (body: unknown) => program(server).register(body);

  test('takes a name and redirect addresses, and gives a public client without a secret', async () => {
    const { status, body, headers } = await register({ client_name: 'A program', redirect_uris: [CALLBACK] });

    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({
      client_id: expect.stringMatching(/^oc_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'A program',
      redirect_uris: [CALLBACK],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
  });

  test.each(['client_secret_post', 'client_secret_basic', 'private_key_jwt'])(
    'gives a public client to who asks for %s',
    async (method) => {
      const { status, body } = await register({
        redirect_uris: [CALLBACK],
        token_endpoint_auth_method: method,
        client_secret: 'wanted',
      });

      expect(status).toBe(201);
      expect(body.token_endpoint_auth_method).toBe('none');
      expect(body).not.toHaveProperty('client_secret');
    },
  );

  test.each(Object.entries(BODIES))(
    'takes what %s sends, and keeps every address letter by letter',
    async (_who, sent) => {
      const { status, body } = await register(sent);

      expect(status).toBe(201);
      expect(body.redirect_uris).toEqual(sent.redirect_uris);
      expect(body.token_endpoint_auth_method).toBe('none');
      for (const uri of sent.redirect_uris) {
        const address = authorizeUrl(server.url, body.client_id, {
          redirect_uri: uri,
          code_challenge: newPkce().challenge,
        });
        const page = locationOf(await person.go(address), address);
        expect(page.pathname).toMatch(/^\/auth\/interaction\//);
      }
    },
  );

  test.each<[string, unknown]>([
    ['none', {}],
    ['an empty list', { redirect_uris: [] }],
    ['no list', { redirect_uris: CALLBACK }],
    ['eleven', { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`) }],
    ['one that is too long', { redirect_uris: [`https://a.example/${'a'.repeat(2_048)}`] }],
    ['one with a fragment', { redirect_uris: ['https://a.example/#here'] }],
    ['one with a password', { redirect_uris: ['https://me:secret@a.example/'] }],
    ['plain http to another host', { redirect_uris: ['http://a.example/'] }],
    ['a host that begins like loopback', { redirect_uris: ['http://localhost.a.example/'] }],
    ['a path', { redirect_uris: ['/callback'] }],
    ['one with a line break', { redirect_uris: ['https://a.example/\n'] }],
    ['one with a backslash', { redirect_uris: ['https://a.example\\@b.example/'] }],
    ['one with letters that look alike', { redirect_uris: ['https://\u0430.example/'] }],
    ['one that is bad beside a good one', { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'blob:x',
      'about:blank',
    ].map((uri): [string, unknown] => [uri, { redirect_uris: [uri] }]),
  ])('refuses redirect addresses: %s', async (_which, body) => {
    const refused = await register(body);

    expect(refused.status).toBe(400);
    expect(refused.body).toEqual({ error: 'invalid_redirect_uri', error_description: expect.any(String) });
  });

  test.each([
    [
      'a name of 101 letters',
      { client_name: 'a'.repeat(101), redirect_uris: [CALLBACK] },
      'invalid_client_metadata',
    ],
    [
      'a name that is no text',
      { client_name: { toString: 1 }, redirect_uris: [CALLBACK] },
      'invalid_client_metadata',
    ],
    ['a list', [], 'invalid_client_metadata'],
    [
      'a body beyond its limit',
      { client_name: 'a'.repeat(70_000), redirect_uris: [CALLBACK] },
      'invalid_request',
    ],
  ])('refuses %s', async (_what, body, error) => {
    const refused = await register(body);

    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe(error);
  });

  test.each([
    ['Rialto\u202e Admin', 'Rialto Admin'],
    ['\u200bBank\u2066 \u0000'.replace('\u0000', '\u0007'), 'Bank'],
    ['  Two\n lines\t', 'Two lines'],
    ['\u3164', 'Unnamed program'],
    // Characters that draw nothing and can spell out a message to a machine.
    ['Bank\u{e0148}\u{e0149}\ufe00', 'Bank'],
    ['Ba\u034fnk\u{e0041}', 'Bank'],
    ['\uf8ff Fruit', 'Fruit'],
    ['\u{1f469}\u200d\u{1f4bb} Tools', '\u{1f469}\u200d\u{1f4bb} Tools'],
    ['', 'Unnamed program'],
    [undefined, 'Unnamed program'],
  ])('cleans the name %j of what a reader does not see', async (name, shown) => {
    const { body } = await register({ client_name: name, redirect_uris: [CALLBACK] });

    expect(body.client_name).toBe(shown);
  });

  test('shows markup in a name as text on the page that asks', async () => {
    const name = '<img src=x onerror=alert(1)>"\'';
    const { body } = await register({ client_name: name, redirect_uris: [CALLBACK] });
    const address = authorizeUrl(server.url, body.client_id, { code_challenge: newPkce().challenge });
    const page = await person.go(locationOf(await person.go(address), address));
    const text = await page.text();

    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(text).not.toContain('<img');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('names every redirect address that is wrong, at once', async () => {
    const redirect_uris = ['javascript:alert(1)', CALLBACK, 'http://acme.example/cb', 7];

    const { status, body } = await register({ client_name: 'A program', redirect_uris });

    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
    for (const index of [0, 2, 3]) expect(body.error_description).toContain(`redirect_uris[${index}]`);
    expect(body.error_description).not.toContain('redirect_uris[1]');
  });

  test('is limited for each address, and says when to come again', async () => {
    const strict = await startTestServer({
      settings: { NODE_ENV: 'production', RATE_LIMIT_REGISTRATION: '2' },
    });
    const body = { redirect_uris: [CALLBACK] };
    const statuses: number[] = [];
    for (let index = 0; index < 2; index += 1) {
      statuses.push((await program(strict).register(body)).status);
    }
    const refused = await program(strict).register(body);

    expect(statuses).toEqual([201, 201]);
    expect(refused.status).toBe(429);
    expect(refused.body.error).toBe('slow_down');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await strict.stop();
  });

  test('leaves a row that names no secret', async () => {
    const { body } = await register({ client_name: 'Kept', redirect_uris: [CALLBACK], client_secret: 'x' });
    const row = await findOauthClient(server.store.db, body.client_id);

    expect(row).toMatchObject({ name: 'Kept', origin: 'registration', last_used_at: null });
    expect(row?.metadata).not.toContain('secret"');
  });
});
