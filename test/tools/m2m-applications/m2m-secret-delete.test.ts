import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askForToken, newApplication } from '../../support/callers/applications.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('m2m_secret_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  async function rotated() {
    const owner = await newPerson(server);
    const old = await newApplication(server, owner);
    const admin = clientFor(server.url, await owner.browser());
    const path = `/m2m-applications/${old.id}/secrets`;
    const { secret, clientSecret } = (await admin.post(path)).body.data;
    const next = { ...old, secretId: secret.id, clientSecret };
    return { old, next, admin, path };
  }

  /** The note that a token was used is not waited for by who uses it: asks until it is there. */
  async function untilProven({ admin, old, next }: Awaited<ReturnType<typeof rotated>>) {
    for (;;) {
      const { secrets } = (await admin.get(`/m2m-applications/${old.id}`)).body.data.application;
      if (secrets.find(({ id }: { id: string }) => id === next.secretId).tokenUsedAt !== null) return;
    }
  }

  test('409 CONFLICT for the old one until a token of the newer one was used; then 200, and only the newer works', async () => {
    const rotation = await rotated();
    const { old, next, admin, path } = rotation;
    const before = (await askForToken(server, old)).body.access_token;
    const tooSoon = await admin.delete(`${path}/${old.secretId}`);
    const { access_token: token } = (await askForToken(server, next)).body;
    const unused = await admin.delete(`${path}/${old.secretId}`);

    for (const refused of [tooSoon, unused]) {
      expectRefusal(refused, 409, {
        code: 'CONFLICT',
        words: 'No token of a newer secret was used yet: what runs may still need this one.',
      });
    }
    expect((await clientFor(server.url, token).get('/buyer/campaigns')).status).toBe(200);
    await untilProven(rotation);
    expect((await admin.delete(`${path}/${old.secretId}`)).status).toBe(200);
    expect((await askForToken(server, old)).status).toBe(401);
    expect((await clientFor(server.url, before).get('/buyer/campaigns')).status).toBe(401);
    expect((await askForToken(server, next)).status).toBe(200);
    expect((await clientFor(server.url, token).get('/buyer/campaigns')).status).toBe(200);
  });

  test('409 CONFLICT for the last one; force ends any', async () => {
    const { old, next, admin, path } = await rotated();

    expect((await admin.delete(`${path}/${old.secretId}?force=true`)).status).toBe(200);
    const last = await admin.delete(`${path}/${next.secretId}`);
    expectRefusal(last, 409, {
      code: 'CONFLICT',
      words: 'This is the last secret: without it the application gets no token any more.',
    });
    expect((await admin.delete(`${path}/${next.secretId}`, { force: true })).status).toBe(200);
    expect((await askForToken(server, next)).status).toBe(401);
  });

  test('calls a rotation off: the newest goes while nothing uses it', async () => {
    const { next, admin, path } = await rotated();

    expect((await admin.delete(`${path}/${next.secretId}`)).status).toBe(200);
    expect((await admin.delete(`${path}/${next.secretId}`)).status).toBe(404);
  });
});
