import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { manualClock } from '../../support/run/clock.ts';
import { done, newAdvertiser, productFields } from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront/audit-logs';
const MINUTE_MS = 60_000;

describe('storefront_audit_log_list', () => {
  const clock = manualClock();
  let server: TestServer;
  let seller: Person;
  let productId: string;
  /** An entry a minute: storefront, source, product, the product taken off, a refused change. */
  beforeAll(async () => {
    server = await startTestServer({ clock });
    seller = await newSeller(server);
    clock.advance(MINUTE_MS);
    await newShelf(seller);
    clock.advance(MINUTE_MS);
    ({ productId } = done(await seller.post('/storefront/products', productFields())));
    clock.advance(MINUTE_MS);
    done(await seller.send(`/storefront/products/${productId}`, { method: 'DELETE' }));
    clock.advance(MINUTE_MS);
    await seller.put('/storefront/inventory-sources/nobody', { name: 'Nobody' });
  });
  afterAll(() => server.stop());

  async function toolsIn(query: string, reader = seller): Promise<string[]> {
    const { logs } = done(await reader.get(`${PATH}${query}`));
    return logs.map(({ tool }: { tool: string }) => tool);
  }

  describe('200', () => {
    test('tells who did what to what, when and how', async () => {
      const { status, body } = await seller.get(`${PATH}?actions=ARCHIVE`);

      expect(status).toBe(200);
      expect(body.data.total).toBe(1);
      expect(body.data.logs).toEqual([
        expect.objectContaining({
          timestamp: '2026-12-01T09:03:00.000Z',
          action: 'ARCHIVE',
          outcome: 'succeeded',
          resourceType: 'PRODUCT',
          resourceId: productId,
          tool: 'product_delete',
          credentialId: `api_key:${seller.keyId}`,
          parameters: { productId },
        }),
      ]);
    });

    test('takes a filter without entries for none', async () => {
      expect(await toolsIn('?actions=&resourceTypes=')).toEqual(await toolsIn(''));
    });

    test('is newest first, and has what was refused', async () => {
      expect(await toolsIn('')).toEqual([
        'inventory_source_update',
        'product_delete',
        'product_create',
        'inventory_source_create',
        'storefront_record_create',
      ]);
    });

    test.each([
      ['?startDate=2026-12-01T09:03:00Z', ['inventory_source_update', 'product_delete']],
      ['?resourceTypes=STOREFRONT', ['storefront_record_create']],
      ['?resourceTypes=STOREFRONT_INVENTORY_SOURCE', ['inventory_source_update', 'inventory_source_create']],
      ['?resourceTypes=INVENTORY_SOURCE&outcome=succeeded', ['inventory_source_create']],
      ['?inventorySourceId=shelf', ['inventory_source_create']],
      ['?inventorySourceId=shelf&resourceId=other', []],
      ['?outcome=denied', ['inventory_source_update']],
    ])('narrows with %s', async (query, tools) => {
      expect(await toolsIn(query)).toEqual(tools);
    });

    test('leaves out what nobody decides by in the compact form', async () => {
      const { logs } = done(await seller.get(`${PATH}?detail=compact&take=1`));

      expect(logs[0]).toHaveProperty('description');
      expect(logs[0]).not.toHaveProperty('parameters');
    });

    test('holds nothing of what the organization does as a buyer, nor of other sellers', async () => {
      const both = await newPerson(server);
      await newAdvertiser(both);

      expect(await toolsIn('', both)).toEqual([]);
    });
  });
});
