import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const SOURCES = '/storefront/inventory-sources';
const PATH = `${SOURCES}/shelf`;

describe('inventory_source_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  async function withShelf(): Promise<Person> {
    const seller = await newSeller(server);
    await newShelf(seller);
    return seller;
  }

  describe('204', () => {
    test('deletes the source for good, with the products it offered', async () => {
      const seller = await withShelf();
      done(await seller.post('/storefront/products', productFields()));

      const { status } = await seller.delete(PATH);

      expect(status).toBe(204);
      expect((await seller.get(PATH)).status).toBe(404);
      expect((await seller.get('/storefront/products')).body.data).toEqual([]);
    });

    test('frees the name for another source', async () => {
      const seller = await withShelf();
      await seller.delete(PATH);

      expect(await newShelf(seller)).toBe('shelf');
    });
  });

  describe('404', () => {
    test('NOT_FOUND the second time, and the refusal is in the audit log', async () => {
      const seller = await withShelf();
      await seller.delete(PATH);

      expectRefusal(await seller.delete(PATH), 404, {
        code: 'NOT_FOUND',
        words: 'No such inventory source.',
      });
      const [entry] = await auditOf(server, seller, 'inventory_source_delete');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'NOT_FOUND', resource_id: 'shelf' });
    });
  });

  describe('409', () => {
    test('CONFLICT once anything was bought through it, and it stays', async () => {
      const seller = await newPerson(server);
      const { sourceId } = await openStorefront(seller);
      const buyer = await newPerson(server);
      const { campaignId } = await draftCampaign(buyer, { advertiserId: await newAdvertiser(buyer) });
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

      const reply = await seller.delete(`${SOURCES}/${sourceId}`);

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'Media buys were made through this source; they still need it.',
      });
      expect((await seller.get(`${SOURCES}/${sourceId}`)).body.data.status).toBe('ACTIVE');
      const [entry] = await auditOf(server, seller, 'inventory_source_delete');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'CONFLICT', resource_id: sourceId });
    });
  });
});
