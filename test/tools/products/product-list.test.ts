import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { done, productFields } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { newSeller, newShelf } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

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
        data: { items: made, total: 2 },
        error: null,
        meta: { pagination: { skip: 0, take: 2, total: 2, hasMore: false } },
      });
    });

    test('narrows to a status', async () => {
      const owner = await newSeller(server);
      await newShelf(owner);
      const kept = done(await owner.post(PATH, productFields({ name: 'Kept' })));
      const gone = done(await owner.post(PATH, productFields({ name: 'Gone' })));
      done(await owner.delete(`${PATH}/${gone.productId}`));

      const idsIn = async (query: string) =>
        (await owner.get(`${PATH}${query}`)).body.data.items.map(
          ({ productId }: { productId: string }) => productId,
        );
      expect(await idsIn('?status=ACTIVE')).toEqual([kept.productId]);
      expect(await idsIn('?status=ARCHIVED')).toEqual([gone.productId]);
      expect(await idsIn('')).toEqual([kept.productId, gone.productId]);
    });

    test('holds nothing of other organizations, nor of other accounts of the same one', async () => {
      for (const other of [await newSeller(server), await inAnotherAccount(server, seller, 'SELLER')]) {
        expect((await other.get(PATH)).body.data).toEqual({ items: [], total: 0 });
      }
    });

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      const key = await seller.withKey(held);

      expect((await key.get(PATH)).body.data.total).toBe(2);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path', async () => {
      const reply = await seller.get(`${PATH}?status=GONE&colour=red`);

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['colour', 'status']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      expect(refusalOf(await of(server).get(PATH))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:read'))('FORBIDDEN for a key with $key', async ({ held }) => {
      const key = await seller.withKey(held);

      expect(refusalOf(await key.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('FORBIDDEN for an organization that does not sell', async () => {
      const buyer = await newPerson(server, { roles: ['BUYER'] });

      expect(refusalOf(await buyer.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });
  });
});
