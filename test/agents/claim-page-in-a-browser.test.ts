import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BrowsingPerson, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { newPerson } from '../support/callers/people.ts';
import { startBrowser } from '../support/callers/real-browser.ts';
import { violationsOf } from '../support/callers/violations.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'on a phone, dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  'on a desktop, light': { viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
};

describe('claiming an agent in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let person: BrowsingPerson;
  beforeAll(async () => {
    server = await startTestServer({ settings: { AGENT_REQUESTS_IN_ALL: '100000' } });
    const [one, other] = [await newPerson(server), await newPerson(server)];
    person = await personAtBrowser(server, {
      organizationIds: [one.organizationId, other.organizationId],
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test.each(Object.keys(LOOKS))(
    'works without a script and leaves nobody out %s',
    async (look) => {
      const agent = stranger(server, { userAgent: `Scout/1.0 (${'a-very-long-name'.repeat(12)})` });
      const { body } = await agent.post('/agent/identity', {
        type: 'service_auth',
        login_hint: person.email,
      });
      const [name = '', value = ''] = person.cookie.split('=');
      const context = await browser.newContext({ ...LOOKS[look], javaScriptEnabled: false });
      await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
      const page = await context.newPage();
      const problems = async () => {
        // The checks are a script, which the page itself has to do without.
        const reading = await browser.newContext(LOOKS[look]);
        const copy = await reading.newPage();
        await copy.setContent(await styled(page.url(), await page.content()));
        const rules = await violationsOf(copy);
        const tooWide = await copy.evaluate('document.documentElement.scrollWidth > innerWidth');
        await reading.close();
        return { rules, tooWide };
      };

      await page.goto(body.claim.attempt.verification_uri);
      const asking = await problems();
      await page.getByRole('radio').first().check();
      await page.getByRole('button', { name: 'Confirm and show the code' }).click();
      const code = (await page.locator('.secret code').textContent()) ?? '';
      const shown = await problems();
      const completed = await agent.post('/agent/identity/claim/complete', {
        claim_token: body.claim.token,
        user_code: code,
      });
      await page.goto(body.claim.attempt.verification_uri);
      const over = await problems();
      await context.close();

      const fine = { rules: [], tooWide: false };
      expect({ asking, shown, over }).toEqual({ asking: fine, shown: fine, over: fine });
      expect(completed.status).toBe(200);
    },
    60_000,
  );

  /** The page with its stylesheet in it, to be looked at where scripts may run. */
  async function styled(url: string, content: string): Promise<string> {
    const sheet = await (await fetch(new URL('/people.css', url))).text();
    return content.replace(/<link rel="stylesheet"[^>]*>/, () => `<style>${sheet}</style>`);
  }
});
