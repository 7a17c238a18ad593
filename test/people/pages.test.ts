import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAdministratorLink } from '../../adapters/people/administrator-link.ts';
import { newPerson } from '../support/callers/people.ts';
import { startBrowser } from '../support/callers/real-browser.ts';
import { mailedPath, newAccount, newAddress, PASSWORD } from '../support/callers/signed-in.ts';
import { violationsOf } from '../support/callers/violations.ts';
import { widthsFor } from '../support/run/effort.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SCHEMES = ['light', 'dark'] as const;
const SIGN_IN_MAX_BYTES = 30_000;
const TARGET_PX = 44;

describe('the pages of people, in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let contexts: BrowserContext[] = [];
  beforeAll(async () => {
    server = await startTestServer({
      own: true,
      settings: {
        MAILS_PER_IP: '1000',
        SIGN_IN_FAILURES_PER_IP: '1000',
        OIDC_ISSUER: 'https://login.acme.example',
        OIDC_CLIENT_ID: 'x',
        OIDC_CLIENT_SECRET: 'x',
      },
    });
    browser = await startBrowser();
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    contexts = [];
    await browser?.close();
    await server.stop();
  });

  const open = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> => {
    const context = await browser.newContext(options);
    contexts.push(context);
    return context.newPage();
  };
  const send = (page: Page) => page.locator('main form button').first().click();

  /** Makes an account in this browser, as its person would. */
  const signUp = async (page: Page): Promise<string> => {
    const email = newAddress();
    await page.goto(`${server.url}/sign-up`);
    await page.getByLabel('Work e-mail').fill(email);
    await send(page);
    await page.goto(`${server.url}${await mailedPath(server, email)}`);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('New password').fill(PASSWORD);
    await send(page);
    return email;
  };

  /** What somebody with a screen reader, a keyboard, or a narrow screen would stumble over. */
  const lookAt = async (page: Page, what: string): Promise<void> => {
    const violations = await violationsOf(page);
    const small = await page
      .locator('a:visible, button:visible, input:visible')
      .evaluateAll(
        (targets, least) =>
          targets
            .filter((target) => !target.closest('p') && target.getBoundingClientRect().height < least)
            .map((target) => target.outerHTML),
        TARGET_PX,
      );
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
    expect(violations, what).toEqual([]);
    expect(small, what).toEqual([]);
    expect(overflow, what).toBeLessThanOrEqual(0);
  };

  describe.each(SCHEMES)('in %s colours', (colorScheme) => {
    test.each(widthsFor(colorScheme))(
      'are for everybody before they are signed in, %i pixels wide',
      async (width) => {
        const page = await open({ colorScheme, viewport: { width, height: 800 } });
        for (const path of [
          '/sign-in',
          '/sign-up',
          '/forgotten',
          '/sign-in/organization',
          '/reset?token=x',
          '/keep-email',
        ]) {
          await page.goto(`${server.url}${path}`);
          await lookAt(page, path);
        }
      },
    );

    test.each(widthsFor(colorScheme))(
      'are for everybody who has an account, %i pixels wide',
      async (width) => {
        const page = await open({ colorScheme, viewport: { width, height: 800 } });
        const { organizationId } = await newPerson(server);
        const admin = await makeAdministratorLink(server.operator, { organizationId, publicUrl: server.url });
        await page.goto(admin);
        await send(page);
        await lookAt(page, 'what was wrong with a form');
        await signUp(page);
        for (const section of ['profile', 'sessions', 'organizations']) {
          await page.goto(`${server.url}/settings/${section}`);
          await lookAt(page, section);
        }
      },
    );
  });

  test('need no script: somebody makes an account, signs out, in, and out again', async () => {
    const page = await open({ javaScriptEnabled: false });
    const email = await signUp(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill('not the one that it is');
    await send(page);
    const refused = await page.getByRole('alert').textContent();
    await page.getByLabel('Password').fill(PASSWORD);
    await send(page);
    const reached = page.url();
    await page.getByRole('button', { name: 'Sign out' }).click();

    expect(refused).toContain('is not right');
    expect(reached).toBe(`${server.url}/settings/profile`);
    expect(page.url()).toBe(`${server.url}/sign-in`);
  });

  test('need no script to change an address, and to have it back', async () => {
    const page = await open({ javaScriptEnabled: false });
    const [email, other] = [await signUp(page), newAddress()];
    await page.getByLabel('New e-mail').fill(other);
    await page.locator('#password_now').fill(PASSWORD);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.goto(`${server.url}${await mailedPath(server, other)}`);
    await page.getByRole('button', { name: 'Yes, change it' }).click();
    const moved = [page.url(), (await page.content()).includes(other)];
    const back = await open();
    await back.goto(`${server.url}${await mailedPath(server, email)}`);
    await lookAt(back, 'having an account back');
    await back.getByRole('button', { name: 'have it back' }).click();

    expect(moved).toEqual([`${server.url}/settings/profile?done=moved`, true]);
    expect(await back.getByRole('heading', { name: 'Your account is back' }).count()).toBe(1);
  });

  test('are reached and used by the keyboard alone', async () => {
    const { email } = await newAccount(server);
    const page = await open();
    await page.goto(`${server.url}/sign-in?return_to=%2Fsettings%2Fsessions`);
    // The browser gives the first field the focus a moment after the page is there.
    await page.waitForFunction('document.activeElement?.id === "email"');

    await page.keyboard.type(email);
    await page.keyboard.press('Tab');
    const outline = await page.evaluate<string>(
      'getComputedStyle(document.querySelector("#password")).outlineStyle',
    );
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/settings/sessions');

    expect(outline).toBe('solid');
  });

  test('say what is wrong beside the field, keep what was typed, and lead there', async () => {
    const page = await open();
    await page.goto(`${server.url}/sign-in`);
    await page.getByLabel('E-mail').fill('nobody');
    await send(page);

    await page.getByRole('alert').getByRole('link').first().click();
    const focused = await page.evaluate<string>('document.activeElement?.id');

    expect(await page.getByLabel('E-mail').inputValue()).toBe('nobody');
    expect(await page.locator('#email-problem').isVisible()).toBe(true);
    expect([focused, new URL(page.url()).hash]).toContain('#email');
  });

  test('ask nothing of any other host, run no script, and are small', async () => {
    const page = await open();
    const asked: string[] = [];
    const complaints: string[] = [];
    let bytes = 0;
    page.on('console', (message) => complaints.push(message.text()));
    page.on('response', async (response) => {
      asked.push(response.url());
      bytes += (await response.body()).length + JSON.stringify(response.headers()).length;
    });

    await page.goto(`${server.url}/sign-in`, { waitUntil: 'networkidle' });

    expect(asked.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:'))).toEqual([]);
    expect(await page.locator('script').count()).toBe(0);
    expect(complaints).toEqual([]);
    expect(bytes).toBeGreaterThan(1_000);
    expect(bytes).toBeLessThan(SIGN_IN_MAX_BYTES);
  });

  test('are in no frame of another page', async () => {
    const page = await open();
    await page.goto(`${server.url}/`);

    await page.setContent(`<iframe src="${server.url}/sign-in"></iframe>`);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    await frame?.waitForLoadState().catch(() => undefined);

    expect(
      await frame
        ?.locator('#password')
        .count()
        .catch(() => 0),
    ).toBe(0);
  });

  test('are led to from the first page', async () => {
    const page = await open();
    await page.goto(`${server.url}/`);

    await page.getByRole('link', { name: 'Sign in' }).click();

    expect(page.url()).toBe(`${server.url}/sign-in`);
  });
});
