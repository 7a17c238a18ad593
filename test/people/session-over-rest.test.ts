import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hiddenIn } from '../support/callers/browser-client.ts';
import { newPerson } from '../support/callers/people.ts';
import { newAccount } from '../support/callers/signed-in.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a signed-in browser that calls REST', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { MAILS_PER_IP: '1000' } });
  });
  afterAll(() => server.stop());

  const KEYS = '/api/v2/org-api-keys';
  const messageOf = (text: string) => {
    const { code, message, details } = JSON.parse(text).error;
    return `${code} ${message} ${details.suggestion}`;
  };
  const administrator = async () =>
    newAccount(server, { organizationId: (await newPerson(server)).organizationId, role: 'ADMIN' });

  test('is told what shows that a page sent a change, where nothing does', async () => {
    const ada = await administrator();
    const refused = await ada.post(KEYS, {});
    const { csrf = '' } = hiddenIn((await ada.get('/settings/profile')).text);
    const shown = await ada.post(KEYS, {}, { 'x-csrf-token': csrf });

    expect(refused.status).toBe(401);
    expect(messageOf(refused.text)).toMatch(/^UNAUTHORIZED .*signed in.*X-CSRF-Token/);
    // Known now, and refused for what it sent: a form.
    expect(shown.status).toBe(400);
  });

  test('may send a change from the page whose address it reads, by either name of the machine', async () => {
    const ada = await administrator();
    const { host, port } = new URL(server.url);
    const from = async (page: string, called: string) =>
      (await ada.post(KEYS, {}, { host: called, origin: `http://${page}`, 'sec-fetch-site': 'same-origin' }))
        .status;

    expect(await from(host, host)).toBe(400);
    expect(await from(`localhost:${port}`, `localhost:${port}`)).toBe(400);
    expect(await from('elsewhere.example', host)).toBe(403);
  });

  test('is told that it works in no organization, and where to begin', async () => {
    const newcomer = await newAccount(server);
    const refused = await newcomer.get('/api/v2/buyer/advertisers');

    expect(refused.status).toBe(401);
    expect(messageOf(refused.text)).toMatch(/^UNAUTHORIZED .*no organization.*\/start/);
    expect((await newcomer.get('/health')).status).toBe(200);
  });

  test('is sent to an administrator for what no other credential can do', async () => {
    const member = await newAccount(server, {
      organizationId: (await newPerson(server)).organizationId,
      role: 'MEMBER',
    });
    const refused = await member.get(KEYS);

    expect(refused.status).toBe(403);
    expect(messageOf(refused.text)).toMatch(/^FORBIDDEN .*buyer:admin.*administrator/);
    expect(refused.text).not.toContain('Use a credential');
  });

  test('is sent to whoever invited it, where an invitation is not known', async () => {
    const newcomer = await newAccount(server);
    const { csrf = '' } = hiddenIn((await newcomer.get('/settings/profile')).text);
    const refused = await fetch(`${server.url}/api/v2/signup/invitations`, {
      method: 'POST',
      body: JSON.stringify({ token: 'x' }),
      headers: {
        'content-type': 'application/json',
        'x-csrf-token': csrf,
        cookie: [...newcomer.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      },
    });

    expect(refused.status).toBe(404);
    expect(messageOf(await refused.text())).toContain('invited you');
  });
});
