import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey } from '../../tools/domain/organizations/keys.ts';
import { personAtBrowser } from '../support/callers/agents.ts';
import { newPerson } from '../support/callers/people.ts';
import { startBrowser } from '../support/callers/real-browser.ts';
import { freePort } from '../support/run/free-port.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { listen, type RawServer } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const TEN_MINUTES = 600_000;
/** Opening pages takes the browser seconds. */
const LOOKING_MS = 120_000;

describe('the key-management widget in a browser', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let browser: Browser;
  let host: RawServer;
  beforeAll(async () => {
    clock = skippingClock();
    const port = await freePort();
    host = await listen((_req, res) => void res.writeHead(200, { 'content-type': 'text/html' }).end(HOST));
    server = await startTestServer({
      clock,
      settings: { PORT: String(port), WIDGET_ALLOWED_ORIGINS: new URL(host.url).origin },
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await host.stop();
    await server.stop();
  });

  /** A page of somebody who administers a new organization. */
  async function newPage() {
    const { organizationId } = await newPerson(server);
    const { cookie } = await personAtBrowser(server, { organizationIds: [organizationId] });
    const [name = '', value = ''] = cookie.split('=');
    const context = await browser.newContext();
    await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    const page = await context.newPage();
    return { organizationId, page, context };
  }
  const open = async () => {
    const made = await newPage();
    await made.page.goto(`${server.url}/widgets/api-keys`);
    await said(made.page, /^Keys: 1$/);
    return made;
  };
  const said = (page: Page, text: RegExp) => page.locator('#state', { hasText: text }).waitFor();
  const namesOf = async (organizationId: number) => {
    const rows = await server.store.db
      .selectFrom('api_keys')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('created_by_user_id', 'is not', null)
      .execute();
    return rows.map(({ name }) => name);
  };

  test(
    'lists every key, however many there are',
    async () => {
      const { organizationId, page } = await open();
      for (let made = 0; made < 120; made++) {
        await createKey(server.operator, {
          organizationId,
          name: `Nightly ${made}`,
          permissions: ['buyer:read'],
        });
      }

      await page.reload();
      await said(page, /^Keys: 121$/);

      expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(121);
    },
    LOOKING_MS,
  );

  test(
    'makes one key of two clicks, so that the one that is shown is the only one',
    async () => {
      const { organizationId, page } = await open();
      await page.getByLabel('Name').fill('Clicked twice');
      await page.getByRole('button', { name: 'Create key' }).dblclick();
      await page.locator('#made').waitFor();
      await said(page, /^Keys: [23]$/);

      expect(await namesOf(organizationId)).toEqual(['Clicked twice']);
    },
    LOOKING_MS,
  );

  test(
    'goes on when its token has expired, by itself and in the page of a host',
    async () => {
      const alone = await open();
      const framed = await newPage();
      await framed.page.goto(`${server.url}/settings`);
      const hostPage = await framed.context.newPage();
      await hostPage.exposeFunction('tokenFromHost', async () => {
        const answer = await framed.context.request.get(`${server.url}/api/v2/org-api-keys/widget-token`);
        return (await answer.json()).data.token;
      });
      await hostPage.goto(`${host.url}?${server.url}/widgets/api-keys`);
      const inFrame = hostPage.frameLocator('iframe');
      await inFrame.locator('#state', { hasText: /^Keys: 1$/ }).waitFor();

      clock.skip(TEN_MINUTES);
      for (const [widget, { organizationId }] of [
        [alone.page, alone],
        [inFrame, framed],
      ] as const) {
        await widget.getByLabel('Name').fill('Later');
        await widget.getByRole('button', { name: 'Create key' }).click();
        await widget.locator('#state', { hasText: /^Keys: 2$/ }).waitFor();
        expect(await widget.locator('#value').textContent()).toContain('rialtok_live_');
        expect(await namesOf(organizationId)).toEqual(['Later']);
      }
    },
    LOOKING_MS,
  );

  test(
    'says so when nobody answers, and takes it again',
    async () => {
      const { organizationId, page } = await open();
      await page.getByLabel('Name').fill('Again');
      await page.route('**/widgets/api-keys/keys', (route) => route.abort());
      await page.getByRole('button', { name: 'Create key' }).click();
      await said(page, /could not be reached/);
      await page.unroute('**/widgets/api-keys/keys');
      await page.getByRole('button', { name: 'Create key' }).click();
      await said(page, /^Keys: 2$/);

      expect(await namesOf(organizationId)).toEqual(['Again']);
    },
    LOOKING_MS,
  );
});

/** A page that frames the widget as docs/credentials.md tells it to. */
const HOST = `<!doctype html><title>A host</title><iframe></iframe><script>
  const frame = document.querySelector('iframe');
  const address = location.search.slice(1);
  addEventListener('message', async ({ data }) => {
    if (data.type !== 'widget-ready' && data.type !== 'widget-token-expired') return;
    const token = await tokenFromHost();
    frame.contentWindow.postMessage({ type: 'widget-token', token }, new URL(address).origin);
  });
  frame.src = address;
</script>`;
