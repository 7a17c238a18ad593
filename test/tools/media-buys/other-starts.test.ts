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

test('another start of a media buy is told by its history, and by the log once', async () => {
  const { buyer, campaignId, seller } = running;
  const before = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys[0];
  const { mediaBuyId, startTime, endTime } = before;
  const later = new Date(Date.parse(startTime) + 172_800_000).toISOString();
  let shown = { media_buy_id: 'far_1', status: 'active', packages: [], start_time: startTime };
  seller.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
  seller.agent.on('update_media_buy', () => {
    shown = { ...shown, start_time: later };
    return shown;
  });
  const asked = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
  await asked();

  done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { start_time: later }));
  await asked();
  await asked();

  const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`));
  expect(mediaBuy.history.slice(0, 2)).toMatchObject([
    { start_time: later, end_time: endTime },
    { start_time: startTime, end_time: endTime },
  ]);
  const { logs } = done(await buyer.get(`/buyer/audit-logs?resourceId=${mediaBuyId}`));
  expect(logs.filter(({ changes }: { changes: object }) => Object.keys(changes).length === 0)).toEqual([]);
});
