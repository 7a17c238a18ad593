import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../../tools/domain/organizations/organizations.ts';
import { managerOf } from '../../support/managers.ts';
import { signInAs } from '../../support/newcomers.ts';
import { newPerson } from '../../support/people.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

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

  test('answers NOT_FOUND for an organization of others', async () => {
    const admin = await managerOf(server, (await newPerson(server)).organizationId);
    const stranger = await newPerson(server);

    const reply = await admin.post(`/accounts/${stranger.organizationId}/switch`, {});

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such account.' });
  });
});
