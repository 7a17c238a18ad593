import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { makeTenant } from '../../store/engine/scope.ts';
import { findSeller } from '../../store/unscoped/market.ts';
import type { Seller, Sellers } from '../../tools/domain/sellers/port.ts';
import { asSeller } from '../../tools/domain/sellers/seller.ts';
import { newPerson } from '../support/callers/people.ts';
import { connectAgent } from '../support/sellers/market.ts';
import { adcpProduct, listen, type RawServer } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** With signs that JSON and addresses write otherwise, and that stand for something where texts are replaced. */
const TOKEN = 'tok/9f3b2c+of "the" $& storefront';
/** The forms in which it may come back. */
const FORMS = [TOKEN, TOKEN.replaceAll('"', '\\"'), encodeURIComponent(TOKEN)];

const party = { brand: 'acme.example', operator: 'buyer.example', sandbox: false };
const mediaBuyId = `buy-${TOKEN}`;
const taskId = `task-${TOKEN}`;
const order = {
  ...{ party, idempotencyKey: 'order-1', currency: 'USD', packages: [] },
  ...{ startTime: '2026-12-10T00:00:00.000Z', endTime: '2026-12-31T00:00:00.000Z' },
};

type Call = (sellers: Sellers, seller: Seller, signal: AbortSignal) => Promise<unknown>;

/** Every call that there is to sellers: one more is one more line here, or the compiler says so. */
const CALLS: Readonly<Record<keyof Sellers, Call>> = {
  getProducts: async (sellers, seller, signal) => {
    const traced: unknown[] = [];
    const trace = (told: unknown) => void traced.push(told);
    const offered = await sellers.getProducts(seller, { party, timeBudgetSeconds: 5, trace }, signal);
    return [offered, offered.said, traced];
  },
  createMediaBuy: (sellers, seller, signal) => sellers.createMediaBuy(seller, order, signal),
  getMediaBuy: async (sellers, seller, signal) => [
    await sellers.getMediaBuy(seller, { party, mediaBuyId: 'buy-[secret]', taskId: null }, signal),
    await sellers.getMediaBuy(seller, { party, mediaBuyId: null, taskId: 'task-[secret]' }, signal),
  ],
  getDelivery: (sellers, seller, signal) =>
    sellers.getDelivery(seller, { party, mediaBuyId: 'buy-[secret]' }, signal),
  updateMediaBuy: (sellers, seller, signal) => {
    const update = { party, idempotencyKey: 'change-1', paused: true };
    return sellers.updateMediaBuy(seller, { mediaBuyId: 'buy-[secret]', update }, signal);
  },
  getUpdateTask: (sellers, seller, signal) =>
    sellers.getUpdateTask(seller, { party, taskId: 'task-[secret]' }, signal),
  listAccounts: (sellers, seller, signal) => sellers.listAccounts(seller, { refresh: true }, signal),
  declaration: (sellers, seller, signal) => sellers.declaration(seller, signal, true),
  abilities: (sellers, seller, signal) => sellers.abilities(seller, signal),
};

const said = `You came with ${TOKEN}, ${encodeURIComponent(TOKEN)}.`;
const buy = {
  media_buy_id: mediaBuyId,
  status: 'active',
  packages: [{ package_id: TOKEN, product_id: TOKEN }],
};
const figures = { impressions: 1, spend: 1, clicks: 1 };

/** What each tool answers: the credential stands wherever a text can. */
const CONTENT: Readonly<Record<string, object>> = {
  get_products: { products: [adcpProduct('far-1', { name: said, [TOKEN]: 1 })], message: said },
  create_media_buy: { ...buy, message: said },
  update_media_buy: { ...buy, affected_packages: buy.packages, message: said },
  get_media_buys: { media_buys: [buy] },
  get_media_buy_delivery: {
    media_buy_deliveries: [
      {
        media_buy_id: mediaBuyId,
        totals: figures,
        by_package: [{ package_id: TOKEN, by_placement: [{ placement_id: TOKEN, ...figures }] }],
      },
    ],
  },
  tasks_get: { status: 'working', task_id: taskId, message: said },
  list_accounts: { accounts: [{ account_id: TOKEN, status: 'active', name: said, operator: TOKEN }] },
  get_adcp_capabilities: {
    adcp: { major_versions: [3], supported_versions: [`3.${TOKEN}`] },
    media_buy: { execution: { targeting: { [TOKEN]: said } } },
  },
};

const large = (content: object) => ({ ...content, filler: 'x'.repeat(70_000) });
const words = (text: string, isError: boolean) => ({ content: [{ type: 'text', text }], isError });

/** How a seller may answer, each with the credential in it: a result, an error of JSON-RPC, or a status. */
const WAYS: Readonly<Record<string, (content: object) => object>> = {
  structured: (content) => ({ result: { content: [], structuredContent: content } }),
  'too large to be read at once': (content) => ({
    result: { content: [], structuredContent: large(content) },
  }),
  'JSON in a text': (content) => ({ result: words(JSON.stringify(content), false) }),
  'JSON that writes signs as numbers': (content) => ({
    result: words(JSON.stringify(content).replaceAll('/', '\\u002f').replaceAll('+', '\\u002B'), false),
  }),
  'a refusal of AdCP': () => ({
    result: { content: [], structuredContent: { adcp_error: { code: said, message: said } } },
  }),
  'words marked as an error': () => ({ result: words(said, true) }),
  'an error of the protocol': () => ({ error: { code: -32_000, message: said } }),
  'a status': () => ({ status: 400 }),
};

const ERAS = {
  older: {
    'server/discover': { status: 404 },
    initialize: {
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: said, version: '1' },
      },
    },
  },
  newer: {
    'server/discover': {
      result: {
        ...{ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
        ...{
          serverInfo: { name: said, version: '1' },
          instructions: said,
          ttlMs: 1_000,
          cacheScope: 'private',
        },
      },
    },
  },
} as const;

async function textOf(req: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of req) text += String(part);
  return text;
}

/** Everything that a value or an error says, the causes included. */
function everythingSaid(value: unknown): string {
  if (!(value instanceof Error))
    return JSON.stringify(value, (_name, one) => (one instanceof Map ? [...one] : one)) ?? '';
  return [value.message, value.stack, JSON.stringify({ ...value }), everythingSaid(value.cause)].join('\n');
}

describe('a seller that says the credential it was called with', () => {
  let server: TestServer;
  const opened: RawServer[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterEach(() => Promise.all(opened.splice(0).map(({ stop }) => stop())));
  afterAll(() => server.stop());

  /** A seller of an era that answers in a way, and writes down the arguments it is called with. */
  async function echoing(era: keyof typeof ERAS, way: string, type: string) {
    const credentials = new Set<unknown>();
    const calls: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[] = [];
    const answerTo = (method: string, params: Readonly<Record<string, unknown>>) => {
      const greeting = { ...ERAS[era] }[method as 'server/discover'];
      if (greeting !== undefined) return greeting;
      if (method === 'tools/list') {
        const tools = Object.keys(CONTENT).map((name) => ({
          name,
          inputSchema: { type: 'object' },
          description: said,
        }));
        return { result: { resultType: 'complete', tools, ttlMs: 1_000, cacheScope: 'private' } };
      }
      const tool = String(params['name']);
      calls.push({ tool, args: { ...Object(params['arguments']) } });
      const { result, ...other } = { result: undefined, ...WAYS[way]?.(CONTENT[tool] ?? {}) };
      return result === undefined ? other : { result: { resultType: 'complete', ...Object(result) } };
    };
    const far = await listen(async (req, res) => {
      credentials.add(req.headers.authorization ?? req.headers['x-api-key']);
      const { id, method, params } = JSON.parse(await textOf(req));
      const { status = 200, ...answer } = {
        status: undefined,
        ...(id === undefined ? { status: 202 } : answerTo(method, params)),
      };
      res.writeHead(status, { 'content-type': 'application/json' });
      res.end(status === 200 ? JSON.stringify({ jsonrpc: '2.0', id, ...answer }) : said);
    });
    opened.push(far);
    const person = await newPerson(server);
    const auth = { type, token: TOKEN };
    const fields = { name: 'Echo Media', authenticationType: 'API_KEY', auth };
    const { agentId } = await connectAgent(person, `${far.url}/mcp`, fields);
    const row = await findSeller(server.store.db, makeTenant(person.organizationId), agentId);
    if (row === undefined) throw new Error('The seller is not on the market.');
    return { seller: asSeller(row), credentials, calls };
  }

  const cases = (['older', 'newer'] as const).flatMap((era) =>
    Object.keys(WAYS).map((way) => ({ era, way, type: era === 'older' ? 'bearer' : 'api_key' })),
  );

  test.each(cases)('shows it in no answer to any call: $era era, $way', async ({ era, way, type }) => {
    const { seller, credentials } = await echoing(era, way, type);
    const { sellers } = server.running.app.services.ports;

    for (const [name, call] of Object.entries(CALLS)) {
      const told = await call(sellers, seller, AbortSignal.timeout(30_000)).catch((error: unknown) => error);

      for (const form of FORMS) expect(everythingSaid(told), name).not.toContain(form);
    }
    expect([...credentials]).toEqual([type === 'bearer' ? `Bearer ${TOKEN}` : TOKEN]);
  });

  test.each(['older', 'newer'] as const)('is told its own ids again: %s era', async (era) => {
    const { seller, calls } = await echoing(era, 'structured', 'bearer');
    const { sellers } = server.running.app.services.ports;
    const signal = AbortSignal.timeout(30_000);

    expect(await CALLS.createMediaBuy(sellers, seller, signal)).toMatchObject({ mediaBuyId: 'buy-[secret]' });
    expect(await CALLS.getMediaBuy(sellers, seller, signal)).toMatchObject([
      { mediaBuyId: 'buy-[secret]', status: 'active' },
      { kind: 'task', status: 'working', message: 'You came with [secret], [secret].' },
    ]);
    await CALLS.updateMediaBuy(sellers, seller, signal);

    const argsOf = (asked: string) => calls.filter(({ tool }) => tool === asked).map(({ args }) => args);
    expect(argsOf('get_media_buys')).toMatchObject([{ media_buy_ids: [mediaBuyId] }]);
    expect(argsOf('tasks_get')).toMatchObject([{ task_id: taskId }]);
    expect(argsOf('update_media_buy')).toMatchObject([{ media_buy_id: mediaBuyId }]);
  });
});
