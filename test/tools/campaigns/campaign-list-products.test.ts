import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

describe('campaign_list_products and campaign_get_delivery', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(() => server.stop());

  test('200: shows the choice before it is bought, and the media buys with their packages after', async () => {
    const { campaignId, discoveryId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds: [storefrontId],
    });
    const list = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/products`));

    expect(await list()).toMatchObject({
      campaignId,
      discoveryId,
      products: [{ productName: 'Morning display', budget: 100, mediaBuys: [] }],
      searchContexts: [{ id: discoveryId, brief: 'Everybody in the morning', productCount: 1 }],
      summary: { totalProducts: 1, productsOnMediaBuys: 0, productsPending: 1 },
    });

    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const { products, summary } = await list();
    expect(products[0].mediaBuys).toEqual([
      expect.objectContaining({ status: 'ACTIVE', packageIds: [expect.stringMatching(/^pkg_/)] }),
    ]);
    expect(summary).toEqual({ totalProducts: 1, productsOnMediaBuys: 1, productsPending: 0 });
  });
});
