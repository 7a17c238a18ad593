import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Running, runningCampaign } from '../../support/buying/running-campaign.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('campaign_update with refresh', () => {
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

  const put = (changes: object) => running.buyer.put(`/buyer/campaigns/${running.campaignId}`, changes);
  const asked = () => running.seller.agent.calls.filter(({ tool }) => tool === 'get_media_buys').length;
  const says = (status: string) =>
    running.seller.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'far_1', status, packages: [] }],
    }));

  test('200: asks its sellers, shows what they say, and leaves the campaign at its revision', async () => {
    const before = done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}`)).campaign;
    says('paused');

    const { campaign } = done(await put({ refresh: true }));

    expect(asked()).toBe(1);
    expect(campaign).toMatchObject({ revision: before.revision, mediaBuys: [{ status: 'PAUSED' }] });
    expect(done(await running.buyer.get(`/buyer/campaigns/${running.campaignId}`)).campaign).toMatchObject({
      mediaBuys: [{ status: 'PAUSED' }],
    });
  });

  test('200: false asks nobody', async () => {
    const before = asked();

    done(await put({ refresh: false }));

    expect(asked()).toBe(before);
  });

  test('400: VALIDATION_ERROR for every field beside it, and asks nobody', async () => {
    const before = asked();

    const reply = await put({ refresh: true, name: 'Summer', budget: { total: 2_000 } });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { name: 'Not beside refresh.', budget: 'Not beside refresh.' },
    });
    expect(asked()).toBe(before);
  });

  test('501: NOT_IMPLEMENTED for a directed campaign, of which there are none', async () => {
    const reply = await put({ mode: 'directed', refresh: true });

    expectRefusal(reply, 501, { code: 'NOT_IMPLEMENTED', at: { mode: 'Documented, and not built yet.' } });
  });

  test('200: is over once its sellers say so, and can be asked about all the same', async () => {
    says('completed');

    expect(done(await put({ refresh: true })).campaign).toMatchObject({ status: 'COMPLETED' });
    expect(done(await put({ refresh: true })).campaign).toMatchObject({ status: 'COMPLETED' });
  });
});
