import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askForToken, newApplication } from '../../support/callers/applications.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('m2m_application_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('200 ends it: tokens that have not expired are 401 at once, no more are given, its account is let go', async () => {
    const owner = await newPerson(server);
    const made = await newApplication(server, owner);
    const { access_token: token } = (await askForToken(server, made)).body;
    const backend = clientFor(server.url, token);
    expect((await backend.get('/buyer/campaigns')).status).toBe(200);

    const admin = clientFor(server.url, await owner.browser());
    const { status, body } = await admin.delete(`/m2m-applications/${made.id}`);

    expect(status).toBe(200);
    expect(body.data).toEqual({ id: made.id, deleted: true, deletedAt: expect.any(String) });
    expect((await backend.get('/buyer/campaigns')).status).toBe(401);
    expect((await askForToken(server, made)).status).toBe(401);
    expect((await admin.get(`/m2m-applications/${made.id}`)).status).toBe(404);
    const row = await server.store.db
      .selectFrom('m2m_applications')
      .select(['customer_id', 'deleted_at'])
      .where('organization_id', '=', owner.organizationId)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ customer_id: null, deleted_at: expect.any(String) });
  });

  test('409 CONFLICT where it has another secret than the answer that is named, and 200 on that of now', async () => {
    const owner = await newPerson(server);
    const { id } = await newApplication(server, owner);
    const path = `/m2m-applications/${id}`;
    const admin = clientFor(server.url, await owner.browser());
    const tag = async () => (await admin.get(path)).headers.get('etag') ?? '';
    const remove = (match: string) => admin.send(path, { method: 'DELETE', headers: { 'if-match': match } });
    const read = await tag();
    expect((await admin.post(`${path}/secrets`)).status).toBe(201);

    const reply = await remove(read);

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'If-Match': 'The application was changed by somebody else in the meantime.' },
    });
    expect(reply.body.error.details.etag).toBe(await tag());
    expect((await remove(await tag())).status).toBe(200);
  });
});
