import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFor } from '../support/client.ts';
import { everythingKept } from '../support/everything-stored.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const SECRET = 'what-we-show-the-keeper-of-keys';

describe('keys that a service elsewhere keeps', () => {
  let keeper: ChildProcess;
  let server: TestServer;
  beforeAll(async () => {
    keeper = spawn(process.execPath, [join(import.meta.dirname, '../support/key-keeper.mjs')], {
      env: { KEEPER_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (keeper.stdout === null) throw new Error('The keeper has no output.');
    const [port] = await once(keeper.stdout, 'data');
    server = await startTestServer({
      settings: {
        CREDENTIAL_PROVIDER_URL: `http://127.0.0.1:${String(port).trim()}`,
        CREDENTIAL_PROVIDER_SECRET: SECRET,
        CREDENTIAL_PROVIDER_CACHE_MS: '0',
      },
    });
  });
  afterAll(async () => {
    await server.stop();
    keeper.kill();
  });

  test('are made, used, listed and revoked there, and are the organization’s here', async () => {
    const [owner, other] = [await newPerson(server), await newPerson(server)];
    const admin = clientFor(server.url, await owner.browser());

    const made = await admin.post('/org-api-keys', { name: 'Far', permissions: ['buyer:read'] });

    expect(made.status).toBe(201);
    const { id, value } = made.body.data.apiKey;
    const script = clientFor(server.url, value);
    expect((await script.get('/buyer/campaigns')).status).toBe(200);
    expect((await script.get('/buyer/audit-logs')).status).toBe(403);
    const list = await admin.get('/org-api-keys');
    expect(list.body.data).toMatchObject({ total: 1, apiKeys: [{ id, name: 'Far' }] });
    expect(list.text).not.toContain(value);
    const stranger = clientFor(server.url, await other.browser());
    expect((await stranger.delete(`/org-api-keys/${id}`)).status).toBe(404);
    expect((await admin.delete(`/org-api-keys/${id}`)).status).toBe(200);
    expect((await script.get('/buyer/campaigns')).status).toBe(401);
    expect(await everythingKept(server)).not.toContain(value);
  });

  test('hand on the token of that service’s widget; ours is not there, and its secret is nowhere', async () => {
    const owner = await newPerson(server);
    const admin = clientFor(server.url, await owner.browser());

    const token = await admin.get('/org-api-keys/widget-token');
    const page = await fetch(`${server.url}/widgets/api-keys`);
    const texts = [token.text, await page.text(), (await admin.get('/org-api-keys')).text];

    expect(token.body.data.token).toMatch(/^wt_/);
    expect(page.status).toBe(404);
    texts.push(await everythingKept(server));
    for (const text of texts) expect(text).not.toContain(SECRET);
  });

  test('keys made at the command line work beside them', async () => {
    const owner = await newPerson(server);
    expect((await owner.get('/buyer/campaigns')).status).toBe(200);
  });

  test('503 SERVICE_UNAVAILABLE while that service is away, for what needs it alone', async () => {
    const away = await startTestServer({
      settings: { CREDENTIAL_PROVIDER_URL: 'http://127.255.255.254:9', CREDENTIAL_PROVIDER_SECRET: SECRET },
    });
    try {
      const owner = await newPerson(away);
      const admin = clientFor(away.url, await owner.browser());
      expect((await admin.get('/org-api-keys')).status).toBe(503);
      expect((await clientFor(away.url, 'ext_unknown_key').get('/buyer/campaigns')).status).toBe(503);
      expect((await owner.get('/buyer/campaigns')).status).toBe(200);
    } finally {
      await away.stop();
    }
  });
});
