import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done } from '../../support/market.ts';
import { expectRefusal } from '../../support/refusals.ts';
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
      mediaBuys: [
        {
          ...totals,
          status: 'ACTIVE',
          sandbox: false,
          source: 'direct_agent',
          lastUpdated: expect.any(String),
        },
      ],
    });
  });

  test('asks for the days and placements that are named, and keeps its own sums', async () => {
    const sums = (await delivery()).totals;
    running.seller.agent.on('get_media_buy_delivery', ({ start_date }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: 'far_1',
          totals: start_date === undefined ? sums : { impressions: 10, spend: 1.5, clicks: 1 },
          by_package: [
            {
              package_id: 'pkg_1',
              by_placement: [
                { placement_id: 'low', impressions: 1, spend: 0.5, clicks: 0 },
                { placement_id: 'top', impressions: 9, spend: 1, clicks: 1, conversions: 2 },
              ],
            },
          ],
        },
      ],
    }));
    const path = `/buyer/campaigns/${running.campaignId}/delivery`;
    const query = 'startDate=2026-12-10&endDate=2026-12-11&placementBreakdown=true&placementLimit=1';

    const part = done(await running.buyer.get(`${path}?${query}&placementSortBy=clicks`)).delivery;

    expect(part).toMatchObject({
      totals: { impressions: 10, spend: 1.5, clicks: 1 },
      mediaBuys: [
        {
          impressions: 10,
          placements: [
            { placementId: 'top', packageId: 'pkg_1', impressions: 9, spend: 1, clicks: 1, conversions: 2 },
          ],
        },
      ],
    });
    const asked = running.seller.agent.calls.filter(({ tool }) => tool === 'get_media_buy_delivery');
    expect(asked.at(-1)?.args).toMatchObject({
      start_date: '2026-12-10',
      end_date: '2026-12-11',
      reporting_dimensions: { placement: { limit: 1, sort_by: 'clicks' } },
    });
    expect((await delivery()).totals).toMatchObject({ impressions: sums.impressions });
  });

  test('says which seller tells nothing of the days', async () => {
    running.seller.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));

    const path = `/buyer/campaigns/${running.campaignId}/delivery?startDate=2026-11-01`;
    const { totals, mediaBuys } = done(await running.buyer.get(path)).delivery;

    expect(totals).toMatchObject({ impressions: 0 });
    expect(mediaBuys).toMatchObject([{ error: 'The seller says nothing of this.' }]);
    expect(mediaBuys[0]).not.toHaveProperty('impressions');
  });

  test.each([
    ['startDate=2026-12-11&endDate=2026-12-10', 'endDate'],
    ['placementLimit=3', 'placementBreakdown'],
    ['startDate=tomorrow', 'startDate'],
  ])('400 VALIDATION_ERROR for %s', async (query, field) => {
    const reply = await running.buyer.get(`/buyer/campaigns/${running.campaignId}/delivery?${query}`);

    expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', field });
  });

  test('lets the last figures stand where the seller does not answer, and says so', async () => {
    running.seller.agent.on('get_media_buys', () => ({ nothing: true }));

    expect(await delivery()).toMatchObject({
      totals: { impressions: 2_000 },
      mediaBuys: [{ impressions: 2_000, source: 'refresh_failed', error: expect.any(String) }],
    });
  });
});
