import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sections } from '../../adapters/pages/people.ts';
import { openOrClose } from '../../tools/domain/admission/operating.ts';
import { giveAccess } from '../../tools/domain/organizations/programs.ts';
import { claimedAgent, personAtBrowser, stranger } from '../support/callers/agents.ts';
import { newLegacyKey } from '../support/callers/legacy-keys.ts';
import { managerOf } from '../support/callers/managers.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { startBrowser } from '../support/callers/real-browser.ts';
import { mailedPath } from '../support/callers/signed-in.ts';
import { violationsOf } from '../support/callers/violations.ts';
import { widthsFor } from '../support/run/effort.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const SCHEMES = ['light', 'dark'] as const;
const OF_A_PERSON: readonly string[] = ['profile', 'sessions', 'organizations'];
const TARGET_PX = 44;
/** Looking takes the browser seconds a page. */
const LOOKING_MS = 120_000;
/** Those of a person alone are looked at in pages.test.ts. */
const SECTIONS = sections.map(({ name }) => name).filter((name) => !OF_A_PERSON.includes(name));

const PATHS = [
  '/start',
  '/start/organization',
  '/start/advertiser',
  '/start/storefront',
  '/terms',
  '/join/nowhere',
];
const WAYS_IN = [false, true].flatMap((isOpen) => PATHS.map((path) => [isOpen, path] as const));

describe('pages of credentials and of the way in, in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  let owner: Person;
  let cookie: readonly [string, string];
  let email: string;
  const contexts: BrowserContext[] = [];
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { AGENT_REQUESTS_IN_ALL: '100000' } });
    browser = await startBrowser();
    owner = await newPerson(server);
    const person = await personAtBrowser(server, { organizationIds: [owner.organizationId] });
    ({ email } = person);
    const [name = '', value = ''] = person.cookie.split('=');
    cookie = [name, value];
    await newLegacyKey(server, owner);
    await giveAccess(server.operator, {
      userId: person.userId,
      organizationId: owner.organizationId,
      clientId: 'oc_long',
      clientName: `Assistant ${'long'.repeat(20)}`,
      readOnly: false,
      payload: { openid: { scope: 'openid buyer:read buyer:write buyer:admin' }, resources: {} },
      expiresAt: '2099-01-01T00:00:00.000Z',
    });
    await claimedAgent(stranger(server, { userAgent: `Scout/1.0 ${'long'.repeat(30)}` }), person);
  });
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await browser?.close();
    await server.stop();
  });

  /** A page of the person's browser, or of one that nobody is signed in at. */
  const open = async (
    options: Parameters<Browser['newContext']>[0] = {},
    isSignedIn = true,
  ): Promise<Page> => {
    const context = await browser.newContext(options);
    contexts.push(context);
    const [name, value] = cookie;
    if (isSignedIn) {
      await context.addCookies([{ name, value, url: server.url, httpOnly: true, sameSite: 'Lax' }]);
    }
    return context.newPage();
  };

  /** Where the mail leads that invites the person to another organization. */
  const invitationOf = async (): Promise<string> => {
    const host = await newPerson(server);
    const admin = await managerOf(server, host.organizationId);
    expect((await admin.post('/invitations', { email, role: 'MEMBER' })).status).toBe(201);
    return mailedPath(server, email);
  };

  const letIn = async (isOpen: boolean): Promise<void> => {
    for (const name of ['buyers', 'storefront_accounts'] as const) {
      await openOrClose(server.operator, { name, isOpen });
    }
  };

  /** What somebody with a screen reader, a keyboard, or a narrow screen would stumble over. */
  const lookAt = async (page: Page, what: string): Promise<void> => {
    const violations = await violationsOf(page);
    const small = await page.locator('a:visible, button:visible, input:visible, select:visible').evaluateAll(
      (targets, least) =>
        targets
          .filter((target) => !target.closest('p'))
          .map((target) => target.closest('label') ?? target)
          .filter((target) => target.getBoundingClientRect().height < least)
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
      'leave nobody out of the settings, %i pixels wide',
      async (width) => {
        const page = await open({ colorScheme, viewport: { width, height: 800 } });
        for (const section of SECTIONS) {
          await page.goto(`${server.url}/settings/${section}`);
          expect(await page.locator('h1').textContent()).toBe('Settings');
          await lookAt(page, section);
        }
        await page.goto(`${server.url}/settings/keys`);
        await page.getByLabel('Name', { exact: true }).fill(`By ${colorScheme} ${width}`);
        await page.getByRole('button', { name: 'Create key' }).click();
        await lookAt(page, 'a key, shown once');
        await page.goto(`${server.url}/settings/applications`);
        await page.getByLabel('Name', { exact: true }).fill(`By ${colorScheme} ${width}`);
        await page.getByRole('button', { name: 'Create application' }).click();
        await lookAt(page, 'a secret, shown once');
        await page.goto(`${server.url}/settings/members`);
        await page.getByLabel('E-mail').fill('nobody');
        await page.getByRole('button', { name: 'Send the invitation' }).click();
        await lookAt(page, 'an invitation that was not taken');
        await page.getByLabel('E-mail').fill(`guest-${colorScheme}-${width}@people.example`);
        await page.getByRole('button', { name: 'Send the invitation' }).click();
        await lookAt(page, 'who is invited');
      },
      LOOKING_MS,
    );

    test.each(widthsFor(colorScheme))(
      'leave nobody out of the widget, %i pixels wide',
      async (width) => {
        const page = await open({ colorScheme, viewport: { width, height: 800 } });
        await page.goto(`${server.url}/widgets/api-keys`);
        await page.locator('#state', { hasText: /^Keys/ }).waitFor();
        await lookAt(page, 'its list');
        await page.getByLabel('Name').fill(`Widget ${colorScheme} ${width}`);
        await page.getByRole('button', { name: 'Create key' }).click();
        await page.locator('#made').waitFor();
        await lookAt(page, 'a key that it made');
        const alone = await open({ colorScheme, viewport: { width, height: 800 } }, false);
        await alone.goto(`${server.url}/widgets/api-keys`);
        await alone.locator('#state', { hasText: /^(?!Loading)./ }).waitFor();
        await lookAt(alone, 'the widget of nobody');
      },
      LOOKING_MS,
    );

    test.each(widthsFor(colorScheme))(
      'leave nobody out of the way in, %i pixels wide',
      async (width) => {
        const page = await open({ colorScheme, viewport: { width, height: 800 } });
        for (const [isOpen, path] of WAYS_IN) {
          await letIn(isOpen);
          await page.goto(`${server.url}${path}`);
          await lookAt(page, `${path}, ${isOpen ? 'open' : 'closed'}`);
        }
        await page.goto(`${server.url}${await invitationOf()}`);
        expect(await page.locator('h1').textContent()).toBe('You are invited');
        await lookAt(page, 'an invitation');
        await page.goto(`${server.url}/start/advertiser`);
        await page
          .locator('form[action$="/start/advertiser"]')
          .evaluate((form) => form.setAttribute('novalidate', ''));
        await page.getByRole('button', { name: 'Create the account' }).click();
        await lookAt(page, 'what was wrong with a form');
      },
      LOOKING_MS,
    );
  });

  test('manage keys and members without a script', async () => {
    const page = await open({ javaScriptEnabled: false });
    await page.goto(`${server.url}/settings/keys`);
    await page.getByLabel('Name', { exact: true }).fill('No script');
    await page.getByRole('button', { name: 'Create key' }).click();
    const shown = await page.getByRole('status').textContent();
    await page.goto(`${server.url}/settings/members`);
    await page.getByLabel('E-mail').fill('noscript@people.example');
    await page.getByRole('button', { name: 'Send the invitation' }).click();
    const said = await page.getByRole('status').textContent();
    await page.getByRole('button', { name: 'Take back the invitation of noscript@people.example' }).click();

    expect(shown).toContain('rialtok_live_');
    expect(said).toContain('on its way');
    expect(await page.getByRole('status').textContent()).toContain('taken back');
  });
});
