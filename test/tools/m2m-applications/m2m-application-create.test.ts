import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { askForToken, newApplication } from '../../support/callers/applications.ts';
import { newBrowser } from '../../support/callers/browsers.ts';
import { clientFor } from '../../support/callers/client.ts';
import { newPerson } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { everythingKept } from '../../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const FOR_ADMINISTRATORS =
  /^This call needs (an interactive session of a person; a key or token cannot make it|the permission buyer:admin)\.$/;

describe('m2m_application_create', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  test('201 shows the secret once, with where and for what it gets tokens', async () => {
    const owner = await newPerson(server);
    const admin = clientFor(server.url, await owner.browser());

    const { status, body } = await admin.post('/m2m-applications', {
      name: 'Bid optimiser',
      permissions: ['buyer:read'],
      description: 'Runs at night',
      customerId: String(owner.accounts.BUYER),
    });

    expect(status).toBe(201);
    const { application, clientSecret, secretId, tokenEndpoint, resource } = body.data;
    expect(application).toMatchObject({
      name: 'Bid optimiser',
      permissions: ['buyer:read'],
      customerId: owner.accounts.BUYER,
      status: 'active',
    });
    expect([tokenEndpoint, resource]).toEqual([`${server.url}/auth/token`, `${server.url}/api/v2`]);
    const later = await admin.get(`/m2m-applications/${application.id}`);
    expect(later.body.data.application.secrets).toMatchObject([
      { id: secretId, secretHint: `…${clientSecret.slice(-4)}`, lastUsedAt: null },
    ]);
    expect(later.text).not.toContain(clientSecret);
    expect(await everythingKept(server)).not.toContain(clientSecret);
  });

  test('its tokens call both surfaces, with what the application holds at that moment', async () => {
    const owner = await newPerson(server);
    const made = await newApplication(server, owner, ['buyer:read']);

    const { body } = await askForToken(server, made);

    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    const backend = clientFor(server.url, body.access_token);
    expect((await backend.get('/buyer/campaigns')).status).toBe(200);
    const refused = await backend.post('/buyer/advertisers', { name: 'Acme', brand: 'acme.example' });
    expectRefusal(refused, 403, { code: 'FORBIDDEN', words: 'This call needs the permission buyer:write.' });
    const logs = await owner.get('/buyer/audit-logs?detail=full&take=1&outcome=denied');
    expect(logs.body.data.logs[0]).toMatchObject({ credentialName: 'Backend', actorOrigin: 'autonomous' });
    expect(await everythingKept(server)).not.toContain(body.access_token);
  });

  test('is refused with 403 FORBIDDEN to keys, applications and members, and 422 for an account of others', async () => {
    const [owner, other] = [await newPerson(server), await newPerson(server)];
    const made = await newApplication(server, owner, ['buyer:admin']);
    const { access_token: token } = (await askForToken(server, made)).body;
    const member = await newBrowser(server, owner.organizationId, 'MEMBER');
    const wanted = { name: 'No', permissions: ['buyer:read'] };

    for (const credential of [owner.key, token, member.credential]) {
      const client = clientFor(server.url, credential);
      for (const answer of [
        await client.get('/m2m-applications'),
        await client.post('/m2m-applications', wanted),
        await client.get(`/m2m-applications/${made.id}`),
        await client.delete(`/m2m-applications/${made.id}`),
        await client.post(`/m2m-applications/${made.id}/secrets`),
        await client.delete(`/m2m-applications/${made.id}/secrets/${made.secretId}`),
      ]) {
        expectRefusal(answer, 403, { code: 'FORBIDDEN', words: FOR_ADMINISTRATORS });
      }
    }
    const admin = clientFor(server.url, await owner.browser());
    const foreign = await admin.post('/m2m-applications', { ...wanted, customerId: other.accounts.BUYER });
    expect([foreign.status, foreign.body.error.field]).toEqual([422, 'customerId']);
  });

  test('409 CONFLICT beyond a hundred applications', async () => {
    const owner = await newPerson(server);
    const { id } = await newApplication(server, owner);
    const row = await server.store.db
      .selectFrom('m2m_applications')
      .selectAll()
      .where('organization_id', '=', owner.organizationId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 99 }, (_, index) => ({
      ...row,
      id: `${id}${index}`,
      client_id: `${row.client_id}${index}`,
    }));
    await server.store.db.insertInto('m2m_applications').values(copies).execute();

    const admin = clientFor(server.url, await owner.browser());
    const refused = await admin.post('/m2m-applications', { name: 'More', permissions: ['buyer:read'] });

    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      words: 'The organization has 100 applications, which is the most it may have.',
    });
  });
});
