import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PRODUCTS = '/storefront/products';

describe('product_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  async function withProduct() {
    const seller = await newSeller(server);
    await newShelf(seller);
    const { productId } = done(await seller.post(PRODUCTS, productFields()));
    return { seller, productId, path: `${PRODUCTS}/${productId}` };
  }

  async function statusOf(seller: Person): Promise<string> {
    return (await seller.get(PRODUCTS)).body.data[0].status;
  }

  describe('200', () => {
    test('takes the product off the market and keeps its record', async () => {
      const { seller, productId, path } = await withProduct();

      const { status, body } = await seller.delete(path);

      expect(status).toBe(200);
      expect(body).toEqual({ data: { success: true, productId }, error: null });
      expect(await statusOf(seller)).toBe('ARCHIVED');
    });

    test('is not found by discoveries from then on, while what was bought of it goes on', async () => {
      const seller = await newPerson(server);
      const { storefrontId, productIds } = await openStorefront(seller, { name: 'Leaving Media' });
      const buyer = await newPerson(server);
      const advertiserId = await newAdvertiser(buyer);
      const { campaignId } = await draftCampaign(buyer, { advertiserId });
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

      done(await seller.delete(`${PRODUCTS}/${productIds[0]}`));

      const found = done(
        await buyer.post('/buyer/discovery/discover-products', {
          advertiserId,
          brief: 'Everybody in the morning',
          storefrontIds: [Number(storefrontId)],
          waitSeconds: 30,
        }),
      );
      expect(found.summary.totalProducts).toBe(0);
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      expect(campaign.mediaBuys).toHaveLength(1);
    });
  });
});
