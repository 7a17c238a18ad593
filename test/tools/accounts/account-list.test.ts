import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTenant } from '../../../store/engine/scope.ts';
import { insertMembership } from '../../../store/members.ts';
import { createOrganization } from '../../../tools/domain/organizations/organizations.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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

  test('turns pages, and counts an account once whose person has a role there and above it', async () => {
    const person = await newPerson(server);
    const member = await managerOf(server, person.organizationId, 'ADMIN');
    const { organizationId } = person;
    for (const name of ['One', 'Two']) {
      const { organization } = await createOrganization(server.operator, {
        name,
        parentId: organizationId,
        roles: ['BUYER'],
      });
      await insertMembership(server.store.db, makeTenant(organization.id), {
        user_id: member.userId,
        role: 'READ_ONLY',
        created_via: 'invitation',
        created_at: server.operator.now,
      });
    }

    const [first, last] = [
      (await member.get('/buyer/accounts?take=2')).body,
      (await member.get('/buyer/accounts?limit=2&offset=2')).body,
    ];

    expect(first.data).toMatchObject({
      accounts: [
        { id: organizationId, role: 'ADMIN' },
        { name: 'One', role: 'READ_ONLY' },
      ],
      total: 3,
      hasMore: true,
      nextOffset: 2,
    });
    expect(first.meta.pagination).toEqual({ skip: 0, take: 2, total: 3, hasMore: true });
    expect(last.data).toMatchObject({
      accounts: [{ name: 'Two', role: 'READ_ONLY' }],
      total: 3,
      hasMore: false,
      nextOffset: null,
    });
    expect((await person.get('/buyer/accounts?skip=1')).body.data).toMatchObject({ accounts: [], total: 1 });
  });

  test('shows a key its own organization alone', async () => {
    const person = await newPerson(server);

    const { accounts } = (await person.get('/storefront/accounts')).body.data;

    expect(accounts.map(({ id }: { id: number }) => id)).toEqual([person.organizationId]);
  });
});
