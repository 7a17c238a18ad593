import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyDomain } from '../../../tools/domain/organizations/domains.ts';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('domain_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with the domains, verified or not', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const domain = `list-${organizationId}.example`;
    await admin.post('/domains', { domain });
    await verifyDomain(server.operator, { organizationId, domain });

    const reply = await admin.get('/domains');

    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ total: 1, domains: [{ domain, isVerified: true }] });
  });
});
