import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import {
  done,
  draftCampaign,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** What sellers count beside, where they count nothing. */
const NO_COUNTS = { views: 0, completedViews: 0, conversions: 0, leads: 0 };

describe('campaign_get', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let agentId: string;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const products = ['First', 'Second'].map((name) => productFields({ name }));
    agentId = (await openStorefront(await newPerson(server), { products })).agentId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const get = (campaignId: string, by: Person = buyer) => by.get(`/buyer/campaigns/${campaignId}`);

  describe('200', () => {
    test('shows a draft with the session it buys from and how much is chosen, and no buys yet', async () => {
      const { campaignId, discoveryId } = await draftCampaign(buyer, { advertiserId });

      const { status, body } = await get(campaignId, await buyer.withKey(['buyer:read']));

      expect(status).toBe(200);
      expect(body.data.campaign).toMatchObject({
        campaignId,
        status: 'DRAFT',
        discoveryId,
        productCount: 2,
        mediaBuys: [],
        allocatedBudget: 200,
        unallocatedBudget: 800,
      });
    });

    test('says in the compact form once whom all packages are to reach, and whole where fields are named', async () => {
      const { campaignId, discoveryId } = await draftCampaign(buyer, { advertiserId });
      const path = `/buyer/discovery/${discoveryId}/products`;
      const chosen: readonly { productId: string; salesAgentId: string }[] = done(
        await buyer.get(path),
      ).products;
      const targetingOverlay = { geo_countries: ['US'] };
      const products = chosen.map(({ productId, salesAgentId }) => ({
        productId,
        salesAgentId,
        budget: 100,
        targetingOverlay,
      }));
      done(await buyer.post(path, { products }));
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      const overlays = async (query: string) => {
        const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}?${query}`));
        const [{ packages }] = campaign.mediaBuys;
        const own = packages.map((part: { targetingOverlay?: object }) => part.targetingOverlay);
        return { shared: campaign.targetingOverlay, own, refs: campaign.mediaBuyRefs?.length };
      };

      const whole = { shared: undefined, own: [targetingOverlay, targetingOverlay] };
      expect(await overlays('detail=compact')).toEqual({
        shared: targetingOverlay,
        own: [undefined, undefined],
        refs: undefined,
      });
      expect(await overlays('')).toEqual({ ...whole, refs: 1 });
      expect(await overlays('detail=compact&fields=mediaBuys')).toEqual({ ...whole, refs: undefined });
    });

    test('shows an executed campaign with one buy a seller and what is allocated, and its choice no more', async () => {
      const { campaignId } = await draftCampaign(buyer, { advertiserId, each: 100.01 });
      await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

      const { campaign } = done(await get(campaignId));

      expect(campaign).toMatchObject({
        status: 'ACTIVE',
        allocatedBudget: 200.02,
        unallocatedBudget: 799.98,
      });
      expect(campaign.discoveryId).toMatch(/^disc_/);
      expect(campaign).not.toHaveProperty('productCount');
      expect(campaign.mediaBuys).toEqual([
        {
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          mediaBuyId: expect.stringMatching(/^mb_\w+$/),
          name: 'Winter – Shelf',
          status: 'ACTIVE',
          salesAgentId: agentId,
          salesAgentName: 'Shelf',
          budget: 200.02,
          budgetCurrency: 'USD',
          budget_denomination: 'gross',
          budget_breakdown: {
            media_budget: 200.02,
            fee_amount: 0,
            fee_rate_percent: 0,
            effective_gross_cpm: null,
          },
          startTime: flightDates.startDate,
          endTime: flightDates.endDate,
          products: expect.arrayContaining([
            { productId: expect.any(String), productName: 'First', budget: 100.01 },
            { productId: expect.any(String), productName: 'Second', budget: 100.01 },
          ]),
          packages: expect.arrayContaining([
            expect.objectContaining({ packageId: expect.any(String), status: 'active', budget: 100.01 }),
          ]),
          performance: { impressions: 0, spend: 0, clicks: 0, ...NO_COUNTS },
          pendingReason: 'scheduled_not_started',
          pendingSince: expect.any(String),
          forwardedAt: expect.any(String),
          buyerReference: expect.stringMatching(/^sf:1:mb_\w+$/),
          revision: 2,
        },
      ]);
      expect(campaign.mediaBuyRefs).toEqual([
        { mediaBuyId: campaign.mediaBuys[0].mediaBuyId, status: 'ACTIVE' },
      ]);
    });

    test('gives only the fields that are asked for, beside the id', async () => {
      const { campaignId } = await draftCampaign(buyer, { advertiserId });

      const reply = await buyer.get(`/buyer/campaigns/${campaignId}?fields=productCount&fields=name`);

      expect(done(reply)).toEqual({ campaign: { campaignId, name: 'Winter', productCount: 2 } });
    });
  });
});
