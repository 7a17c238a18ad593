import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makeTenant } from '../../store/engine/scope.ts';
import { setMembership } from '../../store/memberships.ts';
import {
  type BrowsingPerson,
  claimedAgent,
  clientOf,
  codeOn,
  confirmAt,
  otherThan,
  personAtBrowser,
  type Stranger,
  stranger,
} from '../support/callers/agents.ts';
import { clientFor, type Reply } from '../support/callers/client.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { type ManualClock, manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('a claim', () => {
  let server: TestServer;
  let clock: ManualClock;
  let agent: Stranger;
  let owner: Person;
  let person: BrowsingPerson;
  beforeAll(async () => {
    clock = manualClock();
    server = await startTestServer({ clock, settings: GENEROUS });
    agent = stranger(server);
    owner = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    person = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
  });

  const register = () => agent.post('/agent/identity', { type: 'service_auth', login_hint: person.email });
  const complete = (token: string, code: string) =>
    agent.post('/agent/identity/claim/complete', { claim_token: token, user_code: code });
  const restart = (token: string, hint = person.email) =>
    agent.post('/agent/identity/claim', { type: 'service_auth', claim_token: token, login_hint: hint });
  const told = ({ status, body }: Reply) => [status, body.error];

  test('begins with an address for the user and no assertion, and the address says nothing of the code', async () => {
    const registered = await register();
    const { attempt } = registered.body.claim;
    const confirmed = await confirmAt(person, attempt.verification_uri);

    expect(registered.body).toEqual({
      id: expect.stringMatching(/^agent_reg_/),
      type: 'service_auth',
      scopes: { post_claim: ['buyer:read', 'buyer:write'] },
      claim: {
        token: expect.stringMatching(/^clm_/),
        expires_at: expect.any(String),
        url: `${server.url}/agent/identity/claim`,
        attempt: {
          verification_uri: expect.stringMatching(
            new RegExp(`^${server.url}/agent/claim\\?claim_attempt_token=att_[\\w-]{43}$`),
          ),
          expires_at: expect.any(String),
        },
      },
    });
    expect(attempt.verification_uri).not.toContain(codeOn(confirmed));
  });

  test('is answered alike for an address that somebody has here and for one that nobody has', async () => {
    const [known, unknown] = await Promise.all([
      register(),
      agent.post('/agent/identity', { type: 'service_auth', login_hint: 'nobody@nowhere.example' }),
    ]);
    const shape = ({ status, body }: Reply) => [
      status,
      JSON.stringify(body).replaceAll(/agent_reg_\w+|(?:clm|att)_[\w-]+/g, '…'),
    ];
    const again = await Promise.all([
      restart(known.body.claim.token),
      restart(unknown.body.claim.token, 'nobody@nowhere.example'),
    ]);

    expect(shape(unknown)).toEqual(shape(known));
    expect(shape(again[1])).toEqual(shape(again[0]));
  });

  test('gives the agent the user’s access, once the code was brought', async () => {
    const registered = await register();
    const { token, attempt } = registered.body.claim;
    const code = codeOn(await confirmAt(person, attempt.verification_uri));
    const completed = await complete(token, `${code.slice(0, 3)} ${code.slice(3)}`);
    const client = await clientOf(server, agent, completed.body.identity.assertion);
    const made = await client.post('/buyer/advertisers', ADVERTISER);
    const seen = await owner.get(`/buyer/advertisers/${made.body.data.id}`);

    expect(completed.status).toBe(200);
    expect(completed.body).toEqual({
      id: registered.body.id,
      status: 'claimed',
      identity: {
        assertion: expect.any(String),
        expires_at: expect.any(String),
        refresh_token: { value: expect.stringMatching(/^agr_/), expires_at: expect.any(String) },
      },
    });
    expect(made.status).toBe(201);
    expect(seen.status).toBe(200);
    const entry = await server.store.db
      .selectFrom('audit_logs')
      .select(['user_id', 'credential_id', 'actor_origin'])
      .where('organization_id', '=', owner.organizationId)
      .where('tool', '=', 'advertiser_create')
      .where('resource_id', '=', String(made.body.data.id))
      .executeTakeFirst();
    expect(entry).toEqual({
      user_id: person.userId,
      credential_id: `agent:${registered.body.id}`,
      actor_origin: 'agent',
    });
  });

  test('leaves the agent under every gate: an organization that accepted no terms changes nothing', async () => {
    const other = await newPerson(server, { terms: false });
    const admin = await personAtBrowser(server, { organizationIds: [other.organizationId] });
    const { assertion } = await claimedAgent(agent, admin);
    const client = await clientOf(server, agent, assertion);

    const refused = await client.post('/buyer/advertisers', ADVERTISER);

    expectRefusal(refused, 403, {
      code: 'TOS_ACCEPTANCE_REQUIRED',
      words: 'The organization has not accepted version 1 of the terms of service.',
    });
    expect((await client.get('/buyer/advertisers')).status).toBe(200);
  });

  test('gives no more than agents may have, and no more than the person has at this moment', async () => {
    const { assertion } = await claimedAgent(agent, person);
    const client = await clientOf(server, agent, assertion);
    const made = await client.post('/buyer/advertisers', ADVERTISER);
    const path = `/buyer/advertisers/${made.body.data.id}`;
    const deleted = await client.delete(path);
    const as = (role: 'READ_ONLY' | 'ADMIN') =>
      setMembership(server.store.db, makeTenant(owner.organizationId), {
        user_id: person.userId,
        role,
        created_at: new Date(clock.now()).toISOString(),
      });

    await as('READ_ONLY');
    const lowered = await client.post('/buyer/advertisers', ADVERTISER);
    const read = await client.get(path);
    await server.store.db
      .deleteFrom('memberships')
      .where('organization_id', '=', owner.organizationId)
      .where('user_id', '=', person.userId)
      .execute();

    expect(deleted.status).not.toBe(204);
    expectRefusal(lowered, 403, { code: 'FORBIDDEN', words: 'This call needs the permission buyer:write.' });
    expect(read.status).toBe(200);
    expect((await client.get(path)).status).toBe(401);
  });

  test.each([
    ['GET', '/org-api-keys'],
    ['POST', '/org-api-keys'],
    ['GET', '/m2m-applications'],
    ['POST', '/m2m-applications'],
    ['POST', '/service-tokens'],
  ])(
    'lets the agent manage no credentials, though its person is an administrator: %s %s',
    async (method, path) => {
      const { assertion } = await claimedAgent(agent, person);
      const client = await clientOf(server, agent, assertion);

      const reply = await client.send(path, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: '{"name":"Mine","permissions":["buyer:read"]}' } : {}),
      });

      expectRefusal(reply, 403, {
        code: 'FORBIDDEN',
        words:
          /^This call (needs an interactive session of a person; a key or token|is for people; a key, an application or a service token) cannot make it\.$/,
      });
    },
  );

  test('tells nobody who the person is: its token opens no profile', async () => {
    const { assertion } = await claimedAgent(agent, person);
    const client = await clientOf(server, agent, assertion);

    const reply = await client.get(`${server.url}/auth/userinfo`);

    expect([401, 403]).toContain(reply.status);
    expect(reply.text).not.toContain(person.email);
  });

  test('lets the agent into MCP', async () => {
    const { assertion } = await claimedAgent(agent, person);
    const client = await clientOf(server, agent, assertion);

    const listed = await client.send(`${server.url}/mcp/v2/buyer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
      }),
    });

    expect(listed.status).toBe(200);
  });

  test('ends what the agent held as nobody’s: its assertion and the token it had of it open nothing', async () => {
    const registered = (await agent.post('/agent/identity', { type: 'anonymous' })).body;
    const before = await clientOf(server, agent, registered.identity.assertion);
    expect((await before.get('/buyer/advertisers')).status).toBe(200);
    const started = (await restart(registered.claim.token)).body;
    const code = codeOn(await confirmAt(person, started.attempt.verification_uri));

    const completed = await complete(registered.claim.token, code);

    expect([completed.status, completed.body.id]).toEqual([200, registered.id]);
    expect((await before.get('/buyer/advertisers')).status).toBe(401);
    const old = await agent.exchange(registered.identity.assertion);
    expect([old.status, old.body.error]).toEqual([400, 'invalid_grant']);
    const after = await clientOf(server, agent, completed.body.identity.assertion);
    expect((await after.get('/buyer/advertisers')).status).toBe(200);
  });

  test('is refused while nobody has confirmed it: 409', async () => {
    const registered = await register();
    const anonymous = await agent.post('/agent/identity', { type: 'anonymous' });

    for (const { body } of [registered, anonymous]) {
      expect(told(await complete(body.claim.token, '123456'))).toEqual([409, 'claim_not_confirmed']);
    }
  });

  test('is refused a wrong code: 401, and the fifth one ends the attempt: 410', async () => {
    const { token, attempt } = (await register()).body.claim;
    const code = codeOn(await confirmAt(person, attempt.verification_uri));
    const wrong = otherThan(code);

    for (let tried = 0; tried < 5; tried += 1) {
      expect(told(await complete(token, wrong))).toEqual([401, 'invalid_user_code']);
    }
    expect(told(await complete(token, code))).toEqual([410, 'user_code_expired']);
    expect((await person.get(attempt.verification_uri)).status).toBe(410);
    const next = await restart(token);
    const nextCode = codeOn(await confirmAt(person, next.body.attempt.verification_uri));
    expect((await complete(token, nextCode)).status).toBe(200);
  });

  test('takes the right code at the fifth try, and none of many that are tried at once beyond it', async () => {
    const first = (await register()).body.claim;
    const code = codeOn(await confirmAt(person, first.attempt.verification_uri));
    for (let tried = 0; tried < 4; tried += 1) await complete(first.token, otherThan(code));
    const second = (await register()).body.claim;
    const wrong = otherThan(codeOn(await confirmAt(person, second.attempt.verification_uri)));

    const guesses = await Promise.all(Array.from({ length: 12 }, () => complete(second.token, wrong)));

    expect((await complete(first.token, code)).status).toBe(200);
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 410)).toHaveLength(7);
  });

  test('is refused an expired code: 410', async () => {
    const { token, attempt } = (await register()).body.claim;
    const code = codeOn(await confirmAt(person, attempt.verification_uri));

    clock.advance(10 * MINUTE);

    expect(told(await complete(token, code))).toEqual([410, 'user_code_expired']);
  });

  test('is refused once it was used: 409, to whoever asks', async () => {
    const { token, attempt } = (await register()).body.claim;
    const code = codeOn(await confirmAt(person, attempt.verification_uri));
    await complete(token, code);

    expect(told(await complete(token, code))).toEqual([409, 'already_claimed']);
    expect(told(await restart(token))).toEqual([409, 'already_claimed']);
    expect((await person.get(attempt.verification_uri)).status).toBe(410);
  });

  test('is refused after the registration is over: 410', async () => {
    const { token } = (await register()).body.claim;

    clock.advance(DAY);

    expect(told(await restart(token))).toEqual([410, 'claim_expired']);
    expect(told(await complete(token, '123456'))).toEqual([410, 'claim_expired']);
  });

  test('is refused with a token that nobody was given: 401 to begin, 400 to complete', async () => {
    expect(told(await restart('clm_unknown'))).toEqual([401, 'invalid_claim_token']);
    expect(told(await complete('clm_unknown', '123456'))).toEqual([400, 'invalid_claim']);
  });

  test('goes by the newest attempt alone: those before lead nowhere', async () => {
    const { token, attempt } = (await register()).body.claim;
    const old = codeOn(await confirmAt(person, attempt.verification_uri));
    const next = await restart(token);

    expect((await person.get(attempt.verification_uri)).status).toBe(410);
    expect(told(await complete(token, old))).toEqual([409, 'claim_not_confirmed']);
    const code = codeOn(await confirmAt(person, next.body.attempt.verification_uri));
    expect((await complete(token, code)).status).toBe(200);
  });

  test('has one attempt that leads on, however many are begun at once', async () => {
    const { body } = await register();
    const { token } = body.claim;

    const begun = await Promise.all(Array.from({ length: 6 }, () => restart(token)));

    const pages = await Promise.all(
      begun.map((reply) => person.get(String(reply.body.attempt.verification_uri))),
    );
    const isOpen = pages.map((page) => page.status === 200);
    expect(isOpen.filter(Boolean)).toHaveLength(1);
    const code = codeOn(await confirmAt(person, begun[isOpen.indexOf(true)]?.body.attempt.verification_uri));
    expect((await complete(token, code)).status).toBe(200);
  });

  test('is worth nothing when the person leaves the organization before the code is brought', async () => {
    const { token, attempt } = (await register()).body.claim;
    const code = codeOn(await confirmAt(person, attempt.verification_uri));
    await server.store.db
      .deleteFrom('memberships')
      .where('organization_id', '=', owner.organizationId)
      .where('user_id', '=', person.userId)
      .execute();

    expect(told(await complete(token, code))).toEqual([409, 'claim_not_confirmed']);
  });

  test('leaves nothing in the database that could be shown as a credential', async () => {
    const { token, attempt } = (await register()).body.claim;
    const code = codeOn(await confirmAt(person, attempt.verification_uri));
    const completed = await complete(token, code);
    const { db } = server.store;
    const rows = JSON.stringify([
      await db.selectFrom('agent_registrations').selectAll().execute(),
      await db.selectFrom('agent_claim_attempts').selectAll().execute(),
      await db.selectFrom('agent_refresh_tokens').selectAll().execute(),
      await db.withoutPlugins().selectFrom('audit_logs').selectAll().execute(),
    ]);
    const secrets = [
      token,
      attempt.verification_uri.split('=').at(-1),
      completed.body.identity.refresh_token.value,
      completed.body.identity.assertion,
    ];

    expect(secrets.filter((secret) => rows.includes(secret))).toEqual([]);
    expect(rows).not.toContain(`"${code}"`);
    expect(JSON.stringify(server.log.lines)).not.toContain(token);
  });

  test('is told in the log of the organization: who, and which agent', async () => {
    const { id } = await claimedAgent(agent, person);
    const entry = await server.store.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('organization_id', '=', owner.organizationId)
      .where('tool', '=', 'agent_claim')
      .where('resource_id', '=', id)
      .executeTakeFirst();

    expect(entry).toMatchObject({
      user_id: person.userId,
      credential_id: `agent:${id}`,
      resource_type: 'AGENT',
      outcome: 'succeeded',
    });
  });

  test('opens nothing to an assertion that is shown in place of an access token', async () => {
    const { assertion } = await claimedAgent(agent, person);

    expect((await clientFor(server.url, assertion).get('/buyer/advertisers')).status).toBe(401);
  });
});

const ADVERTISER = { name: 'Acme', brand: 'acme.example', saveBrand: true, primaryCurrency: 'USD' };

const GENEROUS = {
  AGENT_ANONYMOUS_IN_ALL: '100000',
  AGENT_REQUESTS_IN_ALL: '100000',
};
