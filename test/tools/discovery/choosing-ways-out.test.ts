import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { discover } from '../../support/discovery.ts';
import { type FarSeller, farSeller, productAt } from '../../support/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { expectRefusal } from '../../support/refusals.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const option = (id: string, changes: object) => ({
  pricing_option_id: id,
  pricing_model: 'cpm',
  currency: 'USD',
  ...changes,
});
const usd = option('a-cpm', { fixed_price: 5 });
const eur = option('a-eur', { fixed_price: 4, currency: 'EUR' });

describe('a refused choice names a way out that there is', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada', [
      productAt('one.example', 'auction', { pricing_options: [option('bid', { floor_price: 3 })] }),
      productAt('one.example', 'both', { pricing_options: [usd, eur] }),
      productAt('one.example', 'dollars', { pricing_options: [usd] }),
      productAt('one.example', 'same'),
    ]);
    bea = await farSeller(server, 'Bea', [productAt('two.example', 'same')]);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
  });

  const storefronts = () => [ada.storefrontId, bea.storefrontId];
  const session = async (advertiser = advertiserId) =>
    (await discover(buyer, advertiser, storefronts())).discoveryId;
  const create = (fields: object) =>
    buyer.post('/buyer/campaigns', {
      ...{ advertiserId, name: 'Winter', flightDates, budget: { total: 1_000 } },
      ...fields,
    });
  const add = (id: string, product: object) =>
    buyer.post(`/buyer/discovery/${id}/products`, { products: [product] });

  describe('of productIds of campaign_create, which say nothing but the product,', () => {
    test('a bid is given with discovery_add_products, and the campaign then has the product', async () => {
      const discoveryId = await session();

      const refused = await create({ discoveryId, productIds: ['auction'] });
      done(await add(discoveryId, { productId: 'auction', bidPrice: 3 }));
      const made = done(await create({ discoveryId, productIds: ['auction'] }));

      expectRefusal(refused, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'productIds.0':
            'Needs its bidPrice: choose it with discovery_add_products. Required in an auction: give 3 USD or more.',
        },
      });
      expect(made.campaign.productCount).toBe(1);
    });

    test('one of several sellers is named with discovery_add_products', async () => {
      const discoveryId = await session();

      const refused = await create({ discoveryId, productIds: ['same'] });
      done(await add(discoveryId, { productId: 'same', salesAgentId: bea.agentId }));
      const made = done(await create({ discoveryId, productIds: ['same'] }));

      expectRefusal(refused, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'productIds.0':
            /^Needs its salesAgentId: choose it with discovery_add_products\. Several sellers have this product\. Give one of: agt_/,
        },
      });
      expect(made.campaign.productCount).toBe(1);
    });
  });

  describe('of an advertiser that pays in another currency', () => {
    let euros: string;
    beforeAll(async () => {
      euros = await newAdvertiser(buyer, { name: 'Euro', primaryCurrency: 'EUR' });
    });

    test('names the options of its currency alone, and each of them can be chosen', async () => {
      const discoveryId = await session(euros);
      const both = (pricingOptionId: string) => add(discoveryId, { productId: 'both', pricingOptionId });

      const unknown = await both('zzz');
      const dollars = await both('a-cpm');

      expectRefusal(unknown, 400, {
        code: 'VALIDATION_ERROR',
        at: { 'products.0.pricingOptionId': 'No such option. Give one of: a-eur.' },
      });
      expectRefusal(dollars, 400, {
        code: 'CURRENCY_MISMATCH',
        at: {
          'products.0.pricingOptionId':
            'Sold in USD; the advertiser pays in EUR. Leave it out, or give one of: a-eur.',
        },
      });
      expect(dollars.body.error.details.suggestion).toBe(
        'Leave pricingOptionId out, or give one that the message names.',
      );
      expect(done(await both('a-eur')).products).toMatchObject([{ pricingOptionId: 'a-eur' }]);
    });

    test('says to choose another product where none of its options is in that currency', async () => {
      const discoveryId = await session(euros);

      const refused = await add(discoveryId, { productId: 'dollars' });
      const unknown = await add(discoveryId, { productId: 'dollars', pricingOptionId: 'zzz' });

      for (const reply of [refused, unknown]) {
        expectRefusal(reply, 400, {
          code: 'CURRENCY_MISMATCH',
          at: {
            'products.0.productId':
              'Sold in USD; the advertiser pays in EUR. Leave it out, and choose another with browse_products.',
          },
        });
        expect(reply.body.error.details.suggestion).toBe(
          'Leave out what is sold in another currency, and choose another with browse_products.',
        );
      }
    });
  });
});
