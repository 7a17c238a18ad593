import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { adcpProduct } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const option = (currency: string, fixed_price: number) => ({
  ...{ pricing_option_id: 'cpm', pricing_model: 'cpm' },
  ...{ currency, fixed_price },
});

/** Sellers name each way to buy a product once (AdCP, pricing option); some name several alike. */
describe('of pricing options with one id', () => {
  let server: TestServer;
  const sellers: FarSeller[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(async () => {
    await Promise.all(sellers.map(({ agent }) => agent.stop()));
    await server.stop();
  });

  async function offering(pricing_options: readonly object[]) {
    const seller = await farSeller(server, 'Far', [adcpProduct('spot', { pricing_options })]);
    sellers.push(seller);
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    return { seller, buyer, advertiserId, storefrontIds: [seller.storefrontId] };
  }

  test('that in the currency of the advertiser is shown, chosen and ordered', async () => {
    const { seller, buyer, ...fields } = await offering([option('EUR', 5), option('USD', 50)]);
    seller.agent.on('create_media_buy', () => ({ media_buy_id: 'far_1', status: 'active', packages: [] }));

    const { campaignId } = await draftCampaign(buyer, fields);
    const executed = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

    expect(executed.body.error).toBeNull();
    const orders = seller.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
    expect(orders).toMatchObject([{ args: { packages: [{ pricing_option_id: 'cpm' }] } }]);
  });

  test('the dearest is shown where they are in one currency, so that nobody pays more than was shown', async () => {
    const { buyer, advertiserId, storefrontIds } = await offering([option('USD', 5), option('USD', 50)]);

    const { productGroups } = done(
      await buyer.post('/buyer/discovery/discover-products', {
        ...{ advertiserId, brief: 'All there is', storefrontIds: storefrontIds.map(Number) },
        ...{ waitSeconds: 30, detail: 'full' },
      }),
    );

    expect(productGroups[0].products).toMatchObject([
      { cpm: 50, pricingOptions: [{ pricingOptionId: 'cpm', fixedPrice: 50 }] },
    ]);
  });
});
