import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from '../../adapters/rest/routes.ts';
import { isOverMcp, isRestTool } from '../../tools/core/define.ts';
import { mcpSurfaces } from '../../tools/core/surfaces.ts';
import { streams, tools } from '../../tools/registry.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { expectEnvelope } from '../support/server/envelope.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const pages = ['/', '/docs'];
const files = ['/style.css', '/docs/docs.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js'];
const documents = ['/openapi.json', '/mcp-manifest.json'];

describe('the pages', () => {
  let server: TestServer;
  let browser: Client;
  beforeAll(async () => {
    server = await startTestServer({ settings: { BRAND: 'bazaar' } });
    browser = clientFor(server.url);
  });
  afterAll(() => server.stop());

  const get = (path: string, headers: Record<string, string> = {}) =>
    browser.send(`${server.url}${path}`, { headers });

  test('can be made before anybody asks for one', async () => {
    const own = await startTestServer({ own: true });

    await own.running.warm();
    const { status } = await fetch(`${own.url}/sign-in`);
    await own.stop();

    expect(status).toBe(200);
  });

  test.each([
    ...pages.map((path) => [path, 'text/html; charset=utf-8']),
    ['/style.css', 'text/css; charset=utf-8'],
    ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
    ['/docs/docs.js', 'text/javascript; charset=utf-8'],
    ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ...documents.map((path) => [path, 'application/json; charset=utf-8']),
  ])('answer on %s with %s, to anybody', async (path = '', type = '') => {
    const { status, headers, text } = await get(path);

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(text).not.toBe('');
  });

  test('tell a person at a browser where to go on when nothing is at an address, and a program in the envelope', async () => {
    const ofBrowser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

    const page = await get('/settngs', { accept: ofBrowser });

    expect(page.status).toBe(404);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.text).toContain('href="/sign-in"');
    for (const accept of ['*/*', 'application/json', 'application/json, text/html']) {
      expectEnvelope(await get('/settngs', { accept }));
    }
    const ofRest = { headers: { accept: ofBrowser } };
    expectEnvelope(await browser.send(`${server.url}/api/v2/buyer/nothing`, ofRest));
  });

  test('lead from /docs/ to /docs, from where the links of the page hold', async () => {
    const { status, headers } = await get('/docs/');

    expect(status).toBe(308);
    expect(new URL(headers.get('location') ?? '', `${server.url}/docs/`).pathname).toBe('/docs');
  });

  test.each([...pages, ...files, ...documents, '/nothing'])(
    'come with headers that keep strangers out: %s',
    async (path) => {
      const { headers } = await get(path);

      const policy = new Map(
        (headers.get('content-security-policy') ?? '').split(';').map((rule) => {
          const [name = '', ...sources] = rule.trim().split(' ');
          return [name, sources] as const;
        }),
      );
      expect(policy.get('default-src')).toEqual(["'self'"]);
      expect(policy.get('script-src')).toEqual(["'self'"]);
      expect(policy.get('object-src')).toEqual(["'none'"]);
      expect(policy.get('base-uri')).toEqual(["'self'"]);
      expect(policy.get('frame-ancestors')).toEqual(["'self'"]);
      for (const sources of policy.values()) {
        for (const source of sources) expect(source).toMatch(/^('self'|'none'|'unsafe-inline'|data:)$/);
      }
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.has('x-powered-by')).toBe(false);
    },
  );

  test.each(pages)('name the brand and nobody else’s host: %s', async (path) => {
    const { text } = await get(path);

    expect(text).toContain('Bazaar');
    expect(text).not.toContain('{{');
    const hosts = [...text.matchAll(/(?:https?:)?\/\/([^/"'<\s]+)/g)].map(([, host]) => host);
    expect(hosts.filter((host) => host !== new URL(server.url).host)).toEqual([]);
  });

  test('answer a condition or a range that cannot be met with 400, and none of our failures', async () => {
    const wrong = [
      [{ 'if-match': '"other"' }, 'If-Match names another version of this file.'],
      [{ range: 'bytes=99999999-' }, /^Range lies outside of this file, which has \d+ bytes\.$/],
    ] as const;
    for (const [headers, words] of wrong) {
      const reply = await get('/style.css', headers);

      expectEnvelope(reply);
      expectRefusal(reply, 400, { code: 'BAD_REQUEST', words });
    }
    expect(server.log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  });

  test('answer 304 where the browser has the file already', async () => {
    const first = await sendBytes(server.url, requestText('GET /style.css'));
    const again = await sendBytes(
      server.url,
      requestText('GET /style.css', { 'If-None-Match': first.headers['etag'] ?? '' }),
    );

    expect(again).toMatchObject({ status: 304, text: '' });
  });

  describe('/openapi.json', () => {
    test('is a valid OpenAPI 3.1 document with every address of the registry', async () => {
      const { body } = await get('/openapi.json');

      expect(await new Validator().validate(structuredClone(body))).toMatchObject({ valid: true });
      expect(body.openapi).toMatch(/^3\.1\./);
      expect(body.servers).toEqual([{ url: server.url }]);
      for (const { method, path } of routesOf(tools, streams)) {
        expect(body.paths[path]?.[method.toLowerCase()], `${method} ${path}`).toBeDefined();
      }
    });

    test('gives every operation a name of its own', async () => {
      const { body } = await get('/openapi.json');

      const names = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap((item) =>
        Object.values(item).map(({ operationId }) => operationId),
      );
      expect(new Set(names).size).toBe(names.length);
      for (const { name } of [...tools.filter(isRestTool), ...streams]) expect(names).toContain(name);
    });

    test('is what stands in docs/, but for its server and its title', async () => {
      const { body } = await get('/openapi.json');
      const written = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

      expect(Object.keys(body.paths)).toEqual(Object.keys(written.paths));
      expect(Object.keys(body.components.schemas)).toEqual(Object.keys(written.components.schemas));
    });
  });

  test('/mcp-manifest.json names both servers of MCP and every tool of the registry', async () => {
    const { text } = await get('/mcp-manifest.json');

    for (const surface of mcpSurfaces) expect(text).toContain(`${server.url}/mcp/v2/${surface}`);
    for (const tool of tools) expect(text.includes(`"${tool.name}"`), tool.name).toBe(isOverMcp(tool));
  });
});
