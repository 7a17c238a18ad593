import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endWebSessions } from '../../store/unscoped/web-sessions.ts';
import { clientFor } from '../support/callers/client.ts';
import {
  type Browser,
  consentAt,
  jarWith,
  locationOf,
  signedInPerson,
} from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { authorizeUrl, connect, newPkce, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('authorization', () => {
  let server: TestServer;
  let person: Browser;
  let clientId: string;
  beforeAll(async () => {
    server = await startTestServer();
    person = await signedInPerson(server);
    const uris = ['http://127.0.0.1:33418/', 'https://app.example/Back', CALLBACK];
    const { body } = await program(server).register({ client_name: 'App', redirect_uris: uris });
    clientId = body.client_id;
  });
  afterAll(() => server.stop());

  const at = (fields: Readonly<Record<string, string | undefined>>) =>
    authorizeUrl(server.url, clientId, { code_challenge: newPkce().challenge, ...fields });

  test.each([
    ['another port', 'http://127.0.0.1:9999/'],
    ['no port', 'http://127.0.0.1/'],
    ['no slash', 'http://127.0.0.1:33418'],
    ['a path more', 'http://127.0.0.1:33418/more'],
    ['another name of loopback', 'http://localhost:33418/'],
    ['another case of the path', 'https://app.example/back'],
    ['another case of the host', 'https://APP.example/Back'],
    ['a query', 'https://app.example/Back?x=1'],
    ['another host', 'https://evil.example/Back'],
    ['a host in front', 'https://app.example@evil.example/Back'],
  ])('leads nowhere when the redirect address differs: %s', async (_how, uri) => {
    const response = await person.go(at({ redirect_uri: uri }));

    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(await response.text()).not.toContain(uri);
  });

  test('leads nowhere for a client that nobody registered', async () => {
    const response = await person.go(authorizeUrl(server.url, 'oc_nobody', {}));

    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
  });

  test('takes another port of this machine where the settings say so, and nothing else', async () => {
    const lenient = await startTestServer({ settings: { OAUTH_LOOPBACK_ANY_PORT: 'on' } });
    const { body } = await program(lenient).register({ redirect_uris: ['http://127.0.0.1:33418/'] });
    const statusOf = async (uri: string) => {
      const fields = { redirect_uri: uri, code_challenge: newPkce().challenge };
      return (await person.go(authorizeUrl(lenient.url, body.client_id, fields))).status;
    };

    expect(await statusOf('http://127.0.0.1:9999/')).toBe(303);
    expect(await statusOf('http://127.0.0.1:9999/other')).toBe(400);
    expect(await statusOf('http://localhost:33418/')).toBe(400);
    await lenient.stop();
  });

  test.each([
    ['without a challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with a plain one', { code_challenge_method: 'plain' }],
    ['with one that says no method', { code_challenge_method: undefined }],
    ['for a token in the address', { response_type: 'token' }],
    ['for an address that is not ours', { resource: 'https://elsewhere.example/mcp' }],
    ['for an address of ours that is none', { resource: 'http://127.0.0.1/mcp/v9' }],
  ])('is refused to the program, with its state and our name: %s', async (_how, fields) => {
    const back = locationOf(await person.go(at(fields)), server.url);

    expect(back.href.startsWith(CALLBACK)).toBe(true);
    const answer = new URLSearchParams(back.search || back.hash.slice(1));
    expect(answer.get('error')).toMatch(/^(invalid_request|unsupported_response_type|invalid_target)$/);
    expect(answer.get('state')).toBe('state-1');
    expect(answer.get('iss')).toBe(server.url);
    expect(answer.has('code')).toBe(false);
  });

  test('gives a code with state and issuer to who showed a challenge of S256', async () => {
    const back = await consentAt(person, at({}));

    expect(back.href.startsWith(CALLBACK)).toBe(true);
    expect(back.searchParams.get('code')).toMatch(/^[\w-]{40,}$/);
    expect(back.searchParams.get('state')).toBe('state-1');
    expect(back.searchParams.get('iss')).toBe(server.url);
  });

  test.each([
    ['/mcp/v2/buyer', ['Rialto for buyers', 'campaigns', 'can spend money'], ['storefront']],
    ['/mcp/storefront', ['Rialto for storefronts', 'inventory sources'], ['campaigns', 'spend money']],
    ['/api/v2', ['Rialto for buyers, Rialto for storefronts', 'campaigns', 'inventory sources'], []],
    [undefined, ['Rialto for buyers', 'campaigns'], ['storefront']],
  ])('says which side a program would reach: %s', async (path, said, unsaid) => {
    const resource = path === undefined ? undefined : `${server.url}${path}`;
    const page = locationOf(await person.go(at({ resource })), server.url);
    const text = await (await person.go(page)).text();

    for (const words of said) expect(text).toContain(words);
    for (const words of unsaid) expect(text).not.toContain(words);
  });

  test('gives a state back as it came, whatever characters are in it', async () => {
    const state = 'a\u241fb "quoted" \\u241f $& 🦊';

    const back = await consentAt(person, at({ state }));

    expect(back.searchParams.get('state')).toBe(state);
  });

  test('reads all of an address whose values hold question marks as they are', async () => {
    const address = at({}).href.replace('state=state-1', 'state=one?two?three');

    const back = await consentAt(person, address);

    expect(back.searchParams.get('code')).toMatch(/^[\w-]{40,}$/);
    expect(back.searchParams.get('state')).toBe('one?two?three');
  });

  test('tells the program when the person does not allow it', async () => {
    const back = await consentAt(person, at({}), { answer: 'deny' });

    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('state')).toBe('state-1');
  });

  test('has who is not signed in sign in first, and comes back to the page that asks', async () => {
    const nobody = jarWith();
    const page = locationOf(await nobody.go(at({})), server.url);
    const signIn = locationOf(await nobody.go(page), server.url);

    expect(signIn.pathname).toBe('/sign-in');
    expect(signIn.searchParams.get('return_to')).toBe(page.pathname);
  });

  test.each([{ prompt: 'login' }, { max_age: '60' }])(
    'has who signed in long ago sign in once more where the program asks for it: %o',
    async (wanted) => {
      const early = await signedInPerson(server);
      await server.store.db
        .updateTable('web_sessions')
        .set({ signed_in_at: new Date(Date.parse(server.operator.now) - 120_000).toISOString() })
        .where('id', '=', early.sessionId)
        .execute();
      const page = locationOf(await early.go(at(wanted)), server.url);
      const signIn = locationOf(await early.go(page), server.url);
      const form = await early.go(signIn);

      expect(signIn.pathname).toBe('/sign-in');
      expect(signIn.searchParams.get('return_to')).toBe(page.pathname);
      expect([form.status, form.headers.get('location')]).toEqual([200, null]);
      expect((await early.go(locationOf(await early.go(at({})), server.url))).status).toBe(200);
    },
  );

  test('asks again after the person signed out of us: no other session is kept', async () => {
    const leaving = await signedInPerson(server);
    await consentAt(leaving, at({}));
    const { now } = server.operator;
    await endWebSessions(server.store.db, { userId: leaving.userId, id: leaving.sessionId, now });
    const page = locationOf(await leaving.go(at({})), server.url);

    expect(locationOf(await leaving.go(page), server.url).pathname).toBe('/sign-in');
    expect([...leaving.cookies.keys()].filter((key) => key.includes('_oauth'))).toEqual([]);
    const silent = locationOf(await leaving.go(at({ prompt: 'none' })), server.url);
    expect(silent.searchParams.get('error')).toBe('login_required');
  });

  test('shows what is asked, by whom, where it leads, and for which organization', async () => {
    const address = at({ redirect_uri: 'https://app.example/Back', scope: 'openid email buyer:read' });
    const page = await person.go(locationOf(await person.go(address), address));
    const text = await page.text();

    expect(text).toContain('App');
    expect(text).toContain('app.example');
    expect(text).toContain(person.email);
    expect(text).toContain('buyer:read');
    expect(text).not.toContain('buyer:write');
    expect(text).toContain('Read only');
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  test('warns of a program that nobody connected before, and of one on the person’s own machine', async () => {
    const { body } = await program(server).register({ client_name: 'New', redirect_uris: [CALLBACK] });
    const address = authorizeUrl(server.url, body.client_id, { code_challenge: newPkce().challenge });
    const show = async () => (await person.go(locationOf(await person.go(address), address))).text();

    const first = await show();
    await consentAt(person, address);
    const second = await show();

    expect(first).toContain('Nobody has connected this program here before');
    expect(second).not.toContain('Nobody has connected this program here before');
    expect(second).toContain('runs on your own device');
  });

  test('takes no answer without what the form carries, from another page, or from another browser', async () => {
    const page = locationOf(await person.go(at({})), server.url);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await (await person.go(page)).text())?.[1] ?? '';
    const organization = String(person.organization.organizationId);
    const body = (token: string) => new URLSearchParams({ csrf: token, organization, answer: 'allow' });
    const other = await signedInPerson(server);
    const post = { method: 'POST', headers: { origin: server.url } };

    expect((await person.go(page, { ...post, body: body('x'.repeat(43)) })).status).toBe(403);
    const elsewhere = { method: 'POST', headers: { origin: 'https://evil.example' } };
    expect((await person.go(page, { ...elsewhere, body: body(csrf) })).status).toBe(403);
    expect((await other.go(page, { ...post, body: body('c'.repeat(43)) })).status).toBe(400);
    expect((await person.go(page, { ...post, body: body(csrf) })).status).toBe(303);
  });

  test('lets nobody choose an organization that they are no member of', async () => {
    const other = await signedInPerson(server);
    const { organizationId } = other.organization;

    await expect(consentAt(person, at({}), { organization: organizationId })).rejects.toThrow('not a member');
  });

  test('is in the audit log of the organization, with the person and the program', async () => {
    const { clientId: connected } = await connect(server, person);
    const rows = await server.store.db
      .withoutPlugins()
      .selectFrom('audit_logs')
      .selectAll()
      .where('tool', '=', 'oauth_consent')
      .where('user_id', '=', person.userId)
      .execute();

    expect(rows.some(({ changes }) => changes?.includes(connected))).toBe(true);
    expect(rows[0]).toMatchObject({ user_email: person.email, resource_type: 'OAUTH_GRANT' });
  });

  test('passes over a token in the address of a call', async () => {
    const { tokens } = await connect(server, person);
    const nobody = clientFor(server.url);
    const { status } = await nobody.get(`/buyer/campaigns?access_token=${tokens.access_token}`);

    expect(status).not.toBe(200);
    expect(await clientFor(server.url, tokens.access_token).get('/buyer/campaigns')).toMatchObject({
      status: 200,
    });
  });
});
