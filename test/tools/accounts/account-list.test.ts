import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOrganization } from '../../../tools/domain/organizations/organizations.ts';
import { managerOf } from '../../support/managers.ts';
import { newPerson } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('account_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with what a person works in: its own organizations and the accounts below them', async () => {
    const person = await newPerson(server);
    const child = await createOrganization(server.operator, {
      name: 'Child',
      parentId: person.organizationId,
      roles: ['BUYER'],
    });
    const member = await managerOf(server, person.organizationId, 'MEMBER');

    const reply = await member.get('/buyer/accounts');

    expect(reply.status).toBe(200);
    expect(reply.body.data.accounts).toMatchObject([
      { id: person.organizationId, role: 'MEMBER', parentId: null, isCurrent: true },
      { id: child.organization.id, role: 'MEMBER', parentId: person.organizationId, isCurrent: false },
    ]);
  });

  test('shows a key its own organization alone', async () => {
    const person = await newPerson(server);

    const { accounts } = (await person.get('/storefront/accounts')).body.data;

    expect(accounts.map(({ id }: { id: number }) => id)).toEqual([person.organizationId]);
  });
});
