import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveRole } from '../../tools/domain/organizations/people.ts';
import { clientFor } from '../support/callers/client.ts';
import { type Browser, consentAt, signedInPerson } from '../support/callers/consenting.ts';
import { CALLBACK } from '../support/callers/hosts.ts';
import { newPerson } from '../support/callers/people.ts';
import { authorizeUrl, claimsOf, connect, headerOf, newPkce, program } from '../support/callers/programs.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { initialize, rawClient, rpc, scriptHeaders, stateless } from '../support/mcp/mcp.ts';
import { manualClock } from '../support/run/clock.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOUR_MS = 3_600_000;

describe('tokens of a program', () => {
  let server: TestServer;
  let person: Browser;
  beforeAll(async () => {
    server = await startTestServer();
    person = await signedInPerson(server);
  });
  afterAll(() => server.stop());

  const statusOf = async (token: string, path = '/buyer/campaigns', at = server) =>
    (await clientFor(at.url, token).get(path)).status;
  const exchange = (connected: { clientId: string; code: string; verifier: string }, fields = {}) =>
    program(server).token({
      grant_type: 'authorization_code',
      client_id: connected.clientId,
      code: connected.code,
      code_verifier: connected.verifier,
      redirect_uri: CALLBACK,
      ...fields,
    });
  const refresh = (clientId: string, token: string, fields = {}) =>
    program(server).token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: token,
      ...fields,
    });

  test('are for the address that was asked for and for the person, and live an hour', async () => {
    const { tokens, clientId } = await connect(server, person);
    const { iat, exp, ...claims } = claimsOf(tokens.access_token);

    expect(headerOf(tokens.access_token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' });
    expect(headerOf(tokens.id_token)).toMatchObject({ alg: 'ES256' });
    expect(Number(exp) - Number(iat)).toBe(3_600);
    expect(tokens).toMatchObject({ expires_in: 3_600, token_type: 'Bearer', scope: 'openid profile email' });
    expect(claims).toEqual({
      iss: server.url,
      aud: `${server.url}/mcp/v2/buyer`,
      sub: String(person.userId),
      client_id: clientId,
      org_id: person.organization.organizationId,
      kind: 'user',
      gid: expect.stringMatching(/^ogr_/),
      jti: expect.any(String),
      scope: 'openid profile email',
      read_only: false,
    });
  });

  test('see the person’s organization and no other', async () => {
    const mine = await newAdvertiser(person.organization);
    const theirs = await newAdvertiser(await newPerson(server));
    const { tokens } = await connect(server, person);
    const { get } = clientFor(server.url, tokens.access_token);

    expect((await get(`/buyer/advertisers/${mine}`)).status).toBe(200);
    expect((await get(`/buyer/advertisers/${theirs}`)).status).toBe(404);
  });

  test('work in the organization that the person chose', async () => {
    const second = await newPerson(server);
    const { email, userId } = person;
    const { organizationId } = second;
    await giveRole(server.operator, { organizationId, email, name: 'Both', role: 'READ_ONLY' });
    const { tokens } = await connect(server, person, { consent: { organization: organizationId } });
    const client = clientFor(server.url, tokens.access_token);

    expect(claimsOf(tokens.access_token)).toMatchObject({ org_id: organizationId, sub: String(userId) });
    expect((await client.get(`/buyer/advertisers/${await newAdvertiser(second)}`)).status).toBe(200);
    expect((await client.post('/buyer/advertisers', {})).status).toBe(403);
  });

  test.each([
    ['/mcp/v2/buyer', [200, 401, 200, 401]],
    ['/mcp/buyer', [200, 401, 200, 401]],
    ['/mcp/v2/storefront', [401, 200, 401, 200]],
    ['/api/v2/buyer', [401, 401, 200, 401]],
    ['/api/v2', [401, 401, 200, 200]],
    ['', [200, 200, 200, 200]],
  ])('for %j are taken where they are for, and refused elsewhere', async (resource, expected) => {
    const { tokens } = await connect(server, person, { resource });
    const mcp = async (path: string) => {
      const { headers, body } = stateless(tokens.access_token, 'tools/list');
      const client = rawClient(server.url);
      const { status } = await client.send({ path, headers, body });
      client.close();
      return status;
    };
    const rest = (path: string) => statusOf(tokens.access_token, path);

    expect([
      await mcp('/mcp/v2/buyer'),
      await mcp('/mcp/v2/storefront'),
      await rest('/buyer/campaigns'),
      await rest('/storefront/products'),
    ]).toEqual(expected);
  });

  test.each([
    ['a wrong verifier', { code_verifier: 'a'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect address', { redirect_uri: `${CALLBACK}/other` }],
    ['another client', { client_id: 'other' }],
  ])('are not had for a code with %s', async (_what, fields) => {
    const other = await program(server).register({ redirect_uris: [CALLBACK] });
    const connected = await connectUpToCode();
    const given = 'client_id' in fields ? { client_id: other.body.client_id } : fields;
    const { status, body } = await exchange(connected, given);

    expect([status, body.error]).toEqual([400, expect.stringMatching(/^invalid_(grant|request)$/)]);
  });

  async function connectUpToCode() {
    const { body } = await program(server).register({ redirect_uris: [CALLBACK] });
    const { verifier, challenge } = newPkce();
    const back = await consentAt(
      person,
      authorizeUrl(server.url, body.client_id, { code_challenge: challenge }),
    );
    return { clientId: String(body.client_id), code: back.searchParams.get('code') ?? '', verifier };
  }

  test('end all when their code comes a second time', async () => {
    const connected = await connect(server, person);
    expect(await statusOf(connected.tokens.access_token)).toBe(200);

    const again = await exchange(connected);

    expect([again.status, again.body.error]).toEqual([400, 'invalid_grant']);
    expect(await statusOf(connected.tokens.access_token)).toBe(401);
    expect((await refresh(connected.clientId, connected.tokens.refresh_token)).status).toBe(400);
  });

  test('are renewed once by each refresh token, and end all when one comes again', async () => {
    const { clientId, tokens } = await connect(server, person);
    const second = await refresh(clientId, tokens.refresh_token);
    const third = await refresh(clientId, second.body.refresh_token);
    expect([second.status, third.status]).toEqual([200, 200]);
    expect(await statusOf(third.body.access_token)).toBe(200);

    const replayed = await refresh(clientId, tokens.refresh_token);

    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant']);
    expect(await statusOf(third.body.access_token)).toBe(401);
    expect((await refresh(clientId, third.body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('are renewed by the client that got them, and no other', async () => {
    const one = await connect(server, person);
    const other = await connect(server, person);
    const stolen = await refresh(other.clientId, one.tokens.refresh_token);

    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant']);
  });

  test('are refused to a client that is not known, so that it registers again', async () => {
    const { status, body } = await refresh('oc_gone', 'whatever');

    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('are refused to a public client that shows a secret, and not where a host sends an empty one', async () => {
    const { clientId, tokens } = await connect(server, person);
    const secret = await refresh(clientId, tokens.refresh_token, { client_secret: 'a secret' });
    const inHeader = await fetch(`${server.url}/auth/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:a-secret`)}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    });
    const empty = await refresh(clientId, tokens.refresh_token, { client_secret: '' });

    expect([secret.status, secret.body.error]).toEqual([401, 'invalid_client']);
    expect(inHeader.status).toBe(401);
    expect(empty.status).toBe(200);
  });

  test('are narrowed by scopes, and say by name which one is missing', async () => {
    const { tokens } = await connect(server, person, { scope: 'openid buyer:read' });
    const client = clientFor(server.url, tokens.access_token);
    const refused = await client.post('/buyer/advertisers', { name: 'X', domain: 'x.example' });

    expect((await client.get('/buyer/campaigns')).status).toBe(200);
    expectRefusal(refused, 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the scope buyer:write, which this program was not given.',
    });
    expect(refused.headers.get('www-authenticate')).toBe(
      'Bearer realm="api", error="insufficient_scope", error_description="This call needs the scope buyer:write, ' +
        'which this program was not given.", scope="buyer:write", ' +
        `resource_metadata="${server.url}/.well-known/oauth-protected-resource/api/v2/buyer"`,
    );
  });

  test('open no more when fewer scopes are asked for at renewing: who was narrowed stays so', async () => {
    const { clientId, tokens } = await connect(server, person, { scope: 'openid buyer:read' });
    const { body } = await refresh(clientId, tokens.refresh_token, { scope: 'openid' });
    const client = clientFor(server.url, body.access_token);
    const refused = await client.post('/buyer/advertisers', { name: 'X', domain: 'x.example' });

    expect(body.scope).toBe('openid');
    expectRefusal(refused, 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the scope buyer:write, which this program was not given.',
    });
    expect((await client.get('/buyer/campaigns')).status).toBe(403);
  });

  test.each([
    'openid buyer:read buyer:write',
    'openid profile buyer:read',
    'openid buyer:admin account:admin',
  ])('open no more when more scopes are asked for at renewing: %s', async (scope) => {
    const { clientId, tokens } = await connect(server, person, { scope: 'openid buyer:read' });

    const wider = await refresh(clientId, tokens.refresh_token, { scope });
    const again = await refresh(clientId, tokens.refresh_token);

    expect([wider.status, wider.body.error]).toEqual([400, 'invalid_scope']);
    expect([again.status, again.body.scope]).toEqual([200, 'openid buyer:read']);
    expect(claimsOf(again.body.access_token)).toMatchObject({ scope: 'openid buyer:read' });
    const { post } = clientFor(server.url, again.body.access_token);
    expect((await post('/buyer/advertisers', {})).status).toBe(403);
  });

  test('give a program no more than the person holds, and send nobody to ask for it', async () => {
    const reader = await signedInPerson(server, { role: 'READ_ONLY' });
    const { tokens } = await connect(server, reader, { scope: 'openid buyer:admin account:admin' });
    const refused = await clientFor(server.url, tokens.access_token).post('/buyer/advertisers', {});

    expect(await statusOf(tokens.access_token)).toBe(200);
    expect(refused.status).toBe(403);
    expect(refused.headers.get('www-authenticate')).toBeNull();
  });

  test('that may only read change nothing, over REST, over MCP or through another tool, and stay so', async () => {
    const { clientId, tokens: first } = await connect(server, person, { consent: { access: 'read' } });
    const { body: tokens } = await refresh(clientId, first.refresh_token);
    const input = { name: 'X', domain: 'x.example' };
    const client = rawClient(server.url);
    const call = async (name: string, args: object) => {
      const { headers, body } = stateless(tokens.access_token, 'tools/call', { name, arguments: args });
      return client.send({ path: '/mcp/v2/buyer', headers, body });
    };
    const before = await countAdvertisers();

    const direct = await call('advertiser_create', input);
    const through = await call('api_call', { operation: 'advertiser_create', input });
    const rest = await clientFor(server.url, tokens.access_token).post('/buyer/advertisers', input);

    expect(first.scope).toBe('openid profile email buyer:read');
    expect(claimsOf(tokens.access_token)).toMatchObject({
      scope: 'openid profile email buyer:read',
      read_only: true,
    });
    expect(direct.status).toBe(403);
    expect(direct.headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(direct.headers['www-authenticate']).toContain('scope="openid profile email buyer:write"');
    expect(JSON.parse(through.text).result).toMatchObject({ isError: true });
    expect(rest.status).toBe(403);
    expect(await countAdvertisers()).toBe(before);
    expect((await call('advertiser_list', {})).status).toBe(200);
    client.close();
  });

  const countAdvertisers = async () =>
    (await person.organization.get('/buyer/advertisers?take=1')).body.meta.pagination.total;

  test('refuse a change in a session of the initialize era as well, and the refusal is in the audit log', async () => {
    const { tokens } = await connect(server, person, { consent: { access: 'read' } });
    const client = rawClient(server.url);
    const headers = scriptHeaders(tokens.access_token);
    const opened = await client.send({ path: '/mcp/v2/buyer', headers, body: initialize() });
    const session = String(opened.headers['mcp-session-id']);
    const refused = await client.send({
      path: '/mcp/v2/buyer',
      headers: scriptHeaders(tokens.access_token, session),
      body: rpc('tools/call', { name: 'advertiser_create', arguments: {} }),
    });
    const { body } = await person.organization.get('/buyer/audit-logs?outcome=denied');

    expect(refused.status).toBe(403);
    expect(body.data.logs[0]).toMatchObject({ tool: 'advertiser_create' });
    client.close();
  });

  test('of two programs of one person do not share their MCP sessions', async () => {
    const [one, other] = [await connect(server, person), await connect(server, person)];
    const client = rawClient(server.url);
    const send = (token: string, session?: string) =>
      client.send({
        path: '/mcp/v2/buyer',
        headers: scriptHeaders(token, session),
        body: session === undefined ? initialize() : rpc('tools/list'),
      });
    const opened = await send(one.tokens.access_token);
    const session = String(opened.headers['mcp-session-id']);
    const renewed = await refresh(one.clientId, one.tokens.refresh_token);

    expect((await send(other.tokens.access_token, session)).status).toBe(404);
    expect((await send(renewed.body.access_token, session)).status).toBe(200);
    client.close();
  });

  test.each(['access_token', 'refresh_token'] as const)(
    'end at once when the %s is revoked, without showing who asks',
    async (which) => {
      const { clientId, tokens } = await connect(server, person);
      const revoked = await program(server).revoke(tokens[which]);

      expect([revoked.status, revoked.body]).toEqual([200, '']);
      expect(await statusOf(tokens.access_token)).toBe(401);
      expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
    },
  );

  test.each(['', 'unknown', 'eyJhbGciOiJub25lIn0.e30.'])(
    'that are none are revoked all the same: %j',
    async (token) => {
      expect((await program(server).revoke(token)).status).toBe(200);
    },
  );

  test('are read anew with each request: who leaves or is suspended is refused at once', async () => {
    const leaving = await signedInPerson(server);
    const { clientId, tokens } = await connect(server, leaving);
    expect(await statusOf(tokens.access_token)).toBe(200);
    await server.store.db
      .withoutPlugins()
      .updateTable('users')
      .set({ suspended_at: server.operator.now })
      .where('id', '=', leaving.userId)
      .execute();

    expect(await statusOf(tokens.access_token)).toBe(401);
    expect((await refresh(clientId, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('are interactive sessions nowhere: what needs a person at a browser refuses them', async () => {
    const { tokens } = await connect(server, person, { resource: '' });
    const refused = await clientFor(server.url, tokens.access_token).get('/org-api-keys');

    expectRefusal(refused, 403, {
      code: 'FORBIDDEN',
      words: 'This call needs an interactive session of a person; a key or token cannot make it.',
    });
  });

  test('that another service signed, or that are of another kind, are refused', async () => {
    const other = await startTestServer({
      own: true,
      settings: { SECRETS_KEY: Buffer.alloc(32, 9).toString('base64') },
    });
    const theirs = await connect(other, await signedInPerson(other));
    const { tokens } = await connect(server, person);
    const [head = '', body = '', mark = ''] = tokens.access_token.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
    const sign = (type: 'widget+jwt' | 'at+jwt', claims = {}) =>
      server.running.app.services.ports.tokens.sign({
        type,
        audience: `${server.url}/mcp/v2/buyer`,
        subject: String(person.userId),
        seconds: 60,
        claims: { ...claimsOf(tokens.access_token), ...claims },
      });
    const forged = [
      theirs.tokens.access_token,
      tokens.id_token,
      tokens.refresh_token,
      `${none}.${body}.`,
      `${head}.${Buffer.from(JSON.stringify({ ...claimsOf(tokens.access_token), sub: '999' })).toString('base64url')}.${mark}`,
      await sign('widget+jwt'),
      await sign('at+jwt', { kind: 'nobody' }),
      await sign('at+jwt', { kind: 'user', gid: 'ogr_other' }),
      await sign('at+jwt', { kind: 'user', org_id: 1 + person.organization.organizationId }),
      await sign('at+jwt', { kind: 'user', client_id: 'another' }),
    ];
    for (const token of forged) expect(await statusOf(token), token).toBe(401);
    expect(await statusOf(tokens.access_token)).toBe(200);
    await other.stop();
  });
});

describe('time', () => {
  test('ends access tokens after an hour, codes after a minute, and refresh tokens after thirty days unused', async () => {
    const clock = manualClock();
    const server = await startTestServer({ clock });
    const person = await signedInPerson(server);
    const { clientId, tokens } = await connect(server, person);
    const { get } = clientFor(server.url, tokens.access_token);
    const renew = (token: string) =>
      program(server).token({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token });

    clock.advance(HOUR_MS - 1_000);
    expect((await get('/buyer/campaigns')).status).toBe(200);
    clock.advance(1_000);
    const over = await get('/buyer/campaigns');
    expectRefusal(over, 401, {
      code: 'UNAUTHORIZED',
      words: 'The credential is unknown, expired or revoked.',
    });
    clock.advance(29 * 24 * HOUR_MS);
    const second = await renew(tokens.refresh_token);
    expect(second.status).toBe(200);
    // The grant lives on with what was renewed.
    clock.advance(29 * 24 * HOUR_MS);
    const third = await renew(second.body.refresh_token);
    expect(third.status).toBe(200);
    expect((await clientFor(server.url, third.body.access_token).get('/buyer/campaigns')).status).toBe(200);
    clock.advance(30 * 24 * HOUR_MS);
    expect((await renew(third.body.refresh_token)).body.error).toBe('invalid_grant');
    await server.stop();
  });
});
