import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ASSERTION_GRANT, type Stranger, stranger } from '../support/callers/agents.ts';
import { clientFor, type Reply } from '../support/callers/client.ts';
import { type ManualClock, manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const ENDPOINTS = ['/agent/identity', '/agent/identity/claim', '/agent/identity/claim/complete'] as const;

describe('the endpoints at which agents register', () => {
  let server: TestServer;
  let agent: Stranger;
  beforeAll(async () => {
    server = await startTestServer({ settings: { AGENT_REQUESTS_IN_ALL: '100000' } });
    agent = stranger(server);
  });
  afterAll(() => server.stop());

  function expectRefused(reply: Reply, status: number, error: string): void {
    expect([reply.status, reply.body.error]).toEqual([status, error]);
    expect(Object.keys(reply.body).sort()).toEqual(['error', 'message']);
    expect(reply.body.message).toMatch(/\.$/);
    expect(reply.headers.get('content-type')).toContain('application/json');
  }

  test.each([
    [{}],
    [{ type: 'identity_assertion' }],
    [{ type: 7 }],
    [{ type: ['anonymous'] }],
    [[]],
    [null],
    ['anonymous'],
    [{ type: 'refresh' }],
    [{ type: 'refresh', refresh_token: 7 }],
    [{ type: 'refresh', refresh_token: '' }],
  ])('refuse a registration like %j', async (body) => {
    expectRefused(await agent.post('/agent/identity', body), 400, 'invalid_request');
  });

  test.each([
    [undefined],
    [''],
    ['ada'],
    ['ada@'],
    ['ada@acme.example\r\nBcc: x@y.example'],
    [`${'a'.repeat(300)}@acme.example`],
    [{ email: 'ada@acme.example' }],
    [['ada@acme.example']],
  ])('refuse the login hint %j', async (login_hint) => {
    expectRefused(
      await agent.post('/agent/identity', { type: 'service_auth', login_hint }),
      400,
      'invalid_login_hint',
    );
    const { body } = await agent.post('/agent/identity', {
      type: 'service_auth',
      login_hint: 'ada@acme.example',
    });
    const claim = { type: 'service_auth', claim_token: body.claim.token, login_hint };
    expectRefused(await agent.post('/agent/identity/claim', claim), 400, 'invalid_login_hint');
  });

  test.each([
    ['/agent/identity/claim', { claim_token: 'clm_x', login_hint: 'ada@acme.example' }],
    ['/agent/identity/claim', { type: 'service_auth', login_hint: 'ada@acme.example' }],
    ['/agent/identity/claim/complete', { claim_token: 'clm_x' }],
    ['/agent/identity/claim/complete', { user_code: '123456' }],
    ['/agent/identity/claim/complete', { claim_token: 'clm_x', user_code: 123456 }],
  ])('refuse at %s %j', async (path, body) => {
    expectRefused(await agent.post(path, body), 400, 'invalid_request');
  });

  test.each<[string, unknown, string]>([
    ['/agent/identity', {}, 'type: Give one of: anonymous, service_auth, refresh.'],
    ['/agent/identity', null, 'type: Give one of: anonymous, service_auth, refresh.'],
    [
      '/agent/identity',
      { type: 'identity_assertion' },
      'type: Give one of: anonymous, service_auth, refresh.',
    ],
    ['/agent/identity', [], 'Give an object with type.'],
    [
      '/agent/identity',
      { type: 'refresh' },
      'refresh_token: Required: give the refresh token that you were given last, as text.',
    ],
    [
      '/agent/identity/claim/complete',
      { user_code: 123456 },
      'claim_token: Required: give the claim token that your registration was answered with, as text. ' +
        'user_code: Give the six digits that the user reads to you, as text.',
    ],
  ])('say at %s of %j what to give, all of it at once', async (path, body, message) => {
    const { send } = clientFor(server.url);
    const reply = await send(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    expect(reply.body).toEqual({ error: 'invalid_request', message });
  });

  test('refuse a refresh token that nobody was given', async () => {
    const body = { type: 'refresh', refresh_token: 'agr_unknown' };
    expectRefused(await agent.post('/agent/identity', body), 400, 'invalid_refresh_token');
  });

  test.each(ENDPOINTS)('take POST and JSON alone at %s', async (path) => {
    const { send } = clientFor(server.url);
    const got = await send(`${server.url}${path}`, { method: 'GET' });
    const form = await agent.form(path, { type: 'anonymous' });
    const broken = await send(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"type":',
    });

    expectRefused(got, 405, 'invalid_request');
    expect(got.headers.get('allow')).toBe('POST');
    expectRefused(form, 400, 'invalid_request');
    expectRefused(broken, 400, 'invalid_request');
  });

  test('answer no page of another site', async () => {
    const reply = await clientFor(server.url).send(`${server.url}/agent/identity`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: '{"type":"anonymous"}',
    });

    expect(reply.status).toBe(403);
  });

  test('leave nothing behind when a registration is refused', async () => {
    const count = async () =>
      (await server.store.db.selectFrom('organizations').select('id').execute()).length;
    const before = await count();
    await agent.post('/agent/identity', { type: 'service_auth', login_hint: 'nobody' });

    expect(await count()).toBe(before);
  });

  test.each([
    ['no assertion', { grant_type: ASSERTION_GRANT }, 'invalid_request'],
    ['what is no assertion', { grant_type: ASSERTION_GRANT, assertion: 'x' }, 'invalid_grant'],
  ])('are followed by a token endpoint that takes %s for a mistake', async (_what, form, error) => {
    const reply = await agent.form('/auth/token', form);

    expect([reply.status, reply.body.error]).toEqual([400, error]);
    expect(reply.body.error_description).toEqual(expect.any(String));
  });

  test.each(['https://elsewhere.example', 'no address', '/api/v2/buyer'])(
    'are followed by a token endpoint that makes no token for %s',
    async (resource) => {
      const { body } = await agent.post('/agent/identity', { type: 'anonymous' });
      const reply = await agent.exchange(body.identity.assertion, { resource });

      expect([reply.status, reply.body.error]).toEqual([400, 'invalid_target']);
    },
  );
});

describe('how often agents may register', () => {
  let server: TestServer | undefined;
  let clock: ManualClock;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  const start = async (settings: Readonly<Record<string, string>> = {}) => {
    clock = manualClock();
    server = await startTestServer({ clock, settings: { TRUSTED_PROXIES: '127.0.0.0/8', ...settings } });
    return server;
  };
  const anonymous = (from: Stranger) => from.post('/agent/identity', { type: 'anonymous' });
  const forClaim = (from: Stranger) =>
    from.post('/agent/identity', { type: 'service_auth', login_hint: 'ada@acme.example' });

  function expectLimited(reply: Reply): void {
    expect([reply.status, reply.body.error]).toEqual([429, 'rate_limited']);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(reply.headers.get('retry-after'))).toBeLessThanOrEqual(3_600);
  }

  test('is five times an hour anonymously from one address, and its neighbours in IPv6 are the same', async () => {
    const own = await start();
    const one = stranger(own, { ip: '203.0.113.7' });
    for (let time = 0; time < 5; time += 1) expect((await anonymous(one)).status).toBe(200);

    expectLimited(await anonymous(one));
    expect((await forClaim(one)).status).toBe(200);
    expect((await anonymous(stranger(own, { ip: '203.0.113.8' }))).status).toBe(200);
    for (let time = 0; time < 5; time += 1) {
      await anonymous(stranger(own, { ip: `2001:db8:1:2::${time + 1}` }));
    }
    expectLimited(await anonymous(stranger(own, { ip: '2001:db8:1:2::9' })));
    clock.advance(3_600_000);
    expect((await anonymous(one)).status).toBe(200);
  });

  test('is bounded for everybody together, and who is turned away takes nothing from others', async () => {
    const own = await start({ AGENT_ANONYMOUS_IN_ALL: '7' });
    const greedy = stranger(own, { ip: '203.0.113.7' });
    for (let time = 0; time < 20; time += 1) await anonymous(greedy);
    const other = stranger(own, { ip: '203.0.113.8' });

    expect((await anonymous(other)).status).toBe(200);
    expect((await anonymous(other)).status).toBe(200);
    expectLimited(await anonymous(other));
  });

  test('is counted for claims and refreshing as well, also where the token is none', async () => {
    const own = await start({ AGENT_REQUESTS_PER_IP: '4' });
    const one = stranger(own, { ip: '203.0.113.7' });
    await forClaim(one);
    await one.post('/agent/identity', { type: 'refresh', refresh_token: 'agr_guess' });
    await one.post('/agent/identity/claim', { type: 'service_auth' });
    await one.post('/agent/identity/claim/complete', { claim_token: 'clm_guess', user_code: '123456' });

    for (const [path, body] of [
      ['/agent/identity', { type: 'service_auth', login_hint: 'ada@acme.example' }],
      ['/agent/identity', { type: 'refresh', refresh_token: 'agr_guess' }],
      ['/agent/identity/claim', { type: 'service_auth' }],
      ['/agent/identity/claim/complete', { claim_token: 'clm_guess', user_code: '123456' }],
    ] as const) {
      expectLimited(await one.post(path, body));
    }
    expect((await forClaim(stranger(own, { ip: '203.0.113.8' }))).status).toBe(200);
  });
});
