import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRestTool } from '../../tools/core/define.ts';
import { tools as registry, streams } from '../../tools/registry.ts';
import { newPerson } from '../support/callers/people.ts';
import { startBrowser } from '../support/callers/real-browser.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const tools = registry.filter(isRestTool);

interface Visit {
  readonly page: Page;
  /** Whatever the browser complained of. */
  readonly complaints: string[];
  /** Every address that the page asked for. */
  readonly asked: string[];
}

describe('the page at /docs, in a browser', () => {
  let server: TestServer;
  let browser: Browser;
  /** Drawn once, for that takes longest: what it shows, and then what it does. */
  let docs: Visit;
  beforeAll(async () => {
    server = await startTestServer();
    browser = await startBrowser();
    docs = await visit('/docs');
    await docs.page.locator('.opblock').first().waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await server.stop();
  });

  const isOwn = (url: string) => url.startsWith(`${server.url}/`) || /^(data|blob):/.test(url);

  const visit = async (path: string): Promise<Visit> => {
    const page = await browser.newPage();
    const complaints: string[] = [];
    const asked: string[] = [];
    page.on('console', (message) => {
      if (message.type() !== 'log' && message.type() !== 'info') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    // Nothing but the service itself is reached.
    await page.route('**/*', (route) => {
      const url = route.request().url();
      asked.push(url);
      return isOwn(url) ? route.continue() : route.abort();
    });
    await page.goto(`${server.url}${path}`);
    return { page, complaints, asked };
  };

  test('shows every operation, complains of nothing, and asks nothing of any other host', async () => {
    const { page, complaints, asked } = docs;

    const shown = await page.locator('.opblock').evaluateAll((blocks) => blocks.map(({ id }) => id));
    const summaries = await page.locator('.opblock-summary-description').allTextContents();

    for (const { name, toolset } of [...tools, ...streams])
      expect(shown).toContain(`operations-${toolset}-${name}`);
    for (const { title } of tools) expect(summaries).toContain(title);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !isOwn(url))).toEqual([]);
    expect(asked).toContain(`${server.url}/openapi.json`);
  });

  test('fits a telephone, and is as dark as the browser is set', async () => {
    const { page } = docs;
    // In words of the page: no types of a browser are known here.
    const brightness = async () => {
      const colour = await page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
      return (String(colour).match(/[\d.]+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
    };
    const width = page.viewportSize();
    await page.setViewportSize({ width: 360, height: 740 });
    const beyond = await page.evaluate(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await brightness();
    await page.emulateMedia({ colorScheme: 'light' });
    if (width !== null) await page.setViewportSize(width);

    expect(beyond).toBe(0);
    expect(dark).toBeLessThan(250);
    expect(await page.evaluate('document.documentElement.className')).not.toContain('dark');
  });

  test('tells of an operation and tries it with a key, from the page itself', async () => {
    const { key } = await newPerson(server);
    const { page, complaints, asked } = docs;
    await page.locator('.btn.authorize').click();
    await page.locator('#auth-bearer-value').fill(key);
    await page
      .locator('.modal-ux form', { has: page.locator('#auth-bearer-value') })
      .locator('button[type=submit]')
      .click();
    await page.locator('.modal-ux .btn-done').first().click();
    const operation = page.locator('#operations-advertisers-advertiser_list');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    const text = (await operation.textContent()) ?? '';
    const answer = operation.locator('.live-responses-table .response-col_status').last();
    await answer.waitFor();

    const status = (await answer.textContent()) ?? '';

    expect(status.trim()).toMatch(/^200/);
    expect(asked.filter((url) => url.startsWith(`${server.url}/api/v2/buyer/advertisers`))).toHaveLength(1);
    for (const fact of ['200', '400', '401', '403', '429']) expect(text).toContain(fact);
    expect(complaints).toEqual([]);
  });

  test('tells what stands beside a reference, and what it refers to', async () => {
    const { page, complaints } = docs;
    const operation = page.locator('#operations-advertisers-account_link_create');
    await operation.locator('.opblock-summary-control').click();
    const answer = operation.locator('.responses-table tr[data-code="201"]');
    await answer.getByRole('tab', { name: 'Schema' }).click();
    await answer.getByText('Expand all').first().click();

    const schema = answer.locator('.json-schema-2020-12').first();
    await schema.getByText('sourceId').first().waitFor();
    const text = (await schema.textContent()) ?? '';

    expect(text).toContain('The link that was made.');
    expect(complaints).toEqual([]);
  });

  test('fills the body of an operation with one that works', async () => {
    const { page, complaints } = docs;
    const operation = page.locator('#operations-advertisers-advertiser_create');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.execute').click();
    const answer = operation.locator('.live-responses-table .response-col_status').last();
    await answer.waitFor();

    expect(((await answer.textContent()) ?? '').trim()).toMatch(/^201/);
    expect(complaints).toEqual([]);
  });

  test('the first page leads there and to health', async () => {
    const { page, complaints } = await visit('/');
    await page.getByRole('link', { name: 'Health' }).click();
    const health = page.url();
    await page.goto(`${server.url}/`);
    await page.getByRole('link', { name: 'Reference' }).click();
    // What it shows is looked at above.
    await page.waitForURL('**/docs', { waitUntil: 'commit' });
    const reached = page.url();
    await page.close();

    expect(reached).toBe(`${server.url}/docs`);
    expect(health).toBe(`${server.url}/health`);
    expect(complaints).toEqual([]);
  });
});
