import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newNewcomer } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('join_request_update', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200, and whoever is approved is a member; CONFLICT the second time', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const domain = `join-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    await admin.patch(`/domains/${domain}`, { policy: 'request_approval' });
    const person = await newNewcomer(server, { email: `ada@${domain}` });
    await person.post('/signup/join-requests', {});
    const { id } = (await admin.get('/join-requests')).body.data.joinRequests[0];

    const reply = await admin.patch(`/join-requests/${id}`, { status: 'approved' });

    expect(reply.status).toBe(200);
    expect((await admin.get('/members')).body.data.members).toContainEqual(
      expect.objectContaining({ userId: person.userId, role: 'MEMBER', joinedVia: 'domain_policy' }),
    );
    const again = await admin.patch(`/join-requests/${id}`, { status: 'declined' });
    expectRefusal(again, 409, { code: 'CONFLICT', words: 'This request was decided before.' });
    expectRefusal(await admin.patch('/join-requests/999999', { status: 'approved' }), 404, {
      code: 'NOT_FOUND',
      words: 'No such request to join.',
    });
  });
});
