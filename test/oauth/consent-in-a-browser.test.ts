import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { authorizeUrl, newPkce, program } from '../support/callers/programs.ts';
import { startBrowser } from '../support/callers/real-browser.ts';
import { newAccount, PASSWORD } from '../support/callers/signed-in.ts';
import { violationsOf } from '../support/callers/violations.ts';
import { freePort } from '../support/run/free-port.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const LOOKS: Readonly<Record<string, BrowserContextOptions>> = {
  'on a phone, dark': { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  'on a desktop, light': { viewport: { width: 1_280, height: 900 }, colorScheme: 'light' },
};
/** Looking takes the browser seconds a page. */
const LOOKING_MS = 120_000;

describe('connecting a program in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let email: string;
  /** Where the program waits: nobody listens there, and the browser says where it was sent. */
  let callback: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { MAILS_PER_IP: '1000' } });
    callback = `http://127.0.0.1:${await freePort()}/callback`;
    const owner = await newPerson(server);
    ({ email } = await newAccount(server, { organizationId: owner.organizationId, role: 'ADMIN' }));
    browser = await startBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  /** The address at which a program with a name that leaves no room asks for the whole of what there is. */
  async function asked(): Promise<{ address: string; redeem: (back: URL) => Promise<number> }> {
    const { body } = await program(server).register({
      client_name: `Assistant ${'long'.repeat(20)}`,
      redirect_uris: [callback],
    });
    const { verifier, challenge } = newPkce();
    const address = authorizeUrl(server.url, body.client_id, {
      redirect_uri: callback,
      code_challenge: challenge,
      resource: `${server.url}/mcp/v2/buyer`,
    });
    const redeem = async (back: URL) => {
      const { status } = await program(server).token({
        grant_type: 'authorization_code',
        client_id: body.client_id,
        code: back.searchParams.get('code') ?? '',
        code_verifier: verifier,
        redirect_uri: callback,
      });
      return status;
    };
    return { address: address.href, redeem };
  }

  /** What somebody with a screen reader or a narrow screen would stumble over. */
  async function problemsOf(page: Page) {
    const tooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    return { rules: await violationsOf(page), tooWide };
  }
  const fine = { rules: [], tooWide: false };

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  /** The page that asks, in a browser that runs no scripts. */
  async function withoutScript(address: string): Promise<Page> {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(address);
    await signIn(page);
    return page;
  }

  /** Answers the page that asks, and tells where the program is called back. */
  async function answered(page: Page, name: string): Promise<URL> {
    const called = page.waitForRequest((request) => request.url().startsWith(callback));
    await page.getByRole('button', { name, exact: true }).click();
    return new URL((await called).url());
  }

  test.each(Object.keys(LOOKS))(
    'leaves nobody out %s, from signing in to a fault',
    async (look) => {
      const { address } = await asked();
      const context = await browser.newContext(LOOKS[look]);
      const page = await context.newPage();

      await page.goto(address);
      const signingIn = await problemsOf(page);
      await signIn(page);
      const heading = await page.getByRole('heading', { level: 1 }).textContent();
      const asking = await problemsOf(page);
      await page.goto(authorizeUrl(server.url, 'nobody', {}).href);
      const fault = await problemsOf(page);
      await context.close();

      expect({ signingIn, asking, fault }).toEqual({ signingIn: fine, asking: fine, fault: fine });
      expect(heading).toContain('Connect Assistant');
    },
    LOOKING_MS,
  );

  test('needs no script: signing in, reading only, and what the program gets for it', async () => {
    const { address, redeem } = await asked();
    const page = await withoutScript(address);
    await page.getByLabel('Read only').check();
    const back = await answered(page, 'Allow');
    await page.context().close();

    expect(back.searchParams.get('state')).toBe('state-1');
    expect(back.searchParams.get('iss')).toBe(server.url);
    expect(await redeem(back)).toBe(200);
  });

  test('tells the program when the person does not allow it', async () => {
    const { address } = await asked();
    const page = await withoutScript(address);
    const back = await answered(page, 'Do not allow');
    await page.context().close();

    expect(back.searchParams.get('error')).toBe('access_denied');
    expect(back.searchParams.get('code')).toBeNull();
  });
});
