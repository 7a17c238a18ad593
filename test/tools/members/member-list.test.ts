import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('member_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with the people of the organization, and not those above it', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId, 'ADMIN');
    const member = await managerOf(server, organizationId, 'MEMBER');

    const reply = await admin.get('/members');

    expect(reply.status).toBe(200);
    expect(reply.body.data.total).toBe(2);
    expect(reply.body.data.members).toMatchObject([
      { userId: admin.userId, role: 'ADMIN' },
      { userId: member.userId, role: 'MEMBER' },
    ]);
    expectRefusal(await member.get('/members'), 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the permission buyer:admin.',
    });
  });
});
