import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** The record of the interface, Resources: Media buy; the last two lines are our own. */
const FIELDS = [
  ...['media_buy_id', 'customer_id', 'name', 'status', 'created_at', 'updated_at'],
  ...['version_hash', 'valid_from', 'updated_by'],
  ...['start_time', 'end_time', 'products', 'packages', 'creatives', 'optimization_goals'],
  ...['productValidationDebug', 'adcp', 'performance', 'sandbox'],
  ...['standing', 'history', 'changes'],
  ...['budget', 'budget_currency', 'budget_denomination', 'budget_breakdown'],
];

const BUDGET = { budget: 100.01, budget_currency: 'USD' };
const PARTS = {
  budget_denomination: 'gross',
  budget_breakdown: {
    media_budget: 100.01,
    fee_amount: 0,
    fee_rate_percent: 0,
    effective_gross_cpm: null,
  },
};

const WAITS_FOR_CREATIVES =
  'Agent took the order and waits for creatives: nothing is delivered until it has them. You: give them to the seller.';

describe('media_buy_get', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let mediaBuyId: string;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, each: 100.01 }));
    mediaBuyId = await executed(buyer, campaignId);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const record = async () => {
    const call = { name: 'media_buy_get', arguments: { media_buy_id: mediaBuyId } };
    return (await callTool(server, buyer, call)).structuredContent;
  };

  describe('200', () => {
    test('gives over MCP exactly the fields of the interface, where it stands, and its history', async () => {
      const buy = await record();

      expect(Object.keys(buy).sort()).toEqual([...FIELDS].sort());
      expect(Object.keys(buy.adcp)).toEqual(['media_buy_id', 'status']);
      expect(Object.keys(buy.performance)).toEqual(['impressions', 'spend', 'clicks']);
    });

    test('gives over MCP what was ordered, what the seller made of it, and where it stands', async () => {
      const moment = expect.stringMatching(/^2026-12-01T\d\d:\d\d:\d\d\.\d{3}Z$/);

      expect(await record()).toEqual({
        media_buy_id: mediaBuyId,
        customer_id: buyer.accounts.BUYER,
        name: 'Winter – Agent',
        status: 'ACTIVE',
        created_at: moment,
        updated_at: moment,
        version_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
        valid_from: moment,
        updated_by: 'seller',
        start_time: '2026-12-10T00:00:00.000Z',
        end_time: '2026-12-31T00:00:00.000Z',
        ...BUDGET,
        ...PARTS,
        products: [
          {
            product_id: 'far-1',
            product_name: 'Product far-1',
            sales_agent_id: far.agentId,
            sales_agent_name: 'Agent',
            budget: 100.01,
            pricing_option_id: 'far-1-cpm',
            display_order: 1,
            creative_formats: [{ agent_url: 'https://creative.example', id: 'display_300x250' }],
          },
        ],
        packages: [
          {
            package_id: 'far_pkg_1_1',
            product_id: 'far-1',
            budget: 100.01,
            status: 'active',
            product_ids: ['far-1'],
            creatives: [],
            created_at: moment,
            sales_agent_id: far.agentId,
            sales_agent_name: 'Agent',
          },
        ],
        creatives: [],
        optimization_goals: [],
        productValidationDebug: [],
        adcp: { media_buy_id: 'far_buy_1', status: 'pending_creatives' },
        performance: { impressions: 0, spend: 0, clicks: 0 },
        sandbox: false,
        standing: {
          pendingReason: 'no_creatives_attached',
          pendingSince: moment,
          forwardedAt: moment,
          buyerReference: `sf:${far.storefrontId}:${mediaBuyId}`,
          explanation: WAITS_FOR_CREATIVES,
        },
        history: [
          {
            valid_from: moment,
            status: 'ACTIVE',
            budget: 100.01,
            start_time: '2026-12-10T00:00:00.000Z',
            end_time: '2026-12-31T00:00:00.000Z',
            updated_by: 'seller',
          },
          {
            valid_from: moment,
            valid_to: moment,
            status: 'DRAFT',
            budget: 100.01,
            start_time: '2026-12-10T00:00:00.000Z',
            end_time: '2026-12-31T00:00:00.000Z',
            updated_by: expect.stringMatching(/^api_key:/),
          },
        ],
        changes: [],
      });
    });

    test('leaves out in the compact form what nobody decides by', async () => {
      const call = { name: 'media_buy_get', arguments: { media_buy_id: mediaBuyId, detail: 'compact' } };

      expect((await callTool(server, buyer, call)).structuredContent).toEqual({
        media_buy_id: mediaBuyId,
        name: 'Winter – Agent',
        status: 'ACTIVE',
        start_time: '2026-12-10T00:00:00.000Z',
        end_time: '2026-12-31T00:00:00.000Z',
        ...BUDGET,
        products: [
          {
            product_id: 'far-1',
            product_name: 'Product far-1',
            sales_agent_id: far.agentId,
            sales_agent_name: 'Agent',
            budget: 100.01,
            pricing_option_id: 'far-1-cpm',
          },
        ],
        packages: [{ package_id: 'far_pkg_1_1', product_id: 'far-1', budget: 100.01 }],
        adcp: { media_buy_id: 'far_buy_1', status: 'pending_creatives' },
        performance: { impressions: 0, spend: 0, clicks: 0 },
        sandbox: false,
        standing: {
          pendingReason: 'no_creatives_attached',
          buyerReference: `sf:${far.storefrontId}:${mediaBuyId}`,
          explanation: WAITS_FOR_CREATIVES,
        },
      });
    });

    test('keeps its version_hash until something changes', async () => {
      const before = await record();
      await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`);
      expect(await record()).toEqual(before);

      far.agent.on('get_media_buys', () => ({
        media_buys: [{ media_buy_id: 'far_buy_1', status: 'active', packages: [] }],
      }));
      await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`);

      const after = await record();
      expect(after).toMatchObject({ adcp: { status: 'active' }, packages: before.packages });
      expect(after.version_hash).not.toBe(before.version_hash);
    });

    test('gives over REST the same in the words of its contract', async () => {
      const buy = await record();

      const { status, body } = await buyer.get(`/buyer/media-buys/${mediaBuyId}`);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: {
          mediaBuy: {
            mediaBuyId,
            name: buy.name,
            status: buy.status,
            salesAgentId: far.agentId,
            salesAgentName: 'Agent',
            startTime: buy.start_time,
            endTime: buy.end_time,
            budget: 100.01,
            budgetCurrency: 'USD',
            ...PARTS,
            products: [
              {
                productId: 'far-1',
                productName: 'Product far-1',
                pricingOptionId: 'far-1-cpm',
                budget: 100.01,
              },
            ],
            packages: [
              {
                packageId: 'far_pkg_1_1',
                productId: 'far-1',
                productName: 'Product far-1',
                status: 'active',
                budget: 100.01,
              },
            ],
            adcpMediaBuyId: 'far_buy_1',
            adcpStatus: buy.adcp.status,
            performance: buy.performance,
            sandbox: false,
            createdAt: buy.created_at,
            updatedAt: buy.updated_at,
            versionHash: buy.version_hash,
            ...buy.standing,
            optimizationGoals: [],
            history: buy.history,
            changes: [],
          },
        },
        error: null,
      });
    });
  });

  describe('404', () => {
    test('NOT_FOUND for a media buy of another organization, the seller’s own id, and one that never was', async () => {
      const stranger = await newPerson(server);

      const foreign = await stranger.get(`/buyer/media-buys/${mediaBuyId}`);

      expectRefusal(foreign, 404, { code: 'NOT_FOUND', words: 'No such media buy.' });
      expect((await stranger.get('/buyer/media-buys/mb_nowhere')).body).toEqual(foreign.body);
      expect((await buyer.get('/buyer/media-buys/far_buy_1')).body).toEqual(foreign.body);
    });

    test('NOT_FOUND over MCP is an error of the tool that a model can read', async () => {
      const call = { name: 'media_buy_get', arguments: { media_buy_id: 'mb_nowhere' } };

      const result = await callTool(server, buyer, call);

      expect(result).toMatchObject({
        isError: true,
        content: [{ type: 'text' }],
        structuredContent: { code: 'NOT_FOUND', recovery: 'correctable' },
      });
    });
  });
});
