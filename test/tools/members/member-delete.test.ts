import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/managers.ts';
import { signInAs } from '../../support/newcomers.ts';
import { newPerson } from '../../support/people.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('member_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200, and the person is out from the next call on, in every browser', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const member = await managerOf(server, organizationId, 'MEMBER');
    const elsewhere = await signInAs(server, member.userId, organizationId);

    const reply = await admin.delete(`/members/${member.userId}`);

    expect(reply.status).toBe(200);
    for (const browser of [member, elsewhere]) {
      expectRefusal(await browser.get('/buyer/advertisers'), 401, { code: 'UNAUTHORIZED' });
    }
    expectRefusal(await admin.delete(`/members/${member.userId}`), 404, { code: 'NOT_FOUND' });
  });

  test('answers CONFLICT for the last SUPER_ADMIN', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);

    expectRefusal(await admin.delete(`/members/${admin.userId}`), 409, { code: 'CONFLICT' });
  });
});
