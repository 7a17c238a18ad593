import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBrowser } from '../support/callers/browsers.ts';
import { clientFor } from '../support/callers/client.ts';
import { newLegacyKey } from '../support/callers/legacy-keys.ts';
import { newPerson } from '../support/callers/people.ts';
import { everythingKept } from '../support/server/everything-stored.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('the settings page', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  /** A browser that reads pages of the settings and sends their forms. */
  function pagesOf(credential: string) {
    const [, csrf = ''] = credential.slice('browser '.length).split(' ');
    const client = clientFor(server.url, credential);
    return {
      read: (section: string) => client.get(`${server.url}/settings/${section}`),
      send: (section: string, fields: Record<string, string>) =>
        client.send(`${server.url}/settings/${section}`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', origin: server.url },
          body: new URLSearchParams({ csrf, ...fields }).toString(),
        }),
    };
  }

  test('makes a key, shows it once, and revokes it', async () => {
    const owner = await newPerson(server);
    const pages = pagesOf(await owner.browser());

    const made = await pages.send('keys', { do: 'create', name: 'By page', permissions: 'buyer:read' });

    const value = /rialtok_live_\w{46}/.exec(made.text)?.[0] ?? 'no key was shown';
    expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(200);
    const later = await pages.read('keys');
    expect(later.text).toContain('By page');
    expect(later.text).not.toContain(value);
    expect(await everythingKept(server)).not.toContain(value);
    const [, id = ''] = /name="key_id" value="(key_\w+)"/.exec(later.text) ?? [];
    expect((await pages.send('keys', { do: 'revoke', key_id: id })).status).toBe(303);
    expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(401);
  });

  test('makes an application with a secret that is shown once, and says what is refused', async () => {
    const owner = await newPerson(server);
    const pages = pagesOf(await owner.browser());

    const made = await pages.send('applications', { do: 'create', name: 'Bot', permissions: 'buyer:read' });

    const secret = /rialtos_[\w-]{43}/.exec(made.text)?.[0] ?? 'no secret was shown';
    expect(made.text).toContain('/auth/token');
    const later = await pages.read('applications');
    expect(later.text).not.toContain(secret);
    const [, id = ''] = /name="id" value="(m2m_\w+)"/.exec(later.text) ?? [];
    const [, secretId = ''] = /name="secretId" value="(sec_\w+)"/.exec(later.text) ?? [];
    const refused = await pages.send('applications', { do: 'end-secret', id, secretId });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('This is the last secret');
    expect((await pages.send('applications', { do: 'delete', id })).status).toBe(303);
  });

  test('lists legacy keys, and lets administrators alone revoke them; members see no other section', async () => {
    const owner = await newPerson(server);
    const id = await newLegacyKey(server, owner);
    const member = pagesOf((await newBrowser(server, owner.organizationId, 'MEMBER')).credential);
    const admin = pagesOf(await owner.browser());

    expect((await member.read('keys')).status).toBe(404);
    expect((await member.read('legacy-keys')).text).not.toContain('Old script');
    expect((await member.send('legacy-keys', { do: 'revoke', id })).status).toBe(422);
    expect((await admin.read('legacy-keys')).text).toContain('Old script');
    expect((await admin.send('legacy-keys', { do: 'revoke', id })).status).toBe(303);
    expect((await admin.read('legacy-keys')).text).toContain('revoked');
  });
});
