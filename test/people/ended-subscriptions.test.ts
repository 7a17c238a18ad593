import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { giveGrant } from '../../tools/domain/organizations/grants.ts';
import { claimedAgent, clientOf, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { clientFor } from '../support/callers/client.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { newServiceToken } from '../support/callers/service-tokens.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { subscribe } from '../support/sellers/webhooks.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const RECEIVER = 'https://127.255.255.254/events';

describe('the log of an organization tells the webhook subscriptions that end', () => {
  let server: TestServer;
  let owner: Person;
  let admin: Awaited<ReturnType<typeof managerOf>>;
  beforeAll(async () => {
    server = await startTestServer();
    owner = await newPerson(server, { permissions: ['buyer:admin'] });
    admin = await managerOf(server, owner.organizationId);
  });
  afterAll(() => server.stop());

  const narrow = async (holder: string) =>
    giveGrant(server.operator, {
      organizationId: owner.organizationId,
      holder,
      advertiserId: Number(await newAdvertiser(owner)),
    });

  /** The newest entry of a capability, as its organization reads it. */
  const entryOf = async (tool: string) => {
    const { logs } = done(await owner.get('/buyer/audit-logs?take=50'));
    return logs.find((entry: { tool: string }) => entry.tool === tool);
  };

  test('with a key that grants narrow', async () => {
    const made = await admin.post('/org-api-keys', { name: 'Near', permissions: ['buyer:write'] });
    const { id, value } = done(made).apiKey;
    await narrow(`api_key:${id}`);
    const { id: subscription } = await subscribe(clientFor(server.url, value), RECEIVER);

    done(await admin.delete(`/org-api-keys/${id}`));

    expect(await entryOf('org_api_key_delete')).toMatchObject({
      resourceName: 'Near',
      changes: {
        revoked: { from: false, to: true },
        webhookSubscriptions: { from: [subscription], to: [] },
      },
    });
  });

  test('with a member that grants narrow', async () => {
    const { maker, bearer } = await newServiceToken(server, owner, { role: 'READ_WRITE' });
    await narrow(`user:${maker.userId}`);
    const { id: subscription } = await subscribe(clientFor(server.url, bearer), RECEIVER);

    done(await admin.delete(`/members/${maker.userId}`));

    expect((await entryOf('member_delete')).changes).toMatchObject({
      member: { from: maker.email, to: null },
      webhookSubscriptions: { from: [subscription], to: [] },
    });
  });

  test('with the agents of a member', async () => {
    const person = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
    const agent = stranger(server);
    const { assertion } = await claimedAgent(agent, person);
    const { id: subscription } = await subscribe(await clientOf(server, agent, assertion), RECEIVER);

    done(await admin.delete(`/members/${person.userId}`));

    expect((await entryOf('member_delete')).changes).toMatchObject({
      member: { from: person.email, to: null },
      webhookSubscriptions: { from: [subscription], to: [] },
    });
  });

  test('with an agent that ends itself', async () => {
    const person = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
    const agent = stranger(server);
    const { assertion, refreshToken } = await claimedAgent(agent, person);
    const { id: subscription } = await subscribe(await clientOf(server, agent, assertion), RECEIVER);

    await agent.form('/auth/revoke', { token: refreshToken });

    expect((await entryOf('agent_revoke')).changes).toEqual({
      actedFor: { from: person.email, to: null },
      webhookSubscriptions: { from: [subscription], to: [] },
    });
  });

  test('and says nothing of them where there were none', async () => {
    const member = await managerOf(server, owner.organizationId, 'MEMBER');

    done(await admin.delete(`/members/${member.userId}`));

    expect(Object.keys((await entryOf('member_delete')).changes)).toEqual(['member', 'role']);
  });
});
