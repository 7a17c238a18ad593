import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BrowsingPerson,
  claimedAgent,
  clientOf,
  codeOn,
  confirmAt,
  personAtBrowser,
  type Stranger,
  stranger,
} from '../support/callers/agents.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { claimsOf } from '../support/callers/programs.ts';
import { engine } from '../support/database/database.ts';
import { type ManualClock, manualClock } from '../support/run/clock.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const settings = { AGENT_ANONYMOUS_IN_ALL: '100000', AGENT_REQUESTS_IN_ALL: '100000' };

describe('an agent in its life', () => {
  let server: TestServer;
  let clock: ManualClock;
  let agent: Stranger;
  let owner: Person;
  let person: BrowsingPerson;
  beforeEach(async () => {
    clock = manualClock();
    server = await startTestServer({ clock, settings });
    agent = stranger(server);
    owner = await newPerson(server);
    person = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
  });
  afterEach(() => server.stop());

  const refresh = (value: string, by = agent) =>
    by.post('/agent/identity', { type: 'refresh', refresh_token: value });
  const revoke = (token: string) => agent.form('/auth/revoke', { token });

  test('gets its next assertion and its next refresh token for the one it holds', async () => {
    const { id, refreshToken } = await claimedAgent(agent, person);
    const refreshed = await refresh(refreshToken);
    const next = await refresh(refreshed.body.identity.refresh_token.value);
    const client = await clientOf(server, agent, next.body.identity.assertion);

    expect(refreshed.status).toBe(200);
    expect(refreshed.body).toEqual({
      id,
      type: 'refresh',
      identity: {
        assertion: expect.any(String),
        expires_at: expect.any(String),
        refresh_token: { value: expect.stringMatching(/^agr_/), expires_at: expect.any(String) },
      },
    });
    expect(refreshed.body.identity.refresh_token.value).not.toBe(refreshToken);
    expect((await client.get('/buyer/advertisers')).status).toBe(200);
  });

  test('ends when a refresh token is used twice, with all that came of either use', async () => {
    const { assertion, refreshToken } = await claimedAgent(agent, person);
    const early = await clientOf(server, agent, assertion);
    const first = await refresh(refreshToken);
    const late = await clientOf(server, agent, first.body.identity.assertion);

    const second = await refresh(refreshToken);

    expect([second.status, second.body.error]).toEqual([400, 'invalid_refresh_token']);
    for (const client of [early, late]) expect((await client.get('/buyer/advertisers')).status).toBe(401);
    for (const shown of [assertion, first.body.identity.assertion]) {
      expect((await agent.exchange(shown)).body.error).toBe('invalid_grant');
    }
    const successor = await refresh(first.body.identity.refresh_token.value);
    expect(successor.body.error).toBe('invalid_refresh_token');
    const entries = await server.store.db
      .selectFrom('audit_logs')
      .select('tool')
      .where('organization_id', '=', owner.organizationId)
      .where('tool', '=', 'agent_revoke')
      .execute();
    expect(entries).toHaveLength(1);
  });

  test('of many uses of one refresh token at once one is answered, and the agent ends', async () => {
    const { refreshToken } = await claimedAgent(agent, person);
    const answers = await Promise.all(Array.from({ length: 8 }, () => refresh(refreshToken)));
    const won = answers.filter(({ status }) => status === 200);

    expect(won).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'invalid_refresh_token')).toHaveLength(7);
    expect((await agent.exchange(won[0]?.body.identity.assertion)).body.error).toBe('invalid_grant');
  });

  test('of many that bring the code at once one is given the claim', async () => {
    const { body } = await agent.post('/agent/identity', { type: 'service_auth', login_hint: person.email });
    const code = codeOn(await confirmAt(person, body.claim.attempt.verification_uri));
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        agent.post('/agent/identity/claim/complete', { claim_token: body.claim.token, user_code: code }),
      ),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const { status, body: told } of answers.filter((answer) => answer.status !== 200)) {
      expect(['already_claimed', 'user_code_expired']).toContain(told.error);
      expect([409, 410]).toContain(status);
    }
  });

  test('ends at once when its registration is over, whatever its token says', async () => {
    const registered = await agent.post('/agent/identity', { type: 'anonymous' });
    clock.advance(DAY - 10 * MINUTE);
    // The assertion is over by now; the token that is made of a fresh one ends with the registration.
    expect((await agent.exchange(registered.body.identity.assertion)).body.error).toBe('invalid_grant');
    const { assertion, refreshToken } = await claimedAgent(agent, person);
    const client = await clientOf(server, agent, assertion);
    expect((await client.get('/buyer/advertisers')).status).toBe(200);

    clock.advance(15 * MINUTE);

    expect((await client.get('/buyer/advertisers')).status).toBe(401);
    const again = await clientOf(server, agent, assertion);
    expect((await again.get('/buyer/advertisers')).status).toBe(200);
    clock.advance(30 * DAY);
    expect((await refresh(refreshToken)).body.error).toBe('invalid_refresh_token');
    expect((await agent.exchange(assertion)).body.error).toBe('invalid_grant');
  });

  test('has no token that outlives an unclaimed registration', async () => {
    const short = await startTestServer({
      clock,
      settings: { ...settings, AGENT_REGISTRATION_SECONDS: '120' },
    });
    try {
      const other = stranger(short);
      const registered = await other.post('/agent/identity', { type: 'anonymous' });
      const { body } = await other.exchange(registered.body.identity.assertion);
      const client = await clientOf(short, other, registered.body.identity.assertion);

      expect(body.expires_in).toBe(120);
      expect((await client.get('/buyer/advertisers')).status).toBe(200);
      clock.advance(120_000);
      expect((await client.get('/buyer/advertisers')).status).toBe(401);
    } finally {
      await short.stop();
    }
  });

  test('gives back a single token, or itself: by its refresh token, its assertion, its claim token', async () => {
    const single = await claimedAgent(agent, person);
    const { access_token } = (await agent.exchange(single.assertion)).body;
    const client = await clientOf(server, agent, single.assertion);
    const bearer = { headers: { authorization: `Bearer ${access_token}` } };
    const status = async () => (await client.send('/buyer/advertisers', bearer)).status;
    expect(await status()).toBe(200);

    expect((await revoke(access_token)).status).toBe(200);
    expect(await status()).toBe(401);
    const logged = await server.store.db
      .selectFrom('audit_logs')
      .select(['tool', 'resource_type', 'credential_id'])
      .where('organization_id', '=', owner.organizationId)
      .where('resource_id', '=', String(claimsOf(access_token)['jti']))
      .execute();
    const { agent_reg } = claimsOf(access_token);
    expect(logged).toEqual([
      { tool: 'oauth_token_revoke', resource_type: 'ACCESS_TOKEN', credential_id: `agent:${agent_reg}` },
    ]);
    expect((await client.get('/buyer/advertisers')).status).toBe(200);

    for (const which of ['refreshToken', 'assertion'] as const) {
      const whole = await claimedAgent(agent, person);
      const its = await clientOf(server, agent, whole.assertion);
      expect((await revoke(whole[which])).status).toBe(200);
      expect((await its.get('/buyer/advertisers')).status).toBe(401);
      expect((await agent.exchange(whole.assertion)).body.error).toBe('invalid_grant');
    }
    const anonymous = (await agent.post('/agent/identity', { type: 'anonymous' })).body;
    await revoke(anonymous.claim.token);
    expect((await agent.exchange(anonymous.identity.assertion)).body.error).toBe('invalid_grant');
    const claim = { type: 'service_auth', claim_token: anonymous.claim.token, login_hint: person.email };
    expect((await agent.post('/agent/identity/claim', claim)).body.error).toBe('invalid_claim_token');
    expect((await revoke('nothing anybody knows')).status).toBe(200);
  });

  test('is listed in the settings of the person who claimed it, who can end it with all it set up', async () => {
    const other = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
    const { id, assertion } = await claimedAgent(agent, person);
    const client = await clientOf(server, agent, assertion);
    const hook = await client.post('/buyer/webhook-subscriptions', {
      url: 'https://hooks.acme.example/hook',
      secret: 'a secret of at least thirty-two letters',
      eventTypes: ['discovery.revision'],
    });
    const listed = await person.get('/settings/agents');
    const foreign = await other.get('/settings/agents');
    await other.submit(foreign, '/settings/agents', { id });
    expect((await client.get('/buyer/advertisers')).status).toBe(200);

    const ended = await person.submit(listed, '/settings/agents', { id });

    expect(listed.text).toContain('Scout/1.0');
    expect(foreign.text).not.toContain('Scout/1.0');
    expect(ended.status).toBe(303);
    expect((await client.get('/buyer/advertisers')).status).toBe(401);
    expect((await agent.exchange(assertion)).body.error).toBe('invalid_grant');
    expect((await person.get('/settings/agents')).text).not.toContain(id);
    expect(hook.status).toBe(201);
    const left = await owner.get('/buyer/webhook-subscriptions');
    expect(left.status).toBe(200);
    expect(left.text).not.toContain('/hook');
  });

  test('leaves the account what a key had set up, also where it asked for the same itself', async () => {
    const fields = {
      url: 'https://hooks.acme.example/kept',
      secret: 'a secret of at least thirty-two letters',
      eventTypes: ['discovery.revision'],
    };
    const made = await owner.post('/buyer/webhook-subscriptions', fields);
    const { id, assertion } = await claimedAgent(agent, person);
    const client = await clientOf(server, agent, assertion);
    const again = await client.post('/buyer/webhook-subscriptions', fields);

    await person.submit(await person.get('/settings/agents'), '/settings/agents', { id });

    expect([made.status, again.status]).toEqual([201, 200]);
    expect((await client.get('/buyer/advertisers')).status).toBe(401);
    expect((await owner.get('/buyer/webhook-subscriptions')).text).toContain('/kept');
  });

  test('is nobody while its person or its organization is suspended', async () => {
    const { assertion } = await claimedAgent(agent, person);
    const client = await clientOf(server, agent, assertion);
    const suspend = (table: 'users' | 'organizations', id: number, suspended_at: string | null) =>
      server.store.db.updateTable(table).set({ suspended_at }).where('id', '=', id).execute();

    for (const [table, id] of [
      ['users', person.userId],
      ['organizations', owner.organizationId],
    ] as const) {
      await suspend(table, id, '2026-12-01T00:00:00.000Z');
      expect((await client.get('/buyer/advertisers')).status).toBe(401);
      await suspend(table, id, null);
      expect((await client.get('/buyer/advertisers')).status).toBe(200);
    }
  });

  test('once claimed is not ended by who only saw its claim token', async () => {
    const { claimToken, assertion } = await claimedAgent(agent, person);

    await revoke(claimToken);

    expect((await agent.exchange(assertion)).status).toBe(200);
  });

  test('is swept away with its sandbox a day after it ended, and one that was claimed without', async () => {
    const gone = (await agent.post('/agent/identity', { type: 'anonymous' })).body;
    const claimed = (await agent.post('/agent/identity', { type: 'anonymous' })).body;
    await (await clientOf(server, agent, gone.identity.assertion)).post('/buyer/advertisers', {});
    const started = await agent.post('/agent/identity/claim', {
      type: 'service_auth',
      claim_token: claimed.claim.token,
      login_hint: person.email,
    });
    const user_code = codeOn(await confirmAt(person, started.body.attempt.verification_uri));
    await agent.post('/agent/identity/claim/complete', { claim_token: claimed.claim.token, user_code });
    expect(await sandboxes()).toBe(2);

    clock.advance(2 * DAY + MINUTE);
    await swept(() => sandboxes(), 0);

    const left = await server.store.db.selectFrom('agent_registrations').select('id').execute();
    expect(left.map(({ id }) => id)).toEqual([claimed.id]);
    expect((await owner.get('/buyer/advertisers')).status).toBe(200);
  });

  const sandboxes = async () => {
    const rows = await server.store.db.selectFrom('organizations').select('kind').execute();
    return rows.filter(({ kind }) => kind === 'sandbox').length;
  };

  /** Housekeeping comes round with the clock; its work is done when the count is what it should become. */
  async function swept(count: () => Promise<number>, goal: number): Promise<void> {
    for (let round = 0; (await count()) !== goal; round += 1) {
      if (round > 1_000) throw new Error('Nothing was swept.');
      clock.advance(5_000);
      await turn();
    }
  }
});

// SQLite is served by one process at a time.
describe.runIf(engine === 'postgres')('two processes that receive agents', () => {
  let one: TestServer;
  let other: TestServer;
  let person: BrowsingPerson;
  beforeEach(async () => {
    // One address for both, as behind a balancer: what one signs the other believes.
    const shared = { ...settings, PUBLIC_URL: 'http://127.0.0.1:1', ALLOWED_HOSTS: '127.0.0.1' };
    one = await startTestServer({ settings: shared });
    other = await startTestServer({ settings: shared, database: one.database });
    const owner = await newPerson(one);
    person = await personAtBrowser(one, { organizationIds: [owner.organizationId] });
  });
  afterEach(async () => {
    await other.stop();
    await one.stop();
  });

  async function begun() {
    const { body } = await stranger(one).post('/agent/identity', {
      type: 'service_auth',
      login_hint: person.email,
    });
    const code = codeOn(await confirmAt(person, body.claim.attempt.verification_uri));
    return { claim_token: body.claim.token, user_code: code };
  }

  test('give a claim once between them, and a refresh token one successor', async () => {
    const claim = await begun();
    const completed = await Promise.all(
      [one, other].map((server) => stranger(server).post('/agent/identity/claim/complete', claim)),
    );
    const [won, ...more] = completed.filter(({ status }) => status === 200);
    expect(won).toBeDefined();
    expect(more).toEqual([]);

    const refresh_token = won?.body.identity.refresh_token.value;
    const refreshed = await Promise.all(
      [one, other].map((server) =>
        stranger(server).post('/agent/identity', { type: 'refresh', refresh_token }),
      ),
    );
    expect(refreshed.map(({ status }) => status).sort()).toEqual([200, 400]);
    const [next] = refreshed.filter(({ status }) => status === 200);
    const { body } = await stranger(other).exchange(next?.body.identity.assertion);
    expect(body.error).toBe('invalid_grant');
  });
});
