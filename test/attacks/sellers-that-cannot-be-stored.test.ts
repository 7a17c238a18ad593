import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { setNamesFree } from '../support/sellers/names-set-free.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUY = { media_buy_id: 'far_1', status: 'active', packages: [] };

describe('a seller whose answer no row can hold', () => {
  let server: TestServer;
  let honest: FarSeller;
  let hostile: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    honest = await farSeller(server, 'Honest');
    hostile = await farSeller(server, 'Hostile');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([honest, hostile].map(({ agent }) => agent.stop()));
  });

  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const draft = async (sellers: readonly FarSeller[], campaign: object = {}) => {
    const storefrontIds = sellers.map(({ storefrontId }) => storefrontId);
    return (await draftCampaign(buyer, { advertiserId, storefrontIds, campaign })).campaignId;
  };

  test.each([
    ['an id with U+0000', { ...BUY, media_buy_id: 'far\u0000_1' }],
    ['an id with half a pair', { ...BUY, media_buy_id: 'far\ud800' }],
    ['an id that is too long', { ...BUY, media_buy_id: 'x'.repeat(256) }],
    ['a task id with U+0000', { status: 'submitted', task_id: 'task\u0000' }],
  ])('with %s hides nothing of another seller’s success, and stays unresolved', async (_what, answer) => {
    hostile.agent.on('create_media_buy', () => answer);
    const campaignId = await draft([honest, hostile]);

    const { status, body } = await execute(campaignId);

    expect(status).toBe(200);
    expect(body.data).toMatchObject({ newStatus: 'ACTIVE', mediaBuysExecuted: 1 });
    const bySeller = new Map(
      body.data.mediaBuys.map((buy: { salesAgentId: string }) => [buy.salesAgentId, buy] as const),
    );
    expect(bySeller.get(honest.agentId)).toMatchObject({ status: 'ACTIVE' });
    expect(bySeller.get(hostile.agentId)).toMatchObject({ status: 'FAILED', unresolved: true });
  });

  test('has its words bounded, and freed of what steers a display', async () => {
    hostile.agent.on('create_media_buy', () => ({
      ...BUY,
      media_buy_status: `\u001b[31m\u202e${'x'.repeat(300_000)}`,
      packages: Array.from({ length: 5_000 }, (_, index) => ({ package_id: `p${index}`, budget: -5 })),
    }));
    const campaignId = await draft([hostile]);

    const { body } = await execute(campaignId);

    const { mediaBuyId } = body.data.mediaBuys[0];
    const rows = await server.store.db
      .selectFrom('media_buys')
      .select(['adcp_status', 'packages'])
      .where('organization_id', '=', buyer.organizationId)
      .where('id', '=', mediaBuyId)
      .execute();
    expect(rows[0]?.adcp_status).toMatch(/^\[31m x+…$/);
    expect(rows[0]?.adcp_status?.length).toBeLessThanOrEqual(64);
    const packages = JSON.parse(rows[0]?.packages ?? '');
    // Twice the one that was ordered, and sixty.
    expect(packages).toHaveLength(62);
    expect(packages[0]).toMatchObject({ budget_minor: null });
  });

  test('that claims far more spend than was ordered is not believed', async () => {
    hostile.agent.on('create_media_buy', () => BUY);
    hostile.agent.on('get_media_buys', () => ({ media_buys: [BUY] }));
    hostile.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [{ media_buy_id: 'far_1', totals: { impressions: 1, spend: 1e9, clicks: 1 } }],
    }));
    const campaignId = await draft([hostile]);
    await setNamesFree(server);
    await execute(campaignId);

    const news = done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];

    const record = done(await buyer.get(`/buyer/media-buys/${news.media_buy_id}`)).mediaBuy;
    expect(record.performance).toMatchObject({ spend: 0, impressions: 0 });
    expect(news.source_message).toContain('more than twice the budget');
  });
});
