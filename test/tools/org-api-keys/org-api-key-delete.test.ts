import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('org_api_key_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 revokes the key: the next call with it is 401', async () => {
    const owner = await newPerson(server);
    const admin = clientFor(server.url, await owner.browser());
    expect((await owner.get('/buyer/campaigns')).status).toBe(200);

    const { status, body } = await admin.delete(`/org-api-keys/${owner.keyId}`);

    expect(status).toBe(200);
    expect(body.data).toEqual({ id: owner.keyId, revoked: true, revokedAt: expect.any(String) });
    expect((await owner.get('/buyer/campaigns')).status).toBe(401);
    expect((await admin.get('/org-api-keys')).body.data.apiKeys).toEqual([]);
    expect((await admin.delete(`/org-api-keys/${owner.keyId}`)).status).toBe(404);
  });
});
