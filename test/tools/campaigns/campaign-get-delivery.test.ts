import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done } from '../../support/market.ts';
import { type Running, runningCampaign } from '../../support/running-campaign.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('campaign_get_delivery', () => {
  let server: TestServer;
  let running: Running;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    running = await runningCampaign(server);
    const entry = { media_buy_id: 'far_1', status: 'active', packages: [] };
    running.seller.agent.on('get_media_buys', () => ({ media_buys: [entry] }));
  });
  afterAll(async () => {
    await server.stop();
    await running.seller.agent.stop();
  });

  const delivery = async () =>
    done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery`)).delivery;

  test('200: gives what the seller says at this moment, for each media buy and in all', async () => {
    const totals = { impressions: 2_000, spend: 10.5, clicks: 4 };
    running.seller.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [{ media_buy_id: 'far_1', totals }],
    }));

    expect(await delivery()).toMatchObject({
      currency: 'USD',
      totals: { ...totals, cpm: 5.25, ctr: 0.002 },
      mediaBuys: [{ ...totals, status: 'ACTIVE', source: 'direct_agent', lastUpdated: expect.any(String) }],
    });
  });

  test('lets the last figures stand where the seller does not answer, and says so', async () => {
    running.seller.agent.on('get_media_buys', () => ({ nothing: true }));

    expect(await delivery()).toMatchObject({
      totals: { impressions: 2_000 },
      mediaBuys: [{ impressions: 2_000, source: 'refresh_failed', error: expect.any(String) }],
    });
  });
});
