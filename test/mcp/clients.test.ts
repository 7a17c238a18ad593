import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOverMcp } from '../../tools/core/define.ts';
import { tools as registry } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** The official clients, which check every answer against the output schema that the list published. */
describe('an official client', () => {
  let server: TestServer;
  let person: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer();
    person = await newPerson(server);
    advertiserId = await newAdvertiser(person);
  });
  afterAll(() => server.stop());

  const address = (path = '/mcp/v2/buyer') => new URL(`${server.url}${path}`);
  const requestInit = () => ({ headers: { authorization: `Bearer ${person.key}` } });
  const info = { name: 'test', version: '1' };
  const buyerTools = registry
    .filter(isOverMcp)
    .filter(({ surface, inDefaultList }) => surface !== 'storefront' && inDefaultList === true)
    .map(({ name }) => name);

  const failure = (code: string) => ({
    isError: true,
    content: [{ type: 'text', text: expect.stringContaining(code) }],
    structuredContent: { code, message: expect.any(String), recovery: expect.any(String) },
  });

  const modes = [
    { mode: 'auto', era: 'modern', path: '/mcp/v2/buyer' },
    { mode: { pin: '2026-07-28' }, era: 'modern', path: '/mcp/v2/buyer' },
    { mode: 'legacy', era: 'legacy', path: '/mcp/v2/buyer' },
    { mode: 'auto', era: 'modern', path: '/mcp/buyer' },
    { mode: 'legacy', era: 'legacy', path: '/mcp/buyer' },
  ] as const;

  test.each(modes)('of today lists, calls and fails at $path, mode $mode', async ({ mode, era, path }) => {
    const client = new Client(info, { versionNegotiation: { mode } });
    const transport = new StreamableHTTPClientTransport(address(path), { requestInit: requestInit() });
    await client.connect(transport);

    const { tools } = await client.listTools();
    const got = await client.callTool({ name: 'advertiser_get', arguments: { advertiserId } });
    const failed = await client.callTool({ name: 'advertiser_get', arguments: { advertiserId: '999999' } });

    expect(client.getProtocolEra()).toBe(era);
    expect(client.getServerVersion()?.name).toBe('rialto-buyer');
    expect(client.getInstructions()).toContain('discover_products');
    expect(tools.map(({ name }) => name)).toEqual(buyerTools);
    expect(got.structuredContent).toMatchObject({ id: advertiserId });
    expect(failed).toMatchObject(failure('NOT_FOUND'));
    await expect(client.callTool({ name: 'no_such_tool' })).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  test('of the session era lists, calls, fails and ends its session', async () => {
    const client = new FirstClient(info);
    const transport = new FirstTransport(address(), { requestInit: requestInit() });
    // Its own types do not agree with one another about an undefined session id.
    await client.connect(transport as Transport);
    const { sessionId } = transport;

    const { tools } = await client.listTools();
    const got = await client.callTool({ name: 'advertiser_get', arguments: { advertiserId } });
    const failed = await client.callTool({ name: 'advertiser_get', arguments: {} });
    await expect(client.callTool({ name: 'no_such_tool' })).rejects.toMatchObject({ code: -32602 });
    await transport.terminateSession();
    await client.close();

    expect(sessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(tools.map(({ name }) => name)).toEqual(buyerTools);
    expect(got.structuredContent).toMatchObject({ id: advertiserId });
    expect(failed).toMatchObject(failure('VALIDATION_ERROR'));
    const again = await fetch(address(), {
      method: 'DELETE',
      headers: { ...requestInit().headers, 'mcp-session-id': String(sessionId) },
    });
    expect(again.status).toBe(404);
  });

  test('without a credential is told that it needs one', async () => {
    const client = new Client(info, { versionNegotiation: { mode: 'legacy' } });

    const connecting = client.connect(new StreamableHTTPClientTransport(address()));

    await expect(connecting).rejects.toThrow(/unauthorized|401/i);
  });
});
