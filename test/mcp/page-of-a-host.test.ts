import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { startBrowser } from '../support/callers/real-browser.ts';
import { initialize, rpc } from '../support/mcp/mcp.ts';
import { listen, type RawServer } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Read {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('the page of a host, of an origin that nobody named', () => {
  let server: TestServer;
  let host: RawServer;
  let browser: Browser;
  let page: Page;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
    host = await listen((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>A host</title>');
    });
    browser = await startBrowser();
    page = await browser.newPage();
    await page.goto(host.url);
  });
  afterAll(async () => {
    await browser.close();
    await host.stop();
    await server.stop();
  });

  /** What a script of the page gets to read of an answer; the browser asks first where it has to. */
  const ask = (path: string, asked: Asked = {}): Promise<Read> =>
    page.evaluate(
      async ({ url, init }) => {
        const response = await fetch(url, init);
        const headers = Object.fromEntries(response.headers.entries());
        return { status: response.status, headers, text: await response.text() };
      },
      { url: `${server.url}${path}`, init: asked },
    );

  test('finds by a refusal where to register, registers, and reads who gives tokens', async () => {
    const refused = await ask('/mcp/v2/buyer', {
      method: 'POST',
      headers: { ...MCP_HEADERS, 'mcp-protocol-version': '2025-11-25' },
      body: initialize(),
    });
    const metadata = /resource_metadata="([^"]+)"/.exec(refused.headers['www-authenticate'] ?? '')?.[1] ?? '';
    const resource = JSON.parse((await ask(new URL(metadata).pathname)).text);
    const issuer = JSON.parse((await ask('/.well-known/oauth-authorization-server')).text);
    const registered = await ask(new URL(issuer.registration_endpoint).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'A host', redirect_uris: [`${host.url}/oauth/callback`] }),
    });
    const token = await ask(new URL(issuer.token_endpoint).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: 'authorization_code', code: 'none' }).toString(),
    });

    expect(refused.status).toBe(401);
    expect(resource).toMatchObject({ resource: `${server.url}/mcp/v2/buyer` });
    expect(registered.status).toBe(201);
    expect(JSON.parse(registered.text)).toMatchObject({ client_id: expect.any(String) });
    expect(JSON.parse(token.text)).toHaveProperty('error');
  });

  test('opens a session with a credential, goes on in it, and ends it', async () => {
    const headers = { ...MCP_HEADERS, authorization: `Bearer ${person.key}` };
    const opened = await ask('/mcp/v2/buyer', { method: 'POST', headers, body: initialize() });
    const inSession = {
      ...headers,
      'mcp-session-id': opened.headers['mcp-session-id'] ?? '',
      'mcp-protocol-version': '2025-11-25',
    };
    const listed = await ask('/mcp/v2/buyer', {
      method: 'POST',
      headers: inSession,
      body: rpc('tools/list'),
    });
    const ended = await ask('/mcp/v2/buyer', { method: 'DELETE', headers: inSession });

    expect(opened.status).toBe(200);
    expect(listed.text).toContain('discover_products');
    expect(ended.status).toBe(200);
  });

  test('reads nothing of REST, which is for pages that somebody named', async () => {
    const headers = { authorization: `Bearer ${person.key}` };

    await expect(ask('/api/v2/buyer/advertisers', { headers })).rejects.toThrow(/Failed to fetch/);
  });
});
