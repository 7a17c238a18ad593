import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Running, runningCampaign } from '../../support/buying/running-campaign.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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

const AS_ORDERED = { told: undefined, explanation: 'It runs: nothing is to be done.' };

function delivers(spend: number): void {
  running.seller.agent.on('get_media_buy_delivery', () => ({
    media_buy_deliveries: [{ media_buy_id: 'far_1', totals: { impressions: 9, spend, clicks: 0 } }],
  }));
}

async function shown(budget: number) {
  const { buyer, campaignId, seller } = running;
  const packages = [{ package_id: 'pkg_1', product_id: 'far-1', budget }];
  const media_buys = [{ media_buy_id: 'far_1', status: 'active', packages }];
  seller.agent.on('get_media_buys', () => ({ media_buys }));
  const { media_buys: told } = done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  const mediaBuyId = told[0].media_buy_id;
  const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`));
  return { told: told[0].source_message, explanation: mediaBuy.explanation, mediaBuyId };
}

async function shows(budget: number) {
  const { told, explanation } = await shown(budget);
  return { told, explanation };
}

test('a seller that shows more than was ordered is named with both sums until it shows what was', async () => {
  const { told, explanation } = await shows(4_000);

  expect(told).toMatch(
    /^Agent shows 4000\.00 USD for pkg_1, where 100\.00 USD were ordered: no more than 100\.00 USD is owed\. Ask /,
  );
  expect(explanation).toBe(`It runs. ${told}`);
  expect(await shows(100)).toEqual(AS_ORDERED);
});

test('a seller that delivers for more than was ordered is named while it runs, with both sums', async () => {
  delivers(150);

  const { told, explanation } = await shows(100);

  expect(told).toMatch(
    /^Agent delivered for 150\.00 USD, where 100\.00 USD were ordered: no more than 100\.00 USD is owed\. Ask the seller, naming sf:\S+\.$/,
  );
  expect(explanation).toBe(`It runs. ${told}`);
  delivers(100);
  expect(await shows(100)).toEqual(AS_ORDERED);
});

test('a seller that shows less than was ordered is named until the buyer asks for what it shows', async () => {
  const { buyer, seller } = running;
  delivers(50);
  await shows(100);
  expect((await shown(10)).told).toMatch(
    /which stay bound\. Ask the seller, naming sf:\S+, to show what was ordered\.$/,
  );
  delivers(5);

  const { told, explanation, mediaBuyId } = await shown(10);

  expect(told).toMatch(
    /^Agent shows 10\.00 USD for pkg_1, where 100\.00 USD were ordered, which stay bound\. Ask the seller, naming sf:\S+, to show what was ordered; or ask for what it shows with media_buy_update, which releases the rest\.$/,
  );
  expect(explanation).toBe(`It runs. ${told}`);
  expect(await shows(99.5)).toEqual(AS_ORDERED);
  await shown(10);
  seller.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1', status: 'active' }));
  const packages = [{ packageId: 'pkg_1', budget: 10 }];
  const { mediaBuy } = done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages }));
  expect(mediaBuy).toMatchObject({ budget: 10 });
  expect(await shows(10)).toEqual(AS_ORDERED);
});
