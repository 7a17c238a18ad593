import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inAnotherAccount, keysAllowed, keysRefused, strangers } from '../../support/access.ts';
import { auditOf, pathsOf, refusalOf } from '../../support/answers.ts';
import { done, draftCampaign, newAdvertiser, openStorefront, productFields } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { beforeTerms, newSeller, newShelf } from '../../support/selling.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

const PRODUCTS = '/storefront/products';

describe('product_delete', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true });
  });
  afterAll(() => server.stop());

  async function withProduct() {
    const seller = await newSeller(server);
    await newShelf(seller);
    const { productId } = done(await seller.post(PRODUCTS, productFields()));
    return { seller, productId, path: `${PRODUCTS}/${productId}` };
  }

  async function statusOf(seller: Person): Promise<string> {
    return (await seller.get(PRODUCTS)).body.data.items[0].status;
  }

  describe('200', () => {
    test('takes the product off the market and keeps its record', async () => {
      const { seller, productId, path } = await withProduct();

      const { status, body } = await seller.delete(path);

      expect(status).toBe(200);
      expect(body).toEqual({ data: { success: true, productId }, error: null });
      expect(await statusOf(seller)).toBe('ARCHIVED');
    });

    test('is not found by discoveries from then on, while what was bought of it goes on', async () => {
      const seller = await newPerson(server);
      const { storefrontId, productIds } = await openStorefront(seller, { name: 'Leaving Media' });
      const buyer = await newPerson(server);
      const advertiserId = await newAdvertiser(buyer);
      const { campaignId } = await draftCampaign(buyer, { advertiserId });
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

      done(await seller.delete(`${PRODUCTS}/${productIds[0]}`));

      const found = done(
        await buyer.post('/buyer/discovery/discover-products', {
          advertiserId,
          brief: 'Everybody in the morning',
          storefrontIds: [Number(storefrontId)],
          waitSeconds: 30,
        }),
      );
      expect(found.summary.totalProducts).toBe(0);
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      expect(campaign.mediaBuys).toHaveLength(1);
    });

    test('is in the audit log, as what it is: archiving', async () => {
      const { seller, productId, path } = await withProduct();
      await seller.delete(path);

      const [entry] = await auditOf(server, seller, 'product_delete');
      expect(entry).toMatchObject({
        action: 'ARCHIVE',
        outcome: 'succeeded',
        resource_type: 'PRODUCT',
        resource_id: productId,
        resource_name: 'Morning display',
      });
    });

    test.each(keysAllowed('buyer:write'))('takes a key with $key', async ({ held }) => {
      const { seller, path } = await withProduct();
      const key = await seller.withKey(held);

      expect((await key.delete(path)).status).toBe(200);
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names every problem with its path', async () => {
      const { seller } = await withProduct();

      const reply = await seller.delete(`${PRODUCTS}/${'x'.repeat(256)}`, { force: true });

      expect(refusalOf(reply)).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect(pathsOf(reply)).toEqual(['force', 'productId']);
    });
  });

  describe('401', () => {
    test.each(strangers)('UNAUTHORIZED for $who', async ({ of }) => {
      const { path } = await withProduct();

      expect(refusalOf(await of(server).delete(path))).toEqual({ status: 401, code: 'UNAUTHORIZED' });
    });
  });

  describe('403', () => {
    test.each(keysRefused('buyer:write'))('FORBIDDEN for a key with $key, and it stays', async ({ held }) => {
      const { seller, path } = await withProduct();
      const key = await seller.withKey(held);

      expect(refusalOf(await key.delete(path))).toEqual({ status: 403, code: 'FORBIDDEN' });
      expect(await statusOf(seller)).toBe('ACTIVE');
    });

    test('ACCESS_DENIED for another account of the organization, and it stays', async () => {
      const { seller, productId, path } = await withProduct();
      const other = await inAnotherAccount(server, seller, 'SELLER');

      expect(refusalOf(await other.delete(path))).toEqual({ status: 403, code: 'ACCESS_DENIED' });
      expect(await statusOf(seller)).toBe('ACTIVE');
      const [entry] = await auditOf(server, seller, 'product_delete');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'ACCESS_DENIED', resource_id: productId });
    });

    test('TOS_ACCEPTANCE_REQUIRED before the terms are accepted, and it stays', async () => {
      const { seller, path } = await withProduct();
      const hasty = await beforeTerms(server, seller);

      expect(refusalOf(await hasty.delete(path))).toEqual({ status: 403, code: 'TOS_ACCEPTANCE_REQUIRED' });
      expect(await statusOf(hasty)).toBe('ACTIVE');
    });
  });

  describe('404', () => {
    test('NOT_FOUND in the same words for a stranger’s product and for one nobody has', async () => {
      const { seller, path } = await withProduct();
      const stranger = await newSeller(server);

      const foreign = await stranger.delete(path);

      expect(refusalOf(foreign)).toEqual({ status: 404, code: 'NOT_FOUND' });
      expect((await stranger.delete(`${PRODUCTS}/prd_nobodys`)).body).toEqual(foreign.body);
      expect(await statusOf(seller)).toBe('ACTIVE');
      const [entry] = await auditOf(server, stranger, 'product_delete');
      expect(entry).toMatchObject({ outcome: 'denied', error_code: 'NOT_FOUND', resource_id: 'prd_nobodys' });
    });
  });
});
