import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAgent, draftCampaign, newAdvertiser, openStorefront } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { type SellerAgent, startSellerAgent } from '../../support/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('campaign_execute', () => {
  let server: TestServer;
  let far: SellerAgent;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await startSellerAgent();
    const near = await newPerson(server);
    await openStorefront(near);
    await connectAgent(await newPerson(server), far.url);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.stop();
  });

  describe('200', () => {
    test('places one media buy with each seller, under one idempotency key each', async () => {
      const before = far.calls.length;
      const { campaignId } = await draftCampaign(buyer, { advertiserId });

      const { status, body } = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ campaignId, success: true, mediaBuysExecuted: 2 });
      const campaign = await buyer.get(`/buyer/campaigns/${campaignId}`);
      expect(campaign.body.data.campaign.mediaBuys).toHaveLength(2);
      const orders = far.calls.slice(before).filter(({ tool }) => tool === 'create_media_buy');
      expect(orders).toHaveLength(1);
      expect(orders[0]?.args['idempotency_key']).toMatch(/^mb_\w+\.attempt-1$/);
    });
  });

  describe('409', () => {
    test('CONFLICT for one of two calls at once, and no second buy at any seller', async () => {
      const before = far.buys.size;
      const { campaignId } = await draftCampaign(buyer, { advertiserId });

      const answers = await Promise.all([
        buyer.post(`/buyer/campaigns/${campaignId}/execute`),
        buyer.post(`/buyer/campaigns/${campaignId}/execute`),
      ]);

      expect(far.buys.size).toBe(before + 1);
      const { body } = await buyer.get(`/buyer/campaigns/${campaignId}`);
      expect(body.data.campaign.mediaBuys).toHaveLength(2);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused.every(({ body: { error } }) => error.code === 'CONFLICT')).toBe(true);
    });
  });
});
