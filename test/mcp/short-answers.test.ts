import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { messagesOf, type RawClient, rawClient, stateless } from '../support/mcp/mcp.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

/** What the answer to a question that nobody narrowed may cost a model. */
const TOKENS_MAX = 2_000;
/** What a token of English and JSON comes to. */
const BYTES_A_TOKEN = 4;
const ROWS = 50;
const PAGE = 20;

const BRIEF =
  'Reach commuters between 25 and 54 in the larger cities on weekday mornings, before they start to work: ' +
  'display and audio beside news and traffic, no gambling and no politics, brand-safe inventory alone.';
const DESCRIPTION =
  'Run of site, above the fold, on the news pages of a regional publisher: 300x250 and 728x90, viewable at 70 % ' +
  'and more, targeted by country and by device. Delivered evenly over the flight.';

describe('the default answer over MCP, of an account with fifty of each', () => {
  let server: TestServer;
  let client: RawClient;
  let owner: Person;
  let campaignId: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer({ own: true, settings: { RATE_LIMIT_AUTH: '1000000' } });
    client = rawClient(server.url);
    owner = await newPerson(server);
    const products = numbers.map((n) =>
      productFields({ name: `Morning display, placement ${n}`, description: DESCRIPTION }),
    );
    await openStorefront(owner, { products });
    for (const n of numbers) await oneMore(n);
    await choice();
  });
  afterAll(async () => {
    client.close();
    await server.stop();
  });

  const numbers = Array.from({ length: ROWS }, (_, n) => n + 1);

  async function oneMore(n: number): Promise<void> {
    const advertiserId = await newAdvertiser(owner, {
      name: `Acme Outdoor Sports, line ${n}`,
      brand: `line-${n}.acme.example`,
    });
    await owner.post('/buyer/campaigns', {
      advertiserId,
      name: `Winter season of commuters, week ${n}`,
      brief: BRIEF,
      flightDates,
      budget: { total: 10_000 + n, dailyCap: 1_000 },
    });
    await owner.put(`/buyer/advertisers/${advertiserId}`, {
      name: `Acme Outdoor Sports, line ${n}, renamed`,
    });
    const url = `https://hooks.acme.example/deliveries/of/line-${n}`;
    done(
      await owner.post('/buyer/webhook-subscriptions', {
        url,
        secret: 'sixteen characters',
        eventTypes: ['discovery.revision', 'campaign.updated'],
      }),
    );
    const source = { name: `Desk ${n} of the newsroom`, executionType: 'MANAGED_SALES_AGENT' };
    await owner.post('/storefront/inventory-sources', source);
  }

  async function choice(): Promise<void> {
    const advertiserId = await newAdvertiser(owner);
    const found = done(
      await owner.post('/buyer/discovery/discover-products', {
        advertiserId,
        brief: BRIEF,
        waitSeconds: 30,
        productsPerGroup: 15,
      }),
    );
    discoveryId = found.discoveryId;
    const chosen = found.productGroups.flatMap(({ products }: { products: { productId: string }[] }) =>
      products.map(({ productId }) => ({ productId, budget: 100 })),
    );
    done(await owner.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));
    const made = done(
      await owner.post('/buyer/campaigns', {
        advertiserId,
        name: 'Winter',
        flightDates,
        budget: { total: 10_000 },
        discoveryId,
      }),
    );
    campaignId = made.campaign.campaignId;
    done(await owner.post(`/buyer/campaigns/${campaignId}/execute`));
  }

  async function answerOf(tool: string, args: object, at = 'buyer') {
    const request = stateless(owner.key, 'tools/call', { name: tool, arguments: args });
    const answer = await client.send({ path: `/mcp/v2/${at}`, ...request });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
    const [message] = messagesOf(answer) as [any];
    expect(message.result.isError, JSON.stringify(message)).toBeUndefined();
    return message.result.structuredContent;
  }
  const mine = () => ({ campaignId });
  const session = () => ({ discoveryId });
  const nothing = () => ({});

  test.each([
    ['advertiser_list', nothing],
    ['campaign_list', nothing],
    ['webhook_list', nothing],
    ['audit_log_list', nothing],
    ['storefront_list', nothing],
    ['portfolio_get', nothing],
    ['discovery_list_products', session],
    ['discover_products', session],
    ['browse_products', session],
    ['campaign_get', mine],
    ['campaign_list_products', mine],
    ['campaign_get_media_buy_status', mine],
    ['capability_search', () => ({ query: 'campaign' })],
    ['help', nothing],
    ['storefront_audit_log_list', nothing, 'storefront'],
    ['inventory_source_list', nothing, 'storefront'],
    ['product_list', nothing, 'storefront'],
    ['storefront_record_get', nothing, 'storefront'],
  ] as const)('of %s costs 2,000 tokens at the most', async (tool, args, at: string = 'buyer') => {
    const answer = await answerOf(tool, args(), at);
    expect(Buffer.byteLength(JSON.stringify(answer)) / BYTES_A_TOKEN).toBeLessThanOrEqual(TOKENS_MAX);
  });

  test('is a page of twenty, however many a list has, and a larger one for who asks for it', async () => {
    const length = async (args: object) => (await answerOf('audit_log_list', args)).logs.length;

    expect(await length({})).toBe(PAGE);
    expect(await length({ skip: 1 })).toBe(PAGE);
    expect(await length({ take: 30 })).toBe(30);
    expect(await length({ limit: 30 })).toBe(30);
    expect(done(await owner.get('/buyer/audit-logs')).logs).toHaveLength(ROWS);
    expect((await answerOf('advertiser_list', {})).nextOffset).toBe(PAGE);
  });

  test('names of an entry of the log what has a value, and what changed without how', async () => {
    const asked = { actions: ['UPDATE'], resourceTypes: ['ADVERTISER'], take: 1 };
    const [short] = (await answerOf('audit_log_list', asked)).logs;
    const [full] = (await answerOf('audit_log_list', { ...asked, detail: 'full' })).logs;

    expect(short).toEqual({
      id: full.id,
      timestamp: full.timestamp,
      action: 'UPDATE',
      outcome: 'succeeded',
      resourceType: 'ADVERTISER',
      resourceId: full.resourceId,
      resourceName: full.resourceName,
      advertiserId: full.advertiserId,
      actorName: full.actorName,
      description: 'Update advertiser',
      changed: 'name',
    });
    expect(full).toMatchObject({ errorCode: null, tool: 'advertiser_update', changes: { name: {} } });
    expect(full).not.toHaveProperty('changed');
  });
});
