import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { guardAddresses } from '../../adapters/net/address-guard.ts';
import { blockListOf } from '../../adapters/net/addresses.ts';
import { answerPool } from '../../adapters/sellers/answer-pool.ts';
import { hiddenCredential } from '../../adapters/sellers/hidden-credential.ts';
import { connectTools, type ToolClient } from '../../adapters/sellers/mcp-client.ts';
import { sellerFetch } from '../../adapters/sellers/seller-fetch.ts';
import { toolListOf } from '../../adapters/sellers/tool-lists.ts';
import { readConfig } from '../../adapters/settings/config.ts';
import { newPerson } from '../support/callers/people.ts';
import { gate } from '../support/run/gate.ts';
import { listen } from '../support/sellers/seller-agent.ts';
import { startTestServer } from '../support/server/server.ts';

interface Said {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>> | undefined;
  readonly headers: IncomingHttpHeaders;
}

/** What a server answers to a method: a result, a status, or nothing as yet. */
type Answers = Readonly<Record<string, (params: Said['params']) => unknown>>;

const PLAIN: Answers = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'plain', version: '1' },
  }),
  'tools/list': (params) =>
    params?.['cursor'] === undefined
      ? { tools: [{ name: 'one', inputSchema: { type: 'object' } }], nextCursor: 'more' }
      : { tools: [{ name: 'two', inputSchema: {} }, { title: 'nameless' }] },
  'tools/call': () => ({ content: [{ type: 'text', text: 'sold' }, { type: 'image' }] }),
};

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of req) text += String(part);
  return text;
}

describe('a server', () => {
  const ending = new AbortController();
  const way = sellerFetch({
    config: readConfig({ NODE_ENV: 'test' }),
    guard: guardAddresses(blockListOf(['127.0.0.0/8'])),
    ca: undefined,
  });
  const opened: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((stop) => stop())));
  afterAll(async () => {
    ending.abort();
    await way.close();
  });

  const pool = answerPool({ products: 10, waiting: 64, ended: ending.signal });
  const options = (signal = ending.signal) => ({ signal, timeoutMs: 30_000 });
  async function connect(url: string, known = new Set<string>(), headers = {}): Promise<ToolClient> {
    const line = {
      target: await way.target(url),
      headers,
      pool,
      owner: { organizationId: 1, sourceId: 'one' },
      hidden: hiddenCredential(),
    };
    return connectTools({ line, known, ...options() });
  }

  /** A server of the older era that writes down what it is told. */
  async function plain(answers: Answers = PLAIN, wrap = (message: object): unknown => message) {
    const said: Said[] = [];
    const server = await listen(async (req, res) => {
      const { id, method, params } = JSON.parse(await textOf(req));
      said.push({ method, params, headers: req.headers });
      const result = id === undefined ? 202 : (answers[method]?.(params) ?? 404);
      if (typeof result === 'number') return void res.writeHead(result).end();
      if (result instanceof Promise) return;
      res.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-7' });
      res.end(JSON.stringify(wrap({ jsonrpc: '2.0', id, result })));
    });
    opened.push(server.stop);
    return { url: `${server.url}/mcp?a=b`, said, methods: () => said.map(({ method }) => method) };
  }

  test('that lists tools without end is asked for few pages, and few and short names are kept', async () => {
    const wide = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [at === 0 ? 'f'.repeat(129) : `field_${at}`, {}]),
    );
    const page = { tools: [{ name: 'n'.repeat(129) }, { name: 'wide', inputSchema: { properties: wide } }] };
    const few = await plain({ ...PLAIN, 'tools/list': () => ({ ...page, nextCursor: 'more' }) });
    // A text is cut to 16,384 characters, and an answer to a million: four of these pages fill the list.
    const texts = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`text_${at}`, 'x'.repeat(16_000)]),
    );
    const long = { tools: [{ name: 'long', inputSchema: texts }] };
    const large = await plain({ ...PLAIN, 'tools/list': () => ({ ...long, nextCursor: 'more' }) });
    const hundred = Array.from({ length: 100 }, (_, at) => ({ name: `tool_${at}` }));
    const many = await plain({ ...PLAIN, 'tools/list': () => ({ tools: hundred, nextCursor: 'more' }) });
    const pagesOf = ({ methods }: typeof few) => methods().filter((method) => method === 'tools/list').length;

    const list = await toolListOf(await connect(few.url), options());
    const heavy = await (await connect(large.url)).tools(options());

    expect(pagesOf(few)).toBe(16);
    expect([...list.keys()]).toEqual(['wide']);
    expect(list.get('wide')?.fields?.size).toBe(500);
    expect(list.get('wide')?.fields).not.toContain('f'.repeat(129));
    expect([pagesOf(large), heavy.length]).toEqual([5, 4]);
    expect(await (await connect(many.url)).tools(options())).toHaveLength(500);
    expect(pagesOf(many)).toBe(5);
  });

  test('of the older era is asked for the newer one, greeted, and called in its revision and session', async () => {
    const { url, said, methods } = await plain();

    const client = await connect(url, new Set(), { Authorization: 'Bearer secret' });
    const tools = await client.tools(options());
    const reply = await client.call('one', { brief: 'tea' }, options());

    expect(methods()).toEqual([
      'server/discover',
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/list',
      'tools/call',
    ]);
    expect(tools.map(({ name }) => name)).toEqual(['one', 'two']);
    expect(reply).toEqual({
      isError: false,
      structuredContent: undefined,
      text: 'sold',
      blocks: ['sold'],
      products: undefined,
    });
    expect(said.at(-1)).toMatchObject({
      params: { name: 'one', arguments: { brief: 'tea' } },
      headers: {
        authorization: 'Bearer secret',
        'mcp-protocol-version': '2025-06-18',
        'mcp-session-id': 'session-7',
      },
    });
    expect(said[1]?.headers['mcp-protocol-version']).toBeUndefined();
  });

  test('that was of the older era is greeted at once the next time, and asked again when it greets no more', async () => {
    const { url, methods } = await plain();
    const known = new Set<string>();
    await connect(url, known);
    await connect(url, known);
    expect(methods().filter((method) => method === 'server/discover')).toHaveLength(1);

    const changed = await plain({ ...PLAIN, initialize: () => 404 });
    known.add(changed.url);

    await expect(connect(changed.url, known)).rejects.toThrow('404');
    expect(changed.methods()).toEqual(['initialize', 'server/discover', 'initialize']);
    expect(known.has(changed.url)).toBe(false);
  });

  test('is told of a call that ended before it was answered', async () => {
    const { passed, open } = gate();
    const { url, said } = await plain({
      ...PLAIN,
      'tools/call': () => {
        open();
        return new Promise(() => {});
      },
    });
    const client = await connect(url);
    const over = new AbortController();
    const call = client.call('one', {}, options(over.signal));
    await passed;

    over.abort(new Error('Enough.'));

    await expect(call).rejects.toThrow('Enough.');
    await expect
      .poll(() => said.at(-1))
      .toMatchObject({
        method: 'notifications/cancelled',
        params: { requestId: 1 },
      });
  });

  test('may answer with a batch of one', async () => {
    const { url } = await plain(PLAIN, (message) => [{ jsonrpc: '2.0', method: 'notifications/x' }, message]);

    const client = await connect(url);

    expect(await client.call('one', {}, options())).toMatchObject({ text: 'sold' });
  });

  test.each([
    ['that greets in a revision nobody knows', { initialize: () => ({ protocolVersion: '1999-01-01' }) }],
    ['that greets without a word', { initialize: () => ({}) }],
  ])('%s is none', async (_what, answers) => {
    const { url } = await plain({ ...PLAIN, ...answers });

    await expect(connect(url)).rejects.toThrow('no revision that is known');
  });

  test('of the newer era is spoken to by the official client', async () => {
    const server = await startTestServer();
    opened.push(() => server.stop());
    const { key } = await newPerson(server);
    const known = new Set<string>();

    const client = await connect(`${server.url}/mcp/v2/buyer`, known, { authorization: `Bearer ${key}` });
    const tools = await client.tools(options());
    const reply = await client.call('advertiser_list', {}, options());
    const missing = await client.call('advertiser_get', { advertiserId: '9' }, options());

    expect(known.size).toBe(0);
    expect(tools.map(({ name }) => name)).toContain('discover_products');
    expect(reply).toMatchObject({ isError: false, structuredContent: { items: [] } });
    expect(missing).toMatchObject({ isError: true, structuredContent: { code: 'NOT_FOUND' } });
    await client.close();
  });

  test('of the newer era that refuses the credential says so by its status', async () => {
    const server = await startTestServer();
    opened.push(() => server.stop());

    await expect(connect(`${server.url}/mcp/v2/buyer`)).rejects.toMatchObject({ status: 401 });
  });
});
