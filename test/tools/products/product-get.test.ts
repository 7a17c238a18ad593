import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done, productFields } from '../../support/sellers/market.ts';
import { newSeller, newShelf } from '../../support/sellers/selling.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const PATH = '/storefront/products';

describe('product_get', () => {
  let server: TestServer;
  let seller: Person;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newSeller(server);
    await newShelf(seller);
  });
  afterAll(() => server.stop());

  test('200: gives the product with everything that was said of it', async () => {
    const made = done(await seller.post(PATH, { ...productFields(), estimatedExposures: 12_000 }));

    const { status, body } = await seller.get(`${PATH}/${made.productId}`);

    expect(status).toBe(200);
    expect(body).toEqual({ data: made, error: null });
    expect(made).toMatchObject({
      sourceId: 'shelf',
      estimatedExposures: 12_000,
      deliveryType: 'non_guaranteed',
    });
  });

  test('200: gives in its short form what one is told apart by', async () => {
    const { productId, name, pricingOptions } = done(await seller.post(PATH, productFields()));

    const short = done(await seller.get(`${PATH}/${productId}?detail=compact`));

    expect(short).toMatchObject({ productId, name, pricingOptions });
    expect(Object.keys(short)).not.toContain('description');
    expect(done(await seller.get(`${PATH}/${productId}?detail=full`))).toHaveProperty('description');
  });

  test('200: gives one that is off the market, marked', async () => {
    const { productId } = done(await seller.post(PATH, productFields()));
    done(await seller.delete(`${PATH}/${productId}`));

    expect(done(await seller.get(`${PATH}/${productId}`)).status).toBe('ARCHIVED');
  });

  test('404 NOT_FOUND for one that is not there', async () => {
    expectRefusal(await seller.get(`${PATH}/prd_none`), 404, {
      code: 'NOT_FOUND',
      words: 'No such product.',
    });
  });
});
