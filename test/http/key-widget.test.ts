import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newBrowser } from '../support/callers/browsers.ts';
import { clientFor } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const PAGE = '/widgets/api-keys';

describe('the key-management widget', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ settings: { WIDGET_ALLOWED_ORIGINS: 'https://console.acme.example' } });
  });
  afterAll(() => server.stop());

  /** A client of the widget's backend for a new person with a role, and the browser they are at. */
  async function widgetOf(role: 'ADMIN' | 'MEMBER', organizationId: number) {
    const browser = await newBrowser(server, organizationId, role);
    const asked = await clientFor(server.url, browser.credential).get('/org-api-keys/widget-token');
    return { browser, widget: clientFor(server.url, asked.body.data.token) };
  }
  const keys = () => `${server.url}${PAGE}/keys`;

  test('makes, lists and revokes keys with its token, which gives away buyer permissions alone', async () => {
    const { organizationId } = await newPerson(server);
    const { widget } = await widgetOf('ADMIN', organizationId);
    const buyers = ['buyer:read', 'buyer:write', 'buyer:admin'];

    const spellings = [['buyer:read', 'account:admin'], 'account:admin', ['buyer:admin', 'ACCOUNT:ADMIN']];
    const refusals = await Promise.all(
      spellings.map((permissions) => widget.post(keys(), { name: 'No', permissions })),
    );
    const made = await widget.post(keys(), { name: 'Yes', permissions: buyers });

    for (const refused of refusals) {
      expectRefusal(refused, 400, {
        code: 'VALIDATION_ERROR',
        at: { permissions: 'Leave out account:admin: the widget gives it to nobody.' },
      });
    }
    expect(made.status).toBe(201);
    const { id, value } = made.body.data.apiKey;
    expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(200);
    const list = await widget.get(keys());
    expect(list.body.data).toMatchObject({ total: 2, apiKeys: [{ id, name: 'Yes' }, {}] });
    expect(list.text).not.toContain(value);
    expect((await widget.delete(`${keys()}/${id}`)).status).toBe(200);
    expect((await clientFor(server.url, value).get('/buyer/campaigns')).status).toBe(401);
  });

  test('asks with each call whether the person administers now, belongs there and is signed in', async () => {
    const { organizationId } = await newPerson(server);
    const member = await widgetOf('MEMBER', organizationId);
    const admin = await widgetOf('ADMIN', organizationId);
    const left = await widgetOf('ADMIN', organizationId);
    expect((await member.widget.get(keys())).status).toBe(403);
    expect((await left.widget.get(keys())).status).toBe(200);

    const ofAdmin = { userId: admin.browser.userId, sessionId: admin.browser.sessionId };
    await server.store.db
      .updateTable('web_sessions')
      .set({ ended_at: server.operator.now })
      .where('id', '=', ofAdmin.sessionId)
      .execute();
    await server.store.db
      .deleteFrom('memberships')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', left.browser.userId)
      .execute();

    expect((await admin.widget.get(keys())).status).toBe(401);
    expect((await left.widget.get(keys())).status).toBe(401);
  });

  test('takes nothing but its token: no key, no session, no access token, none at all', async () => {
    const owner = await newPerson(server);

    for (const credential of [owner.key, await owner.browser(), undefined, 'eyJ.eyJ.x']) {
      expect((await clientFor(server.url, credential).get(keys())).status).toBe(401);
    }
  });

  test('may be framed by the origins of the settings, and no other page may be framed at all', async () => {
    const page = await fetch(`${server.url}${PAGE}`);
    const policy = page.headers.get('content-security-policy') ?? '';

    expect(page.status).toBe(200);
    expect(policy).toContain('frame-ancestors https://console.acme.example');
    expect(page.headers.get('x-frame-options')).toBeNull();
    expect(policy).not.toContain('unsafe-inline');
    for (const path of ['/', '/docs', '/sign-in', '/settings/keys']) {
      const other = await fetch(`${server.url}${path}`, { redirect: 'manual' });
      expect(other.headers.get('content-security-policy')).toMatch(/frame-ancestors '(?:self|none)'/);
    }
    expect((await fetch(`${server.url}/widgets/api-keys.js`)).status).toBe(200);
  });

  test('is framed by nobody where the settings name nobody', async () => {
    const { url } = await startTestServer();
    const page = await fetch(`${url}${PAGE}`);

    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
  });
});
