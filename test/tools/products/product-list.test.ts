import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../support/callers/people.ts';
import { done, productFields } from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront/products';

describe('product_list', () => {
  let server: TestServer;
  let seller: Person;
  let made: { productId: string }[];
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newSeller(server);
    await newShelf(seller);
    await newShelf(seller, 'cellar');
    made = [];
    for (const sourceId of ['cellar', 'shelf']) {
      made.push(done(await seller.post(PATH, productFields({ sourceId, name: `From the ${sourceId}` }))));
    }
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('gives the products of every embedded seller, oldest first, as product_create gave them', async () => {
      const { status, body } = await seller.get(PATH);

      expect(status).toBe(200);
      expect(body).toEqual({
        data: made,
        error: null,
        meta: { pagination: { skip: 0, take: 20, total: 2, hasMore: false } },
      });
    });

    test('narrows to a status', async () => {
      const owner = await newSeller(server);
      await newShelf(owner);
      const kept = done(await owner.post(PATH, productFields({ name: 'Kept' })));
      const gone = done(await owner.post(PATH, productFields({ name: 'Gone' })));
      done(await owner.delete(`${PATH}/${gone.productId}`));

      const idsIn = async (query: string) =>
        (await owner.get(`${PATH}${query}`)).body.data.map(
          ({ productId }: { productId: string }) => productId,
        );
      expect(await idsIn('?status=ACTIVE')).toEqual([kept.productId]);
      expect(await idsIn('?status=ARCHIVED')).toEqual([gone.productId]);
      expect(await idsIn('')).toEqual([kept.productId, gone.productId]);
    });
  });
});
