import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('discovery_list_products', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let productIds: readonly string[];
  beforeAll(async () => {
    server = await startTestServer({ own: true });
    const products = ['First', 'Second', 'Third'].map((name) => productFields({ name }));
    productIds = (await openStorefront(await newPerson(server), { products })).productIds;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const session = async (): Promise<string> => {
    const fields = { advertiserId, waitSeconds: 30 };
    return done(await buyer.post('/buyer/discovery/discover-products', fields)).discoveryId;
  };
  const list = (id: string, by: Person = buyer) => by.get(`/buyer/discovery/${id}/products`);

  describe('200', () => {
    test('is empty before anything is chosen', async () => {
      const id = await session();

      expect(done(await list(id))).toEqual({
        discoveryId: id,
        products: [],
        totalProducts: 0,
        total: 0,
        hasMore: false,
        nextOffset: null,
        sandbox: false,
        campaignBound: false,
      });
    });

    test('lists in the order of choosing, and keeps the place of a product whose budget changes', async () => {
      const id = await session();
      const [first, second, third] = productIds;
      const choose = (productId: string | undefined, budget: number) =>
        buyer.post(`/buyer/discovery/${id}/products`, { products: [{ productId, budget }] });
      await choose(third, 30);
      await choose(first, 10);
      await choose(second, 20);
      const { body } = await choose(third, 31);

      const data = done(await list(id, await buyer.withKey(['buyer:read'])));

      expect(data).toEqual({ ...body.data, total: 3, hasMore: false, nextOffset: null });
      expect(data.products).toMatchObject([
        { productId: third, name: 'Third', budget: 31 },
        { productId: first, name: 'First', budget: 10 },
        { productId: second, name: 'Second', budget: 20 },
      ]);
      expect(data).toMatchObject({ totalProducts: 3, budgetContext: { allocatedBudget: 61 } });
    });

    test('leaves out in the compact form where each was found and when it was chosen', async () => {
      const id = await session();
      const [productId] = productIds;
      done(await buyer.post(`/buyer/discovery/${id}/products`, { products: [{ productId }] }));
      const shown = async (detail: string) =>
        done(await buyer.get(`/buyer/discovery/${id}/products?detail=${detail}`)).products[0];

      const { groupId, groupName, selectedAt, ...others } = await shown('full');

      expect([groupId, groupName, selectedAt]).not.toContain(undefined);
      expect(await shown('compact')).toEqual(others);
    });

    test('says of each page what the whole choice comes to', async () => {
      const id = await session();
      const products = productIds.map((productId) => ({ productId, budget: 10 }));
      await buyer.post(`/buyer/discovery/${id}/products`, { products });

      const { body } = await buyer.get(`/buyer/discovery/${id}/products?take=1&skip=1`);

      expect(body.data).toMatchObject({
        products: [{ productId: productIds[1] }],
        totalProducts: 3,
        total: 3,
        hasMore: true,
        nextOffset: 2,
        budgetContext: { allocatedBudget: 30 },
        campaignBound: false,
        campaignWarning: expect.stringContaining('No draft campaign'),
      });
      expect(body.meta.pagination).toEqual({ skip: 1, take: 1, total: 3, hasMore: true });
    });

    test('keeps the choices of two sessions apart', async () => {
      const [one, other] = [await session(), await session()];
      const products = [{ productId: productIds[0] }];
      await buyer.post(`/buyer/discovery/${one}/products`, { products });

      expect(done(await list(other)).products).toEqual([]);
    });
  });
});
