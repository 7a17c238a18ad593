import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unscoped } from '../../store/engine/unscoped.ts';
import { forgetAgents } from '../../store/unscoped/agents.ts';
import { listDeedsOfAgents, listOperatorDeeds } from '../../store/unscoped/operator-log.ts';
import {
  claimedAgent,
  codeOn,
  confirmAt,
  otherThan,
  personAtBrowser,
  stranger,
} from '../support/callers/agents.ts';
import { signedInPerson } from '../support/callers/consenting.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { connect, program } from '../support/callers/programs.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const AGENT = 'Scout/1.0';
const PROGRAM = 'A program';

/** What becomes of an agent or a program at an address that asks for nobody. */
interface Deed {
  readonly what: string;
  readonly tool: string;
  /** What it is called. */
  readonly name: string;
  /** Whether whoever did it acts for the person, who is named. */
  readonly isForPerson: boolean;
  /** Whether it ends something of a person, whose it was. */
  readonly ends?: 'actedFor' | 'confirmedBy';
  /** Does it; gives the address of the person whose program or agent it is. */
  does(): Promise<string>;
}

describe('the log of an organization calls', () => {
  let server: TestServer;
  let owner: Person;
  beforeAll(async () => {
    server = await startTestServer({ settings: { AGENT_REQUESTS_IN_ALL: '100000' } });
    owner = await newPerson(server);
  });
  afterAll(() => server.stop());

  const agent = () => stranger(server, { userAgent: AGENT });
  const claimer = () => personAtBrowser(server, { organizationIds: [owner.organizationId] });
  const connected = async () => {
    const person = await signedInPerson(server, { organization: owner });
    return { ...(await connect(server, person)), email: person.email };
  };
  const claimed = async () => {
    const { email, ...person } = await claimer();
    return { ...(await claimedAgent(agent(), { email, ...person })), email };
  };
  const refresh = (refresh_token: string) =>
    agent().post('/agent/identity', { type: 'refresh', refresh_token });

  const deeds: readonly Deed[] = [
    {
      what: 'a program whose token is revoked',
      ...{ tool: 'oauth_grant_end', name: PROGRAM, isForPerson: true, ends: 'actedFor' },
      does: async () => {
        const { tokens, email } = await connected();
        await program(server).revoke(tokens.access_token);
        return email;
      },
    },
    {
      what: 'a program whose refresh token came twice',
      ...{ tool: 'oauth_grant_end', name: PROGRAM, isForPerson: false, ends: 'actedFor' },
      does: async () => {
        const { clientId: client_id, tokens, email } = await connected();
        const form = { grant_type: 'refresh_token', client_id, refresh_token: tokens.refresh_token };
        await program(server).token(form);
        expect((await program(server).token(form)).status).toBe(400);
        return email;
      },
    },
    {
      what: 'an agent that renews itself',
      ...{ tool: 'agent_refresh', name: AGENT, isForPerson: true },
      does: async () => {
        const { refreshToken, email } = await claimed();
        expect((await refresh(refreshToken)).status).toBe(200);
        return email;
      },
    },
    {
      what: 'an agent whose refresh token came twice',
      ...{ tool: 'agent_revoke', name: AGENT, isForPerson: false, ends: 'actedFor' },
      does: async () => {
        const { refreshToken, email } = await claimed();
        await refresh(refreshToken);
        expect((await refresh(refreshToken)).status).toBe(400);
        return email;
      },
    },
    {
      what: 'an agent that is revoked by what it holds',
      ...{ tool: 'agent_revoke', name: AGENT, isForPerson: true, ends: 'actedFor' },
      does: async () => {
        const { refreshToken, email } = await claimed();
        await agent().form('/auth/revoke', { token: refreshToken });
        return email;
      },
    },
    {
      what: 'an agent one of whose access tokens is revoked',
      ...{ tool: 'oauth_token_revoke', name: AGENT, isForPerson: true },
      does: async () => {
        const { assertion, email } = await claimed();
        const { body } = await agent().exchange(assertion);
        await agent().form('/auth/revoke', { token: body.access_token });
        return email;
      },
    },
    {
      what: 'an agent that brought wrong codes',
      ...{ tool: 'agent_claim_fail', name: AGENT, isForPerson: false, ends: 'confirmedBy' },
      does: async () => {
        const person = await claimer();
        const asked = { type: 'service_auth', login_hint: person.email };
        const { claim } = (await agent().post('/agent/identity', asked)).body;
        const user_code = otherThan(codeOn(await confirmAt(person, claim.attempt.verification_uri)));
        for (const _ of [1, 2, 3, 4, 5]) {
          await agent().post('/agent/identity/claim/complete', { claim_token: claim.token, user_code });
        }
        return person.email;
      },
    },
    {
      what: 'an agent that was claimed',
      ...{ tool: 'agent_claim', name: AGENT, isForPerson: true },
      does: async () => (await claimed()).email,
    },
  ];

  test.each(deeds)('$what by its name, and says for whom it acted ($tool)', async (deed) => {
    const email = await deed.does();

    const { body } = await owner.get('/buyer/audit-logs?take=20&detail=full');
    const entry = body.data.logs.find(({ tool }: { tool: string }) => tool === deed.tool);
    expect(entry).toMatchObject({ credentialName: deed.name, resourceName: deed.name });
    expect(entry.userEmail).toBe(deed.isForPerson ? email : undefined);
    if (!deed.isForPerson) expect(entry.actorName).toBe(deed.name);
    if (deed.ends !== undefined) expect(entry.changes).toEqual({ [deed.ends]: { from: email, to: null } });
  });

  test('nobody by an id alone', async () => {
    const nameless = await unscoped(server.store.db)
      .selectFrom('audit_logs')
      .select(['tool', 'credential_id', 'user_id'])
      .where('actor_origin', '!=', 'system')
      .where('user_email', 'is', null)
      .where('credential_name', 'is', null)
      .execute();

    expect(nameless).toEqual([]);
  });

  test('no agent that works nowhere yet: that it registered to be claimed is told until it is forgotten', async () => {
    const asked = { type: 'service_auth', login_hint: 'ada@people.example' };
    const { body } = await agent().post('/agent/identity', asked);
    const { db } = server.store;
    await agent().post('/agent/identity/claim', { ...asked, claim_token: body.claim.token });
    const told = async () =>
      (await listDeedsOfAgents(db, 10)).filter(({ resource_id }) => resource_id === body.id);

    expect((await told()).map(({ tool }) => tool)).toEqual(['agent_claim_start', 'agent_register']);
    const operators = await listOperatorDeeds(db, 1_000);
    expect(operators.filter(({ resource_type }) => resource_type === 'AGENT')).toEqual([]);

    await db
      .updateTable('agent_registrations')
      .set({ expires_at: '2020-01-01T00:00:00.000Z' })
      .where('id', '=', body.id)
      .execute();
    await server.store.transaction((tx) => forgetAgents(tx, '2021-01-01T00:00:00.000Z'));
    expect(await told()).toEqual([]);
  });
});
