import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../../support/callers/people.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

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
        meta: { pagination: { skip: 0, take: 50, total: 2, hasMore: false } },
      });
    });

    test('says in the compact form which there are and whether they sell', async () => {
      const seller = await newSeller(server);
      await newShelf(seller, 'only');
      const { id } = (await seller.get(`${PATH}/only`)).body.data;

      expect((await seller.get(`${PATH}?detail=compact`)).body.data).toEqual([
        {
          id,
          sourceId: 'only',
          name: 'only',
          executionType: 'MANAGED_SALES_AGENT',
          status: 'ACTIVE',
          endpointUrl: null,
          revision: 1,
        },
      ]);
    });

    test('is an empty list before there is a source, and before there is a storefront', async () => {
      for (const seller of [await newSeller(server), await newPerson(server)]) {
        expect(await seller.get(PATH)).toMatchObject({ status: 200, body: { data: [] } });
      }
    });
  });
});
