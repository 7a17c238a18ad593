import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { managerOf } from '../../support/callers/managers.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('browser_origin_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('answers 200 with the origins of the organization', async () => {
    const { organizationId } = await newPerson(server);
    const admin = await managerOf(server, organizationId);
    const origin = `https://list-${organizationId}.example`;
    await admin.post('/buyer/browser-origins', { origin });

    const reply = await admin.get('/storefront/browser-origins');

    expect(reply.status).toBe(200);
    expect(reply.body.data.origins).toMatchObject([{ origin, customerId: organizationId, label: null }]);
  });
});
