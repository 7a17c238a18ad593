import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newNewcomer } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('join_request_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with who asked', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const domain = `join-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    await admin.patch(`/domains/${domain}`, { policy: 'request_approval' });
    const person = await newNewcomer(server, { email: `ada@${domain}` });
    await person.post('/signup/join-requests', {});

    const reply = await admin.get('/join-requests');

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({
      total: 1,
      joinRequests: [{ email: person.email, status: 'pending' }],
    });
    const declined = await admin.get('/join-requests?status=declined');
    expect(declined.body.data).toMatchObject({ total: 0, joinRequests: [] });
    expect((await admin.get('/join-requests?status=pending')).body.data.total).toBe(1);
  });
});
