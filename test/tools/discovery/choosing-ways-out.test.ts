import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AdaAndBea, adaAndBea } from '../../support/buying/ada-and-bea.ts';
import type { Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover } from '../../support/sellers/discovery.ts';
import { productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';

const option = (id: string, changes: object) => ({
  pricing_option_id: id,
  pricing_model: 'cpm',
  currency: 'USD',
  ...changes,
});
const usd = option('a-cpm', { fixed_price: 5 });
const eur = option('a-eur', { fixed_price: 4, currency: 'EUR' });

describe('a refused choice names a way out that there is', () => {
  let market: AdaAndBea;
  let buyer: Person;
  beforeAll(async () => {
    market = await adaAndBea({
      ada: [
        productAt('one.example', 'auction', { pricing_options: [option('bid', { floor_price: 3 })] }),
        productAt('one.example', 'both', { pricing_options: [usd, eur] }),
        productAt('one.example', 'dollars', { pricing_options: [usd] }),
        productAt('one.example', 'same'),
      ],
      bea: [productAt('two.example', 'same')],
    });
    ({ buyer } = market);
  });
  afterAll(() => market.stop());

  const storefronts = () => [market.ada.storefrontId, market.bea.storefrontId];
  const session = async (advertiser = market.advertiserId) =>
    (await discover(buyer, advertiser, storefronts())).discoveryId;
  const create = (fields: object) => market.create(fields);
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
      done(await add(discoveryId, { productId: 'same', salesAgentId: market.bea.agentId }));
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
