import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, clientFor } from '../support/callers/client.ts';
import { newPerson } from '../support/callers/people.ts';
import { echoTools } from '../support/server/echo-tool.ts';
import { requestText, sendBytes } from '../support/server/raw-http.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('an unversioned address', () => {
  let server: TestServer;
  let anybody: Client;
  beforeAll(async () => {
    server = await startTestServer({ tools: echoTools });
    anybody = clientFor(server.url);
  });
  afterAll(() => server.stop());

  test.each([
    ['/api/buyer', '/api/v2/buyer'],
    ['/api/buyer/', '/api/v2/buyer/'],
    ['/api/buyer/echo', '/api/v2/buyer/echo'],
    ['/api/buyer/echo?word=a%20b&words=1,2', '/api/v2/buyer/echo?word=a%20b&words=1,2'],
    ['/api/buyer?x=1', '/api/v2/buyer?x=1'],
    ['/api/storefront/products/1', '/api/v2/storefront/products/1'],
    ['/mcp/buyer', '/mcp/v2/buyer?via=alias'],
    ['/mcp/buyer/media-buy-get', '/mcp/v2/buyer/media-buy-get?via=alias'],
    ['/mcp/storefront?toolsets=selling', '/mcp/v2/storefront?toolsets=selling&via=alias'],
    ['/api/buyer/nothing/at/all', '/api/v2/buyer/nothing/at/all'],
  ])('leads with 308 to the stable version: %s', async (from, to) => {
    const { status, headers } = await anybody.send(`${server.url}${from}`, {});

    expect(status).toBe(308);
    expect(headers.get('location')).toBe(to);
  });

  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'])(
    'leads on whatever the method is, before any other check: %s',
    async (method) => {
      const { status, headers, text } = await anybody.send(`${server.url}/api/buyer/echo`, {
        method,
        headers: { authorization: 'Bearer wrong', 'x-request-id': 'r-308' },
        ...(method === 'POST' ? { body: 'no json' } : {}),
      });

      expect({ status, text }).toEqual({ status: 308, text: '' });
      expect(headers.get('x-request-id')).toBe('r-308');
    },
  );

  test('lets a page of our own follow: a plain answer to its preflight, and a redirect it may read', async () => {
    const send = (method: string) =>
      anybody.send(`${server.url}/api/buyer/echo`, { method, headers: { origin: server.url } });

    const preflight = await send('OPTIONS');
    const moved = await send('GET');

    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('GET');
    expect(moved.status).toBe(308);
    for (const { headers } of [preflight, moved])
      expect(headers.get('access-control-allow-origin')).toBe(server.url);
  });

  test('keeps the method and the body of a client that follows', async () => {
    const response = await fetch(`${server.url}/api/buyer/echo?count=3`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"word":"kept"}',
    });

    expect(await response.json()).toEqual({ data: { given: { count: 3, word: 'kept' } }, error: null });
    expect(response.url).toBe(`${server.url}/api/v2/buyer/echo?count=3`);
  });

  test('keeps the call of an MCP client that follows', async () => {
    const { key } = await newPerson(server);

    const response = await fetch(`${server.url}/mcp/buyer`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'echo_query',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: {
          name: 'echo_query',
          arguments: { word: 'kept' },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    });

    expect(await response.json()).toMatchObject({
      result: { structuredContent: { given: { word: 'kept' } } },
    });
  });

  test.each(['/api/buyers', '/api/buyerx/echo', '/mcp/other', '/api/v1/buyer', '/xapi/buyer', '/api/BUYER'])(
    'is only one that begins with the name of a surface: %s',
    async (path) => {
      expect((await anybody.send(`${server.url}${path}`, {})).status).toBe(404);
    },
  );

  test('never leads to another host', async () => {
    const reply = await sendBytes(
      server.url,
      requestText('GET /api/buyer/..//example.com', { Host: '127.0.0.1' }),
    );

    expect(reply.status).toBe(308);
    expect(reply.headers['location']).toMatch(/^\/api\/v2\/buyer\//);
  });
});
