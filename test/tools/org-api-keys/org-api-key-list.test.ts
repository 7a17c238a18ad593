import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('org_api_key_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 lists the live keys of the organization and of no other', async () => {
    const [one, other] = [await newPerson(server), await newPerson(server)];

    const { status, body } = await clientFor(server.url, await one.browser()).get('/org-api-keys');

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ total: 1, apiKeys: [{ id: one.keyId }] });
    expect(body.meta.pagination).toEqual({ skip: 0, take: 50, total: 1, hasMore: false });
    expect(JSON.stringify(body)).not.toContain(other.keyId);
  });
});
