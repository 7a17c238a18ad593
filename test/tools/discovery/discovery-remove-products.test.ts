import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('discovery_remove_products', () => {
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

  /** A session in which everything is chosen, a hundred each. */
  const chosen = async (): Promise<string> => {
    const fields = { advertiserId, waitSeconds: 30 };
    const { discoveryId } = done(await buyer.post('/buyer/discovery/discover-products', fields));
    const products = productIds.map((productId) => ({ productId, budget: 100 }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    return discoveryId;
  };
  const remove = (id: string, ids: unknown, by: Person = buyer) =>
    by.delete(`/buyer/discovery/${id}/products`, { productIds: ids });
  const left = async (id: string) =>
    done(await buyer.get(`/buyer/discovery/${id}/products`)).products.map(
      ({ productId }: { productId: string }) => productId,
    );

  describe('200', () => {
    test('drops the named products and gives what is left, with what it takes', async () => {
      const id = await chosen();
      const [first, second, third] = productIds;

      const { status, body } = await remove(id, [first, third]);

      expect(status).toBe(200);
      expect(body.data).toMatchObject({
        discoveryId: id,
        products: [{ productId: second }],
        totalProducts: 1,
        budgetContext: { allocatedBudget: 100 },
      });
      expect(await left(id)).toEqual([second]);
    });

    test('passes over what was not chosen, and does the same a second time', async () => {
      const id = await chosen();
      const [first] = productIds;

      await remove(id, [first, 'never-chosen']);
      const { status, body } = await remove(id, [first, 'never-chosen']);

      expect(status).toBe(200);
      expect(body.data.totalProducts).toBe(2);
    });

    test('leaves the choice of another session alone', async () => {
      const [one, other] = [await chosen(), await chosen()];

      await remove(one, productIds);

      expect(await left(one)).toEqual([]);
      expect(await left(other)).toEqual(productIds);
    });
  });

  describe('400', () => {
    test.each<[unknown, Readonly<Record<string, string>>]>([
      [[], { productIds: '1 entry at the least.' }],
      [[''], { 'productIds.0': '1 character at the least.' }],
      [undefined, { productIds: 'Required: give an array.' }],
      ['all', { productIds: 'Give an array.' }],
      [Array.from({ length: 101 }, () => 'x'), { productIds: '100 entries at the most.' }],
    ])('VALIDATION_ERROR for %j, and nothing is dropped', async (ids, at) => {
      const id = await chosen();

      expectRefusal(await remove(id, ids), 400, { code: 'VALIDATION_ERROR', at });

      expect(await left(id)).toEqual(productIds);
    });
  });
});
