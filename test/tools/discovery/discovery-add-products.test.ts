import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresTargeting, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const option = (id: string, changes: object) => ({
  pricing_option_id: id,
  pricing_model: 'cpm',
  currency: 'USD',
  ...changes,
});

describe('discovery_add_products', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada', [
      productAt('one.example', 'fixed', {
        pricing_options: [
          option('euro', { fixed_price: 4, currency: 'EUR' }),
          option('usd', { fixed_price: 5 }),
        ],
      }),
      productAt('one.example', 'auction', { pricing_options: [option('bid', { floor_price: 2 })] }),
      productAt('two.example', 'euros', {
        pricing_options: [option('euro', { fixed_price: 4, currency: 'EUR' })],
      }),
      productAt('two.example', 'large', {
        pricing_options: [option('usd', { fixed_price: 5, min_spend_per_package: 750 })],
      }),
      productAt('two.example', 'same'),
      productAt('two.example', '100%_\\"quoted"'),
    ]);
    bea = await farSeller(server, 'Bea', [productAt('one.example', 'same')]);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    discoveryId = await session();
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
  });

  const session = async (fields: object = {}): Promise<string> =>
    done(await buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30, ...fields }))
      .discoveryId;
  const add = (id: string, products: readonly object[], by: Person = buyer) =>
    by.post(`/buyer/discovery/${id}/products`, { products });

  describe('200', () => {
    test('chooses a product, in the advertiser’s currency unless told how, and shows the whole choice', async () => {
      const { status, body } = await add(await session(), [{ productId: 'fixed', budget: 12.34 }]);

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ totalProducts: 1, budgetContext: { allocatedBudget: 12.34 } });
      expect(body.data.products).toEqual([
        {
          productId: 'fixed',
          name: 'Product fixed',
          storefrontId: ada.storefrontId,
          salesAgentId: ada.agentId,
          groupId: `${ada.agentId}:one.example`,
          groupName: 'one.example',
          pricingOptionId: 'usd',
          cpm: 5,
          budget: 12.34,
          selectedAt: expect.stringMatching(/^2026-12-01T.*Z$/),
        },
      ]);
    });

    test('adds to what was chosen, and gives a product chosen before its new price and budget', async () => {
      const id = await session();
      await add(id, [{ productId: 'fixed', budget: 10 }]);
      await add(id, [{ productId: 'auction', bidPrice: 2.5 }]);

      const { body } = await add(id, [{ productId: 'fixed', budget: 20 }]);

      expect(body.data.products).toMatchObject([
        { productId: 'fixed', budget: 20 },
        { productId: 'auction', bidPrice: 2.5 },
      ]);
      expect(body.data.products[1]).not.toHaveProperty('budget');
    });

    test('drops what was chosen before with replace', async () => {
      const id = await session();
      await add(id, [{ productId: 'fixed' }]);

      const products = [{ productId: 'auction', bidPrice: 2 }];
      const { body } = await buyer.post(`/buyer/discovery/${id}/products`, { products, replace: true });

      expect(body.data.products).toMatchObject([{ productId: 'auction' }]);
    });

    test('tells a product of two sellers apart by its seller or by its group', async () => {
      const { body } = await add(await session(), [
        { productId: 'same', salesAgentId: bea.agentId },
        { productId: 'same', groupId: `${ada.agentId}:two.example`, groupName: 'two.example' },
      ]);

      expect(body.data.products.map(({ salesAgentId }: { salesAgentId: string }) => salesAgentId)).toEqual([
        bea.agentId,
        ada.agentId,
      ]);
    });

    test('takes a product of the group that is named, and of no other', async () => {
      const id = await session();
      const inGroup = (productId: string, groupName: string) => add(id, [{ productId, groupName }]);

      const { body } = await inGroup('same', 'two.example');
      expect(body.data.products).toMatchObject([{ salesAgentId: ada.agentId, groupName: 'two.example' }]);
      done(await inGroup('same', 'one.example'));
      const { products } = done(await buyer.get(`/buyer/discovery/${id}/products`));
      expect(products[1]).toMatchObject({ salesAgentId: bea.agentId, groupName: 'one.example' });
      expectRefusal(await inGroup('fixed', 'two.example'), 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'products.0.groupName': 'This session has not found such a product in a group of this name.',
        },
      });
    });

    test('names the word that is wrong of a product that is not there, whatever else is said of it', async () => {
      const id = await session();
      const right = {
        productId: 'same',
        salesAgentId: ada.agentId,
        groupId: `${ada.agentId}:two.example`,
        groupName: 'two.example',
      };
      const wrong = [
        { productId: 'none' },
        { salesAgentId: 'agt_none' },
        { groupId: `${bea.agentId}:one.example` },
        { groupName: 'other.example' },
      ];

      const refusal = await add(
        id,
        wrong.map((word) => ({ ...right, ...word })),
      );

      const notFound = 'This session has not found such a product';
      expectRefusal(refusal, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'products.0.productId': `${notFound}.`,
          'products.1.salesAgentId': `${notFound} of this seller.`,
          'products.2.groupId': `${notFound} in this group.`,
          'products.3.groupName': `${notFound} in a group of this name.`,
        },
      });
    });

    test('finds a product by an id that holds wildcards, backslashes and quotes, and by no pattern', async () => {
      const id = await session();

      expect((await add(id, [{ productId: '100%_\\"quoted"' }])).status).toBe(200);
      expect((await add(id, [{ productId: '%' }])).status).toBe(400);
    });

    test('says what is left of the session’s budget, and warns when more is given than there is', async () => {
      const id = await session({ budget: 100 });

      const within = done(await add(id, [{ productId: 'fixed', budget: 99.99 }]));
      expect(within.budgetContext).toEqual({
        sessionBudget: 100,
        allocatedBudget: 99.99,
        remainingBudget: 0.01,
      });
      const over = done(await add(id, [{ productId: 'auction', bidPrice: 2, budget: 0.02 }]));
      expect(over.budgetContext).toEqual({
        sessionBudget: 100,
        allocatedBudget: 100.01,
        remainingBudget: -0.01,
        budgetWarning: 'The choice takes 0.01 USD too much.',
      });
    });
  });

  test('200: takes the seller of a storefront, where several have the product, and shows which it was', async () => {
    const id = await session();

    for (const { storefrontId, agentId } of [ada, bea]) {
      done(await add(id, [{ productId: 'same', storefrontId }]));
      const { products } = done(await buyer.get(`/buyer/discovery/${id}/products`));
      expect(products.at(-1)).toMatchObject({ productId: 'same', storefrontId, salesAgentId: agentId });
    }
  });

  test('400: VALIDATION_ERROR names storefrontId where that storefront has no such product', async () => {
    const id = await session();
    const wrong = [
      { productId: 'same', salesAgentId: ada.agentId, storefrontId: bea.storefrontId },
      { productId: 'same', storefrontId: 999_999 },
      { productId: 'fixed', storefrontId: bea.storefrontId },
    ];
    for (const product of wrong) {
      expectRefusal(await add(id, [product]), 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'products.0.storefrontId': `Storefront ${product.storefrontId} has no such product here.`,
        },
      });
    }
  });

  describe('400', () => {
    test.each([
      ['an unknown product', { productId: 'nothing' }, 'productId', /not found/],
      ['an unknown seller', { productId: 'fixed', salesAgentId: 'agent_x' }, 'salesAgentId', /not found/],
      ['a product of two sellers', { productId: 'same' }, 'salesAgentId', /Several sellers/],
      [
        'an unknown option',
        { productId: 'fixed', pricingOptionId: 'x' },
        'pricingOptionId',
        'No such option. Give one of: usd.',
      ],
      ['a bid on a fixed price', { productId: 'fixed', bidPrice: 9 }, 'bidPrice', /fixed price/],
      ['no bid in an auction', { productId: 'auction' }, 'bidPrice', /2 USD or more/],
      ['a bid below the floor', { productId: 'auction', bidPrice: 1.99 }, 'bidPrice', /floor is 2 USD/],
      ['a budget of half a cent', { productId: 'fixed', budget: 1.005 }, 'budget', /2 decimals/],
      [
        'a budget below what the seller sells for',
        { productId: 'large', budget: 749.99 },
        'budget',
        /750 USD/,
      ],
      ['a budget of nothing', { productId: 'fixed', budget: 0 }, 'budget', /0/],
      ['an unknown field', { productId: 'fixed', buget: 1 }, 'buget', /Did you mean budget/],
    ])('VALIDATION_ERROR for %s, at its place', async (...[, product, field, says]) => {
      const reply = await add(discoveryId, [product]);

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [`products.0.${field}`]: says } });
    });

    test('VALIDATION_ERROR names every problem, and nothing at all is chosen', async () => {
      const id = await session();

      const reply = await add(id, [
        { productId: 'fixed' },
        { productId: 'nothing' },
        { productId: 'auction' },
        { productId: 'euros' },
      ]);

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'products.1.productId': 'This session has not found such a product.',
          'products.2.bidPrice': 'Required in an auction: give 2 USD or more.',
          'products.3.productId':
            'Sold in EUR; the advertiser pays in USD. Leave it out, and choose another with browse_products.',
        },
      });
      const paths = reply.body.error.details.issues.map(({ path }: { path: string }) => path);
      expect(paths).toEqual(['products.1.productId', 'products.2.bidPrice', 'products.3.productId']);
      expect(done(await buyer.get(`/buyer/discovery/${id}/products`)).products).toEqual([]);
    });

    test('VALIDATION_ERROR for a product that is given twice names both places, and nothing is chosen', async () => {
      const id = await session();

      const reply = await add(id, [
        { productId: 'same', salesAgentId: ada.agentId, budget: 10 },
        { productId: 'fixed', budget: 10 },
        { productId: 'same', salesAgentId: bea.agentId },
        { productId: 'fixed', budget: 20 },
        { productId: 'same', storefrontId: ada.storefrontId },
      ]);

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'products.3.productId': 'Product fixed of Agent is in products.1 already: give it once.',
          'products.4.productId': 'Product same of Agent is in products.0 already: give it once.',
        },
      });
      expect(done(await buyer.get(`/buyer/discovery/${id}/products`)).products).toEqual([]);
    });

    test('VALIDATION_ERROR for no product and for more than a hundred', async () => {
      expectRefusal(await add(discoveryId, []), 400, {
        code: 'VALIDATION_ERROR',
        at: { products: '1 entry at the least.' },
      });
      const many = Array.from({ length: 101 }, () => ({ productId: 'fixed' }));
      expectRefusal(await add(discoveryId, many), 400, {
        code: 'VALIDATION_ERROR',
        at: { products: '100 entries at the most.' },
      });
    });

    test('CURRENCY_MISMATCH for products that are sold in another currency only', async () => {
      const one = await add(discoveryId, [{ productId: 'euros' }]);
      const two = await add(discoveryId, [
        { productId: 'auction', bidPrice: 2 },
        { productId: 'euros' },
        { productId: 'fixed', pricingOptionId: 'euro' },
      ]);

      expectRefusal(one, 400, {
        code: 'CURRENCY_MISMATCH',
        at: {
          'products.0.productId':
            'Sold in EUR; the advertiser pays in USD. Leave it out, and choose another with browse_products.',
        },
      });
      expect(one.body.error.message).toMatch(/EUR.*USD/);
      expectRefusal(two, 400, {
        code: 'CURRENCY_MISMATCH',
        at: {
          'products.1.productId':
            'Sold in EUR; the advertiser pays in USD. Leave it out, and choose another with browse_products.',
        },
      });
    });
  });

  describe('409', () => {
    test('CONFLICT where the session has as many choices as it may, and nothing is chosen', async () => {
      const small = await startTestServer({
        settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', DISCOVERY_CHOICES_PER_SESSION: '1' },
      });
      const cora = await farSeller(small, 'Cora', [
        productAt('one.example', 'first'),
        productAt('one.example', 'second'),
      ]);
      const person = await newPerson(small);
      const opened = await person.post('/buyer/discovery/discover-products', {
        advertiserId: await newAdvertiser(person),
        waitSeconds: 30,
      });
      const id = done(opened).discoveryId;

      expectRefusal(await add(id, [{ productId: 'first' }, { productId: 'second' }], person), 409, {
        code: 'CONFLICT',
        words: 'Chosen products of a session: 1 at the most.',
      });

      expect(done(await add(id, [{ productId: 'first' }], person)).products).toHaveLength(1);
      await small.stop();
      await cora.agent.stop();
    });
  });

  describe('422', () => {
    test('CAPABILITY_NOT_SUPPORTED for a targeting that the seller does not declare, and nothing is chosen', async () => {
      const dora = await farSeller(server, 'Dora', [productAt('four.example', 'plain')]);
      declaresTargeting(dora, { geo_countries: true, geo_regions: false });
      const opened = await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        storefrontIds: [dora.storefrontId],
        waitSeconds: 30,
      });
      const id = done(opened).discoveryId;
      const targetingOverlay = { geo_regions: ['US-CA'] };

      const reply = await add(id, [{ productId: 'plain', targetingOverlay }]);
      const chosen = done(await buyer.get(`/buyer/discovery/${id}/products`)).totalProducts;
      await dora.agent.stop();

      expectRefusal(reply, 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: { 'products.0.targetingOverlay.geo_regions': 'The seller declares no targeting by geo_regions.' },
      });
      expect(chosen).toBe(0);
    });
  });
});
