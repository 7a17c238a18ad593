import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddresses } from '../../adapters/mcp/address.ts';
import type { Extension } from '../../adapters/mcp/server-parts.ts';
import { families } from '../../tools/registry.ts';
import { answersLater, type FarSeller, farSeller } from '../support/far-seller.ts';
import { newAdvertiser } from '../support/market.ts';
import {
  eventsOf,
  initialize,
  type RawClient,
  rawClient,
  rpc,
  scriptHeaders,
  stateless,
} from '../support/mcp.ts';
import { newPerson, type Person } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';

const BUYER = '/mcp/v2/buyer';
const toolsets = [...new Set(families.map(({ toolset }) => toolset))];

/** More ways to narrow an address than are kept: pairs of toolsets, with and without what writes. */
const MANY = toolsets
  .flatMap((one) =>
    toolsets.flatMap((other) => [`toolsets=${one},${other}`, `toolsets=${one},${other}&readonly=true`]),
  )
  .slice(0, 100);

describe('a narrowed MCP address', () => {
  let server: TestServer;
  let client: RawClient;
  let far: FarSeller;
  let person: Person;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    client = rawClient(server.url);
    far = await farSeller(server, 'Ada');
    person = await newPerson(server);
  });
  afterAll(async () => {
    client.close();
    await server.stop();
    await far.agent.stop();
  });

  const list = (query: string) =>
    client.send({ path: `${BUYER}?${query}`, ...stateless(person.key, 'tools/list') });
  const askForMany = async () => {
    for (const query of MANY) expect((await list(query)).status).toBe(200);
  };

  test.each(['readonly=1', 'readonly=TRUE', 'readonly=', 'readonly', 'readonly=true&readonly=false'])(
    'is refused for ?%s, which must not show what writes by mistake',
    async (query) => {
      const { status, text } = await list(query);

      expect(status).toBe(400);
      expect(JSON.parse(text).error).toMatchObject({ code: 'VALIDATION_ERROR', field: 'readonly' });
    },
  );

  test.each([
    ['readOnly=true', 'readOnly'],
    ['toolsets=discovery&toolset=campaigns', 'toolset'],
    ['toolsets=discovery&toolsets=campaigns', 'toolsets'],
    ['toolsets=nothing', 'toolsets'],
  ])('is refused for ?%s, which names %s', async (query, field) => {
    const { status, text } = await list(query);

    expect(status).toBe(400);
    expect(JSON.parse(text).error).toMatchObject({ code: 'VALIDATION_ERROR', field });
  });

  test('is the whole one when nothing is narrowed', async () => {
    const whole = await list('');

    for (const query of ['readonly=false', 'toolsets=', 'toolsets=&readonly=false'])
      expect((await list(query)).text).toBe(whole.text);
  });

  test('is kept while it is asked for, and forgotten after 32 others', async () => {
    const addresses = createAddresses(server.running.app, undefined);
    const first = addresses.get('buyer', 'toolsets=system');

    for (const query of MANY.slice(0, 31)) addresses.get('storefront', query);
    expect(addresses.get('buyer', 'toolsets=system')).toBe(first);
    for (const query of MANY.slice(0, 64)) addresses.get('storefront', query);
    const again = addresses.get('buyer', 'toolsets=system');

    expect(again).not.toBe(first);
    expect(again.catalog.list).toEqual(first.catalog.list);
    // What describes a tool is there once, however many addresses show it.
    expect(again.catalog.list[0]).toBe(first.catalog.list[0]);
    await addresses.close();
  });

  test('goes on serving the session that was begun on it, long after others took its place', async () => {
    const path = `${BUYER}?toolsets=system`;
    const begun = await client.send({ path, headers: scriptHeaders(person.key), body: initialize() });
    const headers = scriptHeaders(person.key, String(begun.headers['mcp-session-id']));
    const ask = async () => (await client.send({ path, headers, body: rpc('tools/list', {}) })).text;
    const before = await ask();

    await askForMany();

    expect(await ask()).toBe(before);
    expect(JSON.parse(before).result.tools.length).toBeGreaterThan(0);
  });

  test('goes on with a request that is under way when it is forgotten', async () => {
    const held = answersLater(far, { products: [] });
    const { headers, body } = stateless(person.key, 'tools/call', {
      name: 'discover_products',
      arguments: { advertiserId: await newAdvertiser(person), waitSeconds: 30 },
      _meta: { progressToken: 'a' },
    });
    const sent = fetch(`${server.url}${BUYER}?toolsets=discovery`, {
      method: 'POST',
      headers: fieldsOf(headers),
      body,
    });

    await far.agent.called('get_products');
    await askForMany();
    held.open();

    const answer: unknown[] = [];
    for await (const message of eventsOf(await sent)) answer.push(message);
    expect(answer.at(-1)).toMatchObject({ result: { structuredContent: { resultsComplete: true } } });
  });

  test('ends with the service, though it was forgotten while a request was under way', async () => {
    // Subscriptions stay open where a list may change.
    const mcpExtension: Extension = {
      tools: [],
      capabilities: { tools: { listChanged: true } },
      call: () => Promise.reject(new Error('Nobody calls here.')),
      configure: () => {},
    };
    const addresses = createAddresses(server.running.app, mcpExtension);
    const { modern } = addresses.get('buyer', 'toolsets=system');
    const { headers, body } = stateless(person.key, 'subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    const response = await modern.fetch(
      new Request(`${server.url}${BUYER}`, { method: 'POST', headers: fieldsOf(headers), body }),
    );
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    for (const query of MANY) addresses.get('storefront', query);

    await addresses.close();

    expect(await response.text()).toContain('"resultType":"complete"');
  });
});

function fieldsOf(headers: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
