import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { discover, draftOf } from '../support/sellers/discovery.ts';
import { connectAgent, done, flightDates, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct, type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

describe('a seller that has closed', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  const opened: SellerAgent[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => Promise.all(opened.splice(0).map((agent) => agent.stop())));
  afterAll(() => server.stop());

  interface Shop {
    readonly agent: SellerAgent;
    readonly seller: Person;
    readonly sourceId: string;
    readonly storefrontId: string;
    readonly campaignId: string;
  }

  async function shop(): Promise<Shop> {
    const agent = await startSellerAgent([adcpProduct('far-1')]);
    opened.push(agent);
    const seller = await newPerson(server);
    const { storefrontId, agentId, sourceId } = await connectAgent(seller, agent.url);
    const campaignId = await draftOf(buyer, { advertiserId, storefrontId, agentId, productId: 'far-1' });
    return { agent, seller, sourceId, storefrontId, campaignId };
  }

  const execute = async (campaignId: string) =>
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
  const ordersAt = ({ calls }: SellerAgent) => calls.filter(({ tool }) => tool === 'create_media_buy');
  const statusOf = async (campaignId: string) =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const archive = (seller: Person, archived_at: string | null) =>
    server.store.db
      .updateTable('storefronts')
      .set({ archived_at })
      .where('organization_id', '=', seller.organizationId)
      .execute();

  const expectClosed = (reply: Parameters<typeof expectRefusal>[0]) =>
    expectRefusal(reply, 409, { code: 'CONFLICT', words: 'Agent takes no orders at present.' });

  const closures: readonly [string, (shop: Shop) => Promise<unknown>, (shop: Shop) => Promise<unknown>][] = [
    [
      'is paused',
      async ({ seller }) => done(await seller.put('/storefront', { isPaused: true })),
      async ({ seller }) => done(await seller.put('/storefront', { isPaused: false })),
    ],
    [
      'does not transact any more',
      async ({ seller }) => done(await seller.put('/storefront', { transacting: false })),
      async ({ seller }) => done(await seller.put('/storefront', { transacting: true })),
    ],
    [
      'has disabled its source',
      async ({ seller, sourceId }) =>
        done(await seller.put(`/storefront/inventory-sources/${sourceId}`, { status: 'DISABLED' })),
      async ({ seller, sourceId }) =>
        done(await seller.put(`/storefront/inventory-sources/${sourceId}`, { status: 'ACTIVE' })),
    ],
    [
      'is archived',
      ({ seller }) => archive(seller, '2026-12-01T00:00:00.000Z'),
      ({ seller }) => archive(seller, null),
    ],
  ];

  test.each(closures)('because it %s gets no new order until it opens again', async (_how, close, open) => {
    const it = await shop();
    await close(it);

    const refused = await buyer.post(`/buyer/campaigns/${it.campaignId}/execute`);
    const kept = ordersAt(it.agent).length;
    const { media_buys } = await statusOf(it.campaignId);
    await open(it);
    const again = await execute(it.campaignId);

    expectClosed(refused);
    expect({ kept, media_buys }).toEqual({ kept: 0, media_buys: [] });
    expect(again).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(ordersAt(it.agent)).toHaveLength(1);
  });

  test.each(closures)('because it %s is not chosen from until it opens again', async (_how, close, open) => {
    const it = await shop();
    const part = { product_id: 'far-1', allocation_percentage: 100 };
    const proposals = [{ proposal_id: 'plan', name: 'Plan', description: 'All of it.', allocations: [part] }];
    it.agent.on('get_products', () => ({ products: [adcpProduct('far-1')], proposals }));
    const fields = { advertiserId, storefrontIds: [it.storefrontId], waitSeconds: 30 };
    const { discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields));
    const session = `/buyer/discovery/${discoveryId}`;
    const add = () => buyer.post(`${session}/products`, { products: [{ productId: 'far-1' }] });
    const apply = () => buyer.post(`${session}/apply-proposal`, { proposalId: 'plan', totalBudget: 100 });
    await close(it);

    const refused = [await add(), await apply()];
    const { totalProducts } = done(await buyer.get(`${session}/products`));
    await open(it);

    for (const reply of refused) {
      expectClosed(reply);
      expect(reply.text).toContain('Leave out what they sell, or wait until they are open again');
    }
    expect(totalProducts).toBe(0);
    expect(done(await add())).toMatchObject({ totalProducts: 1 });
    expect(done(await apply())).toMatchObject({ productsApplied: 1 });
  });

  test('is named for each product of it that a new campaign asks for, chosen before or not', async () => {
    const it = await shop();
    it.agent.on('get_products', () => ({ products: [adcpProduct('far-1'), adcpProduct('far-2')] }));
    const { discoveryId } = await discover(buyer, advertiserId, [it.storefrontId]);
    done(
      await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [{ productId: 'far-2' }] }),
    );
    const fields = { advertiserId, name: 'Winter', budget: { total: 100 }, flightDates, discoveryId };
    const create = (more: object = {}) => buyer.post('/buyer/campaigns', { ...fields, ...more });
    done(await it.seller.put('/storefront', { isPaused: true }));

    const chosenBefore = await create({ productIds: ['far-2'] });
    const both = await create({ productIds: ['far-1', 'far-2'] });

    const words = 'Agent takes no orders at present.';
    const code = 'CONFLICT';
    expectRefusal(chosenBefore, 409, { code, at: { 'productIds.0': words } });
    expectRefusal(both, 409, { code, at: { 'productIds.0': words, 'productIds.1': words } });
    expect(both.text).toContain('Leave out what they sell, or wait until they are open again');
    // What was chosen before and is not asked for is no matter of this call: a draft can wait until it opens.
    expect(done(await create()).campaign.warnings).toMatchObject([expect.stringContaining(words)]);
  });

  test('gets no further order either after it refused one', async () => {
    const it = await shop();
    it.agent.on('create_media_buy', () => ({ errors: [{ code: 'INVALID_REQUEST', message: 'No.' }] }));
    await execute(it.campaignId);
    done(await it.seller.put('/storefront', { isPaused: true }));

    expectClosed(await buyer.post(`/buyer/campaigns/${it.campaignId}/execute`));

    expect(ordersAt(it.agent)).toHaveLength(1);
  });

  test.each(closures)(
    'because it %s is asked again about an order it may have taken',
    async (_how, close) => {
      const it = await shop();
      it.agent.on('create_media_buy', () => ({ thanks: true }));
      await execute(it.campaignId);
      await close(it);
      it.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));

      const { success } = await execute(it.campaignId);

      expect(success).toBe(true);
      const keys = ordersAt(it.agent).map(({ args }) => args['idempotency_key']);
      expect(keys).toHaveLength(2);
      expect(new Set(keys).size).toBe(1);
    },
  );

  test('because it disabled its source keeps no connection of ours, and is greeted anew when it opens', async () => {
    const { agent, seller, sourceId, campaignId } = await shop();
    const status = (status: string) => seller.put(`/storefront/inventory-sources/${sourceId}`, { status });
    const requestsOf = async (work: () => Promise<unknown>) => {
      const before = agent.requests;
      await work();
      return agent.requests - before;
    };
    await execute(campaignId);
    const kept = await requestsOf(() => statusOf(campaignId));
    done(await status('DISABLED'));
    done(await status('ACTIVE'));

    const greeted = await requestsOf(() => statusOf(campaignId));

    expect(greeted).toBeGreaterThan(kept);
    expect(await requestsOf(() => statusOf(campaignId))).toBe(kept);
  });

  test.each(closures)('because it %s is still asked how a buy stands', async (_how, close) => {
    const it = await shop();
    await execute(it.campaignId);
    const [[, buy]] = [...it.agent.buys] as [[string, object]];
    await close(it);
    it.agent.on('get_media_buys', () => ({ media_buys: [{ ...buy, status: 'paused' }] }));

    const { media_buys } = await statusOf(it.campaignId);

    expect(media_buys).toMatchObject([{ status_refresh_source: 'direct_agent', internal_status: 'PAUSED' }]);
  });
});
