import { afterAll, beforeAll, expect, test } from 'vitest';
import { done } from '../../support/market.ts';
import { type Running, runningCampaign } from '../../support/running-campaign.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let running: Running;
beforeAll(async () => {
  server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  running = await runningCampaign(server);
});
afterAll(async () => {
  await server.stop();
  await running.seller.agent.stop();
});

test('a seller that shows more than was ordered is named with both sums until it shows what was', async () => {
  const { buyer, campaignId, seller } = running;
  const shows = async (budget: number) => {
    const packages = [{ package_id: 'pkg_1', product_id: 'far-1', budget }];
    const media_buys = [{ media_buy_id: 'far_1', status: 'active', packages }];
    seller.agent.on('get_media_buys', () => ({ media_buys }));
    const { media_buys: told } = done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${told[0].media_buy_id}?detail=full`));
    return { told: told[0].source_message, explanation: mediaBuy.explanation };
  };

  const { told, explanation } = await shows(4_000);

  expect(told).toMatch(
    /^Agent shows 4000\.00 USD for pkg_1, where 100\.00 USD were ordered: no more than 100\.00 USD is owed\. Ask /,
  );
  expect(explanation).toBe(`It runs. ${told}`);
  expect(await shows(100)).toEqual({ told: undefined, explanation: 'It runs: nothing is to be done.' });
});
