import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tools } from '../../tools/registry.ts';
import { START } from '../support/clock.ts';
import { countingIds } from '../support/ids.ts';
import { flightDates, productFields } from '../support/market.ts';
import { newPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { type Lane, lanes, type Outcome } from '../support/tool-lanes.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What earlier steps made, for later ones to name. */
interface Made {
  readonly outputs: Map<string, Fields>;
  /** The first text under this name, wherever it stands in what a tool gave. */
  find(tool: string, field: string): string;
}

interface Step {
  readonly tool: string;
  readonly by: 'buyer' | 'seller';
  args?(made: Made): Fields;
}

const chosen = (made: Made) => ({
  productId: made.find('discover_products', 'productId'),
  salesAgentId: made.find('discover_products', 'salesAgentId'),
});

const discoveryId = (made: Made) => made.find('discover_products', 'discoveryId');
const advertiserId = (made: Made) => made.find('advertiser_create', 'id');
const campaignId = (made: Made) => made.find('campaign_create', 'campaignId');
const advertiser = { name: 'Acme', brand: 'acme.example', primaryCurrency: 'USD' };

/** One walk through the whole market: every tool at least once. A new tool needs a step here. */
const walk: readonly Step[] = [
  { tool: 'health', by: 'buyer' },
  {
    tool: 'storefront_record_create',
    by: 'seller',
    args: () => ({ name: 'Corner Media', defaultCurrency: 'USD', acceptsAllCountries: true }),
  },
  {
    tool: 'inventory_source_create',
    by: 'seller',
    args: () => ({ name: 'Spare', executionType: 'MANAGED_SALES_AGENT' }),
  },
  {
    tool: 'inventory_source_delete',
    by: 'seller',
    args: (made) => ({ sourceId: made.find('inventory_source_create', 'sourceId') }),
  },
  {
    tool: 'inventory_source_create',
    by: 'seller',
    args: () => ({ name: 'Shelf', executionType: 'MANAGED_SALES_AGENT' }),
  },
  { tool: 'product_create', by: 'seller', args: () => productFields() },
  { tool: 'product_list', by: 'seller', args: () => ({ status: 'ACTIVE' }) },
  {
    tool: 'storefront_record_update',
    by: 'seller',
    args: () => ({ transacting: true, channels: ['display'] }),
  },
  { tool: 'storefront_record_get', by: 'seller' },
  { tool: 'inventory_source_list', by: 'seller' },
  {
    tool: 'inventory_source_get',
    by: 'seller',
    args: (made) => ({ sourceId: made.find('inventory_source_create', 'sourceId') }),
  },
  {
    tool: 'inventory_source_update',
    by: 'seller',
    args: (made) => ({
      sourceId: made.find('inventory_source_create', 'sourceId'),
      description: 'On the left.',
    }),
  },
  { tool: 'storefront_list', by: 'buyer', args: () => ({ take: 5, skip: 0, channel: 'display' }) },
  {
    tool: 'storefront_get',
    by: 'buyer',
    args: (made) => ({ storefrontId: made.find('storefront_record_create', 'storefrontId') }),
  },
  { tool: 'advertiser_create', by: 'buyer', args: () => advertiser },
  {
    tool: 'advertiser_update',
    by: 'buyer',
    args: (made) => ({ advertiserId: advertiserId(made), description: 'Anvils.' }),
  },
  { tool: 'advertiser_get', by: 'buyer', args: (made) => ({ advertiserId: advertiserId(made) }) },
  { tool: 'advertiser_list', by: 'buyer', args: () => ({ take: 1, sandbox: false }) },
  {
    tool: 'discover_products',
    by: 'buyer',
    args: (made) => ({ advertiserId: advertiserId(made), brief: 'Mornings', waitSeconds: 30 }),
  },
  {
    tool: 'browse_products',
    by: 'buyer',
    args: (made) => ({ discoveryId: discoveryId(made), sinceRevision: 0, groupLimit: 1 }),
  },
  {
    tool: 'discovery_add_products',
    by: 'buyer',
    args: (made) => ({ discoveryId: discoveryId(made), products: [{ ...chosen(made), budget: 100 }] }),
  },
  { tool: 'discovery_list_products', by: 'buyer', args: (made) => ({ discoveryId: discoveryId(made) }) },
  {
    tool: 'campaign_create',
    by: 'buyer',
    args: (made) => ({
      advertiserId: advertiserId(made),
      name: 'Winter',
      budget: { total: 1_000 },
      flightDates,
      discoveryId: discoveryId(made),
    }),
  },
  { tool: 'campaign_get', by: 'buyer', args: (made) => ({ campaignId: campaignId(made) }) },
  { tool: 'campaign_list', by: 'buyer', args: (made) => ({ advertiserId: advertiserId(made), take: 10 }) },
  { tool: 'campaign_execute', by: 'buyer', args: (made) => ({ campaignId: campaignId(made) }) },
  { tool: 'campaign_get_media_buy_status', by: 'buyer', args: (made) => ({ campaignId: campaignId(made) }) },
  {
    tool: 'media_buy_get',
    by: 'buyer',
    args: (made) => ({ media_buy_id: made.find('campaign_get_media_buy_status', 'media_buy_id') }),
  },
  {
    tool: 'discovery_remove_products',
    by: 'buyer',
    args: (made) => ({ discoveryId: discoveryId(made), productIds: [chosen(made).productId] }),
  },
  {
    tool: 'webhook_create',
    by: 'buyer',
    args: () => ({
      url: 'https://hooks.example/landed',
      secret: 'sixteen characters and more',
      eventTypes: ['discovery.revision'],
    }),
  },
  { tool: 'webhook_list', by: 'buyer' },
  { tool: 'webhook_delete', by: 'buyer', args: (made) => ({ id: made.find('webhook_create', 'id') }) },
  {
    tool: 'product_delete',
    by: 'seller',
    args: (made) => ({ productId: made.find('product_create', 'productId') }),
  },
  { tool: 'audit_log_list', by: 'buyer', args: () => ({ take: 50, outcome: 'succeeded' }) },
];

/** Time stands still, so that every walk sees the same; what falls due is called in real time. */
const stillClock = {
  now: () => START,
  after: (milliseconds: number, callback: () => void) => {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Walks with one lane, on a server of its own where nothing happened before. */
async function walkOn(server: TestServer, lane: Lane): Promise<ReadonlyMap<string, Outcome>> {
  const seller = await newPerson(server, { roles: ['SELLER'], domain: 'seller.example' });
  const buyer = await newPerson(server, { roles: ['BUYER'], domain: 'buyer.example' });
  const outputs = new Map<string, Fields>();
  const made: Made = { outputs, find: (tool, field) => findText(outputs.get(tool), field) ?? `no ${field}` };
  const outcomes = new Map<string, Outcome>();
  for (const step of walk) {
    const tool = tools.find(({ name }) => name === step.tool);
    if (tool === undefined) throw new Error(`There is no tool ${step.tool}.`);
    const key = (step.by === 'buyer' ? buyer : seller).key;
    const outcome = await lane({ url: server.url, key, tool, args: step.args?.(made) ?? {} });
    outcomes.set(step.tool, outcome);
    outputs.set(step.tool, outcome.content);
  }
  return outcomes;
}

function findText(value: unknown, field: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    if (name === field && (typeof inner === 'string' || typeof inner === 'number')) return String(inner);
    const found = findText(inner, field);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A request and a key have ids of their own on every lane. */
function withoutChance(value: unknown): unknown {
  const text = JSON.stringify(value).replace(/"requestId":"[^"]+"/g, '"requestId":"r"');
  return JSON.parse(text.replace(/api_key:key_[a-z0-9]+/g, 'api_key:k'));
}

describe('every tool', () => {
  const servers: TestServer[] = [];
  const walks = new Map<string, ReadonlyMap<string, Outcome>>();
  beforeAll(async () => {
    // Addresses in answers say the same on every server.
    const settings = { PUBLIC_URL: 'http://market.example' };
    for (const [name, lane] of Object.entries(lanes)) {
      const server = await startTestServer({ clock: stillClock, ids: countingIds(), settings });
      servers.push(server);
      walks.set(name, await walkOn(server, lane));
    }
  });
  afterAll(async () => {
    for (const server of servers) await server.stop();
  });

  test('has a step in the walk', () => {
    const walked = new Set(walk.map(({ tool }) => tool));

    expect(tools.map(({ name }) => name).filter((name) => !walked.has(name))).toEqual([]);
  });

  describe.each(Object.keys(lanes).slice(1))('over %s', (lane) => {
    test.each(walk.map(({ tool }) => tool))('%s gives what REST gives', (name) => {
      const tool = tools.find((one) => one.name === name);
      const rest = walks.get('REST')?.get(name);
      const mcp = walks.get(lane)?.get(name);

      expect(rest).toMatchObject({ status: tool?.rest.status ?? 200, failed: false });
      expect(mcp).toMatchObject({ status: 200, failed: false });
      const output = mcp?.content ?? {};
      // REST may show an output in the contract's wrapping.
      const shown = tool?.rest.shows === undefined ? output : tool.rest.shows.from(output);
      expect(withoutChance(shown)).toEqual(withoutChance(rest?.content));
    });
  });
});
