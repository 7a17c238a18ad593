import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAddresses } from '../../adapters/mcp/address.ts';
import { toolsetsOn } from '../../adapters/mcp/choice.ts';
import type { Extension } from '../../adapters/mcp/server-parts.ts';
import { families, tools } from '../../tools/registry.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import {
  eventsOf,
  initialize,
  messagesOf,
  type RawAnswer,
  type RawClient,
  rawClient,
  rpc,
  scriptHeaders,
  stateless,
} from '../support/mcp/mcp.ts';
import { answersLater, type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUYER = '/mcp/v2/buyer';
const toolsets = toolsetsOn('buyer', families);

/** Progress is told by the official server alone: the same question on the other lane. */
const ASKED_OFFICIALLY = { _meta: { progressToken: 'a' } };

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

  test.each([
    ['readonly=1', 'Give true or false.'],
    ['readonly=TRUE', 'Give true or false.'],
    ['readonly=', 'Give true or false.'],
    ['readonly', 'Give true or false.'],
    ['readonly=true&readonly=false', 'Give it once.'],
  ])('is refused for ?%s, which must not show what writes by mistake', async (query, words) => {
    const { status, text } = await list(query);

    const refused = { status, body: JSON.parse(text) };
    expectRefusal(refused, 400, { code: 'VALIDATION_ERROR', at: { readonly: words } });
  });

  test.each([
    ['readOnly=true', 'readOnly', 'Unknown here. Known: toolsets, readonly.'],
    ['toolsets=discovery&toolset=campaigns', 'toolset', 'Unknown here. Known: toolsets, readonly.'],
    ['toolsets=discovery&toolsets=campaigns', 'toolsets', 'Give it once.'],
    ['toolsets=nothing', 'toolsets', /^Give some of: advertisers, discovery, /],
    ['toolsets=products', 'toolsets', /^Give some of: advertisers, discovery, /],
  ])('is refused for ?%s, which names %s', async (query, field, words) => {
    const { status, text } = await list(query);

    const refused = { status, body: JSON.parse(text) };
    expectRefusal(refused, 400, { code: 'VALIDATION_ERROR', at: { [field]: words } });
  });

  test('names the toolsets of its own surface to whoever asks for one of the other', async () => {
    const { text } = await list('toolsets=products');

    expect(JSON.parse(text).error.message).toBe(`toolsets: Give some of: ${toolsets.join(', ')}.`);
    expect(toolsets).not.toContain('products');
  });

  describe('by headers', () => {
    const listWith = (headers: Readonly<Record<string, string>>, query = '') => {
      const plain = stateless(person.key, 'tools/list');
      return client.send({ path: `${BUYER}?${query}`, ...plain, headers: { ...plain.headers, ...headers } });
    };

    test('is the one that the query narrows alike', async () => {
      const asked = await list('toolsets=discovery,campaigns&readonly=true');

      const headers = { 'x-mcp-toolsets': 'discovery,campaigns', 'x-mcp-readonly': 'true' };
      expect((await listWith(headers)).text).toBe(asked.text);
      expect((await listWith({ 'x-mcp-readonly': 'true' }, 'toolsets=discovery,campaigns')).text).toBe(
        asked.text,
      );
      expect((await listWith(headers, 'readonly=true')).text).toBe(asked.text);
    });

    const otherThanThe = (header: string) =>
      `The header ${header} says something else than the query: give one of them.`;

    test.each([
      [{ 'x-mcp-readonly': 'yes' }, '', { readonly: 'Give true or false.' }],
      [{ 'x-mcp-readonly': 'true' }, 'readonly=false', { readonly: otherThanThe('x-mcp-readonly') }],
      [{ 'x-mcp-toolsets': 'products' }, '', { toolsets: /^Give some of: advertisers, discovery, / }],
      [{ 'x-mcp-toolsets': 'discovery' }, 'toolsets=campaigns', { toolsets: otherThanThe('x-mcp-toolsets') }],
      [
        { 'x-mcp-readonly': 'false' },
        'readonly=false&readonly=true',
        { readonly: otherThanThe('x-mcp-readonly') },
      ],
    ])('is refused for %o beside ?%s, which contradict or say nothing known', async (headers, query, at) => {
      const { status, text } = await listWith(headers, query);

      const refused = { status, body: JSON.parse(text) };
      expectRefusal(refused, 400, { code: 'VALIDATION_ERROR', at });
    });
  });

  describe('that only reads', () => {
    const readonly = `${BUYER}?readonly=true`;

    test('keeps what reads and what only asks sellers, and refuses the rest at its own address too', async () => {
      const names: string[] = JSON.parse((await list('readonly=true')).text).result.tools.map(
        ({ name }: { name: string }) => name,
      );
      const write = { name: 'advertiser_create', arguments: {} };
      const refused = await client.send({
        path: `${BUYER}/advertiser-create?readonly=true`,
        ...stateless(person.key, 'tools/call', write),
      });

      expect(names).toEqual(expect.arrayContaining(['discover_products', 'browse_products', 'api_call']));
      for (const name of [
        'advertiser_create',
        'campaign_execute',
        'discovery_add_products',
        'webhook_delete',
      ])
        expect(names).not.toContain(name);
      expect(refused.status).toBe(404);
    });

    test('does not write through a session that began at the whole address', async () => {
      const begun = await client.send({
        path: BUYER,
        headers: scriptHeaders(person.key),
        body: initialize(),
      });
      const headers = scriptHeaders(person.key, String(begun.headers['mcp-session-id']));
      const fields = { name: 'Through', brand: 'through.example', saveBrand: true, primaryCurrency: 'USD' };
      const body = rpc('tools/call', { name: 'advertiser_create', arguments: fields });

      await client.send({ path: readonly, headers, body });

      const { items } = done(await person.get('/buyer/advertisers?name=Through'));
      expect(items).toEqual([]);
    });
  });

  describe('of one tool', () => {
    const own = `${BUYER}/media-buy-get`;
    const namesIn = (text: string): string[] =>
      JSON.parse(text).result.tools.map(({ name }: { name: string }) => name);

    test.each(['', '?readonly=true', '?toolsets=campaigns'])(
      'lists that tool alone to whoever asks without a session, with %s behind it',
      async (query) => {
        const answers = [
          stateless(person.key, 'tools/list'),
          stateless(person.key, 'tools/list', ASKED_OFFICIALLY),
        ];
        for (const asked of answers) {
          const { text } = await client.send({ path: `${own}${query}`, ...asked });
          expect(namesIn(text)).toEqual(['media_buy_get']);
        }
      },
    );

    test('lists that tool alone in a session too, wherever the session began', async () => {
      for (const path of [own, BUYER]) {
        const begun = await client.send({ path, headers: scriptHeaders(person.key), body: initialize() });
        const headers = scriptHeaders(person.key, String(begun.headers['mcp-session-id']));
        const ask = (at: string) => client.send({ path: at, headers, body: rpc('tools/list', {}) });

        expect(namesIn((await ask(own)).text)).toEqual(['media_buy_get']);
        expect(namesIn((await ask(BUYER)).text).length).toBeGreaterThan(1);
      }
    });

    test('lists a tool that the whole list leaves out', async () => {
      const { text } = await client.send({
        path: `${BUYER}/campaign-update`,
        ...stateless(person.key, 'tools/list'),
      });

      expect(namesIn(text)).toEqual(['campaign_update']);
    });

    test('tells its host of that tool alone, without a session and in one, and has no prompts', async () => {
      const place = `${BUYER}/campaign-execute`;
      const inSession = { headers: scriptHeaders(person.key), body: initialize() };
      const begun = await client.send({ path: place, ...inSession });
      const headers = scriptHeaders(person.key, String(begun.headers['mcp-session-id']));
      const told = [
        begun,
        await client.send({ path: place, ...stateless(person.key, 'server/discover') }),
        await client.send({ path: place, ...stateless(person.key, 'server/discover', ASKED_OFFICIALLY) }),
      ].map(resultIn);
      const prompts = [
        await client.send({ path: place, headers, body: rpc('prompts/list', {}) }),
        await client.send({ path: place, ...stateless(person.key, 'prompts/list') }),
      ].map(resultIn);

      for (const { instructions } of told) {
        expect(instructions).toMatch(/^Rialto .* TOS_ACCEPTANCE_REQUIRED\.$/);
        expect(toolsNamedIn(instructions)).toEqual([]);
      }
      for (const result of prompts) expect(result.prompts).toEqual([]);
    });
  });

  /** The one answer, whatever it travelled in. */
  const resultIn = (answer: RawAnswer) => {
    const [message] = messagesOf(answer);
    // biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape.
    return (message as any).result;
  };
  const toolsNamedIn = (instructions: string) => {
    const all = new Set(tools.map(({ name }) => name));
    return (instructions.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter((name) => all.has(name));
  };

  test('tells its host only of tools that it shows', async () => {
    for (const query of ['', 'readonly=true', 'toolsets=discovery', 'toolsets=system', 'toolsets=guide']) {
      const sent = stateless(person.key, 'server/discover');
      const { text } = await client.send({ path: `${BUYER}?${query}`, ...sent });
      const { instructions }: { instructions: string } = JSON.parse(text).result;
      const shown: { name: string }[] = JSON.parse((await list(query)).text).result.tools;

      const named = toolsNamedIn(instructions);
      expect(shown.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
      expect(instructions).toMatch(/^Rialto .*\.$/);
    }
  });

  test('is the whole one when nothing is narrowed', async () => {
    const whole = await list('');

    for (const query of ['readonly=false', 'toolsets=', 'toolsets=&readonly=false'])
      expect((await list(query)).text).toBe(whole.text);
  });

  test('is kept while it is asked for, and forgotten after 32 others', async () => {
    const addresses = createAddresses(server.running.app, undefined);
    const first = addresses.get('buyer', 'toolsets=system');

    for (const query of MANY.slice(0, 31)) addresses.get('buyer', query);
    expect(addresses.get('buyer', 'toolsets=system')).toBe(first);
    for (const query of MANY.slice(0, 64)) addresses.get('buyer', query);
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
    for (const query of MANY) addresses.get('buyer', query);

    await addresses.close();

    expect(await response.text()).toContain('"resultType":"complete"');
  });
});

function fieldsOf(headers: Readonly<Record<string, string | undefined>>): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
}
