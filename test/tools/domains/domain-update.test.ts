import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newNewcomer } from '../../support/callers/newcomers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('domain_update', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with another policy, by which people come in from then on', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const domain = `policy-${organizationId}.example`;
    await verifyDomain(server.operator, { organizationId, domain });
    const person = await newNewcomer(server, { email: `ada@${domain}` });

    const reply = await admin.patch(`/domains/${domain}`, { policy: 'request_approval' });

    expect(reply.status).toBe(200);
    expect(reply.body.data.policy).toBe('request_approval');
    expect((await person.post('/signup/join-requests', {})).body.data.status).toBe('requested');
  });

  test('answers NOT_FOUND for a domain that is not named; CONFLICT is of two at once', async () => {
    const admin = await managerOf(server, (await newPerson(server)).organizationId);

    const reply = await admin.patch('/domains/nobody.example', { policy: 'auto_approve' });

    expectRefusal(reply, 404, { code: 'NOT_FOUND', words: 'No such domain.' });
  });
});
