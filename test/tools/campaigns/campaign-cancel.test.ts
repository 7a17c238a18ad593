import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { putStatus } from '../../support/campaign-status.ts';
import { done } from '../../support/market.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { putBuys, type Running, runningCampaign } from '../../support/running-campaign.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('campaign_cancel', () => {
  let server: TestServer;
  let running: Running;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    running = await runningCampaign(server);
    await putStatus(server, running.buyer, { campaignId: running.campaignId, status: 'ACTIVE' });
    await putBuys(server, { campaignId: running.campaignId, status: 'ACTIVE' });
  });
  afterEach(() => running.seller.agent.stop());
  afterAll(() => server.stop());

  const ask = () => running.buyer.post(`/buyer/campaigns/${running.campaignId}/cancel`);
  const statusOf = async () =>
    done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}`)).campaign.status;

  test('200: the campaign is CANCELED once its seller was told', async () => {
    running.seller.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));

    expect((await ask()).status).toBe(200);

    expect(await statusOf()).toBe('CANCELED');
    const told = running.seller.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
    expect(told.map(({ args }) => args)).toMatchObject([{ media_buy_id: 'far_1', canceled: true }]);
  });

  test('422 CAPABILITY_NOT_SUPPORTED where a seller has no way to change what it sold, and nothing is changed', async () => {
    expectRefusal(await ask(), 422, { code: 'CAPABILITY_NOT_SUPPORTED' });

    expect(await statusOf()).toBe('ACTIVE');
  });

  test('422 VERSION_UNSUPPORTED where a seller speaks another major version alone', async () => {
    running.seller.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    running.seller.agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));

    expectRefusal(await ask(), 422, { code: 'VERSION_UNSUPPORTED' });
  });

  test('409 CONFLICT for a campaign that is archived', async () => {
    await putStatus(server, running.buyer, { campaignId: running.campaignId, status: 'ARCHIVED' });

    expectRefusal(await ask(), 409, { code: 'CONFLICT' });
  });
});
