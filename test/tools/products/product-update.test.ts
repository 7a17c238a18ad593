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

const PATH = '/storefront/products';
const fields = productFields();
const cpm = (fixedPrice: number) => ({ pricingModel: 'cpm', currency: 'USD', fixedPrice });

describe('product_update', () => {
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newSeller(server);
    await newShelf(seller);
  });
  afterAll(() => server.stop());

  async function newProduct(changes: object = {}) {
    const made = done(await seller.post(PATH, { ...fields, ...changes }));
    return { made, path: `${PATH}/${made.productId}` };
  }

  describe('200', () => {
    test('changes what is given and leaves the rest as it was', async () => {
      const { made, path } = await newProduct();

      const { status, body } = await seller.put(path, { name: 'Evening display', channels: ['video'] });

      expect(status).toBe(200);
      expect(body.data).toEqual({
        ...made,
        name: 'Evening display',
        channels: ['olv'],
        updatedAt: expect.any(String),
        revision: 2,
      });
      expect((await seller.get(path)).body.data).toEqual(body.data);
    });

    test('clears with null what may be left out', async () => {
      const { path } = await newProduct({ estimatedExposures: 5_000 });

      expect(done(await seller.put(path, { estimatedExposures: null }))).not.toHaveProperty(
        'estimatedExposures',
      );
    });

    test('tells the audit log from what to what', async () => {
      const { made, path } = await newProduct();
      done(await seller.put(path, { name: 'Late display' }));

      const entries = await auditOf(server, seller, 'product_update');
      const entry = entries.find(({ resource_id }) => resource_id === made.productId);
      expect(JSON.parse(entry?.changes ?? '')).toEqual({ name: { from: fields.name, to: 'Late display' } });
    });

    test('keeps the id of a price that stays, and gives one that changes another', async () => {
      const { made, path } = await newProduct({ pricingOptions: [cpm(10), cpm(20)] });
      const [ten, twenty] = made.pricingOptions;

      const { pricingOptions } = done(await seller.put(path, { pricingOptions: [cpm(20), cpm(15)] }));

      expect(pricingOptions[0]).toEqual(twenty);
      expect(pricingOptions[1]).toMatchObject({ fixedPrice: 15 });
      expect([ten, twenty].map(({ pricingOptionId }) => pricingOptionId)).not.toContain(
        pricingOptions[1].pricingOptionId,
      );
    });

    test('bills nobody a price that was not chosen', async () => {
      const vendor = await newPerson(server);
      const { storefrontId, productIds } = await openStorefront(vendor, { name: 'Moving Media' });
      const buyer = await newPerson(server);
      const advertiserId = await newAdvertiser(buyer);
      const { campaignId } = await draftCampaign(buyer, {
        advertiserId,
        storefrontIds: [storefrontId],
      });

      done(await vendor.put(`${PATH}/${productIds[0]}`, { pricingOptions: [cpm(999)] }));

      const executed = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      expect(executed).toMatchObject({ success: false, mediaBuysExecuted: 0 });
    });
  });

  describe('400', () => {
    test.each([
      [{ pricingOptions: [] }, 'pricingOptions', '1 entry at the least.'],
      [
        { pricingOptions: [{ pricingModel: 'cpm', currency: 'USD' }] },
        'pricingOptions.0.fixedPrice',
        'Give a fixed price, or the floor price of an auction.',
      ],
      [{ channels: ['skywriting'] }, 'channels.0', /^Give one of: display, olv, /],
    ])('VALIDATION_ERROR for %j', async (change, path, words) => {
      const reply = await seller.put((await newProduct()).path, change);

      expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [path]: words } });
    });
  });

  test('409 CONFLICT for a product off the market', async () => {
    const { path } = await newProduct();
    done(await seller.delete(path));

    expectRefusal(await seller.put(path, { name: 'Back' }), 409, {
      code: 'CONFLICT',
      words: 'The product is off the market.',
    });
  });

  test('404 NOT_FOUND for one that is not there', async () => {
    expectRefusal(await seller.put(`${PATH}/prd_none`, { name: 'x' }), 404, {
      code: 'NOT_FOUND',
      words: 'No such product.',
    });
  });
});
