import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { pathsOf, refusalOf } from '../../support/answers.ts';
import { newPerson } from '../../support/people.ts';
import { newSeller, newShelf } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const PATH = '/storefront/inventory-sources';

describe('inventory_source_list', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.stop());

  describe('200', () => {
    test('gives every source of the storefront, oldest first, as inventory_source_get gives it', async () => {
      const seller = await newSeller(server);
      for (const name of ['second', 'first']) await newShelf(seller, name);

      const { status, body } = await seller.get(PATH);

      expect(status).toBe(200);
      const each = [await seller.get(`${PATH}/second`), await seller.get(`${PATH}/first`)];
      expect(body).toEqual({
        data: each.map((reply) => reply.body.data),
        error: null,
        meta: { pagination: { skip: 0, take: 2, total: 2, hasMore: false } },
      });
    });

    test('is an empty list before there is a source, and before there is a storefront', async () => {
      for (const seller of [await newSeller(server), await newPerson(server)]) {
        expect(await seller.get(PATH)).toMatchObject({ status: 200, body: { data: [] } });
      }
    });

    test('holds nothing of other organizations, nor of other accounts of the same one', async () => {
      const seller = await newSeller(server);
      await newShelf(seller);

      for (const other of [await newSeller(server), await inAnotherAccount(server, seller, 'SELLER')]) {
        expect((await other.get(PATH)).body.data).toEqual([]);
      }
    });

    test.each(keysAllowed('buyer:read'))('takes a key with $key', async ({ held }) => {
      const seller = await newPerson(server, { permissions: held });

      expect((await seller.get(PATH)).status).toBe(200);
    });

    test('goes on before the terms are accepted, for it changes nothing', async () => {
      const hasty = await newPerson(server, { terms: false });

      expect((await hasty.get(PATH)).status).toBe(200);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR for parameters it does not know', async () => {
      const reply = await (await newSeller(server)).get(`${PATH}?status=ACTIVE&colour=red`);

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
      const seller = await newPerson(server, { permissions: held });

      expect(refusalOf(await seller.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });

    test('FORBIDDEN for an organization that does not sell', async () => {
      const buyer = await newPerson(server, { roles: ['BUYER'] });

      expect(refusalOf(await buyer.get(PATH))).toEqual({ status: 403, code: 'FORBIDDEN' });
    });
  });
});
