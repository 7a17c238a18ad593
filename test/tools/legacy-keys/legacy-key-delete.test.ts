import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { legacyValue, newLegacyKey } from '../../support/callers/legacy-keys.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('legacy_key_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 for an administrator: the next call with the key is 401; 403 for a member', async () => {
    const owner = await newPerson(server);
    const value = legacyValue();
    const id = await newLegacyKey(server, owner, { value });
    const old = clientFor(server.url, value);
    const member = await newBrowser(server, owner.organizationId, 'MEMBER');

    expect((await clientFor(server.url, member.credential).delete(`/legacy-keys/${id}`)).status).toBe(403);
    expect((await old.get('/buyer/campaigns')).status).toBe(200);
    const { status, body } = await clientFor(server.url, await owner.browser()).delete(`/legacy-keys/${id}`);

    expect(status).toBe(200);
    expect(body.data).toEqual({ id, revoked: true, revokedAt: expect.any(String) });
    expect((await old.get('/buyer/campaigns')).status).toBe(401);
  });
});
