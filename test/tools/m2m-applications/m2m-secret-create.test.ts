import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askForToken, newApplication } from '../../support/callers/applications.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { everythingKept } from '../../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('m2m_secret_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('201 makes a further secret: both get short-lived tokens, and 409 CONFLICT beyond five', async () => {
    const owner = await newPerson(server);
    const made = await newApplication(server, owner);
    const admin = clientFor(server.url, await owner.browser());

    const { status, body } = await admin.post(`/m2m-applications/${made.id}/secrets`);

    expect(status).toBe(201);
    const next = { ...made, clientSecret: body.data.clientSecret };
    expect(body.data.secret.secretHint).toBe(`…${next.clientSecret.slice(-4)}`);
    for (const one of [made, next]) {
      const { body: given } = await askForToken(server, one);
      expect(given.expires_in).toBe(900);
      expect((await clientFor(server.url, given.access_token).get('/buyer/campaigns')).status).toBe(200);
    }
    expect(await everythingKept(server)).not.toContain(next.clientSecret);
    for (let count = 2; count < 5; count += 1) await admin.post(`/m2m-applications/${made.id}/secrets`);
    const refused = await admin.post(`/m2m-applications/${made.id}/secrets`);
    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      words: 'The application has 5 live secrets, which is the most it may have.',
    });
  });
});
