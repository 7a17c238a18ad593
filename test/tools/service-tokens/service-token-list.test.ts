import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../../support/callers/people.ts';
import { newServiceToken } from '../../support/callers/service-tokens.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('service_token_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 lists them newest first, archived ones too, and no secret', async () => {
    const owner = await newPerson(server);
    const [first, second] = [await newServiceToken(server, owner), await newServiceToken(server, owner)];
    await owner.delete(`/service-tokens/${first.record.id}`);

    const list = await owner.get('/service-tokens');

    expect(list.status).toBe(200);
    expect(list.body.data.items).toMatchObject([
      { id: second.record.id, archivedAt: null, lastUsedAt: null },
      { id: first.record.id, archivedAt: expect.any(String) },
    ]);
    expect(list.text).not.toContain('ccessClientSecret');
  });
});
