import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askForToken, newApplication } from '../../support/callers/applications.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('m2m_application_get', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 tells of each secret when it last got a token', async () => {
    const owner = await newPerson(server);
    const made = await newApplication(server, owner);
    await askForToken(server, made);

    const admin = clientFor(server.url, await owner.browser());
    const { status, body } = await admin.get(`/m2m-applications/${made.id}`);

    expect(status).toBe(200);
    expect(body.data.application.secrets).toMatchObject([
      { id: made.secretId, lastUsedAt: expect.any(String), tokenUsedAt: null, expiresAt: null },
    ]);
  });
});
