import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../../tools/domain/organizations/organizations.ts';
import { giveRole } from '../../../tools/domain/organizations/people.ts';
import { narrowedPerson } from '../../support/buying/access.ts';
import { headersOf } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { signInAs } from '../../support/callers/newcomers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('account_switch', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 and has this browser work there, and no other browser of the person', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const elsewhere = await signInAs(server, admin.userId, organizationId);
    const below = { name: 'Below', customerRole: 'BUYER' };
    const { id } = (await admin.post('/buyer/accounts/create-child', below)).body.data;

    const reply = await admin.post(`/accounts/${id}/switch`, {});

    expect(reply.status).toBe(200);
    expect((await admin.get('/buyer/accounts/current')).body.data.id).toBe(id);
    expect((await elsewhere.get('/buyer/accounts/current')).body.data.id).toBe(organizationId);
  });

  test('answers 200 to a person who may only read', async () => {
    const { organizationId } = await newPerson(server);
    const reader = await managerOf(server, organizationId, 'READ_ONLY');
    const below = { name: 'Below', parentId: organizationId, roles: ['BUYER'] } as const;
    const { id } = (await createOrganization(server.operator, below)).organization;

    const reply = await reader.post(`/accounts/${id}/switch`, {});

    expect(reply.status).toBe(200);
    expect((await reader.get('/buyer/accounts/current')).body.data.id).toBe(id);
  });

  test.each([
    ['over REST', 200],
    ['on the page', 303],
  ] as const)('lets a person go and come back whom grants narrow, %s', async (way, done) => {
    const [one, two] = [await newPerson(server), await newPerson(server)];
    const ada = await narrowedPerson(server, one);
    await giveRole(server.operator, {
      ...{ email: ada.email, name: '', role: 'ADMIN' },
      organizationId: two.organizationId,
    });
    const person = clientFor(server.url, ada.credential);
    const go = async ({ organizationId }: Person) => {
      if (way === 'over REST') return (await person.post(`/accounts/${organizationId}/switch`, {})).status;
      const headers = headersOf(ada.credential);
      const fields = { csrf: headers['x-csrf-token'] ?? '', organization: String(organizationId) };
      const page = `${server.url}/settings/organizations`;
      const body = new URLSearchParams(fields);
      return (await fetch(page, { method: 'POST', headers, body, redirect: 'manual' })).status;
    };
    const makes = async () => (await person.post('/buyer/advertisers', {})).status;
    expect(await makes()).toBe(403);

    expect(await go(two)).toBe(done);
    expect(await makes()).toBe(400);
    expect(await go(one)).toBe(done);

    // Each organization has grants of its own, and they go on there.
    expect(await makes()).toBe(403);
  });

  test('answers NOT_FOUND for an organization of others', async () => {
    const admin = await managerOf(server, (await newPerson(server)).organizationId);
    const stranger = await newPerson(server);

    const reply = await admin.post(`/accounts/${stranger.organizationId}/switch`, {});

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such account.' });
  });
});
