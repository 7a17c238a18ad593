import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { discover } from '../../support/sellers/discovery.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Of what is bought, who chose it, and what was chosen before. */
describe('audit_log_list, of the products that are chosen', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  let first: string;
  let second: string;
  let discoveryId: string;
  beforeAll(async () => {
    server = await startTestServer();
    const products = ['First', 'Second'].map((name) => productFields({ name }));
    const opened = await openStorefront(await newPerson(server), { products });
    storefrontId = opened.storefrontId;
    [first = '', second = ''] = opened.productIds;
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    ({ discoveryId } = await discover(buyer, advertiserId, [storefrontId]));
  });

  const path = () => `/buyer/discovery/${discoveryId}/products`;
  const choose = async (products: object[], more: object = {}) =>
    done(await buyer.post(path(), { products, ...more }));

  async function changesOf(query: string) {
    const { logs } = done(await buyer.get(`/buyer/audit-logs${query}`));
    return logs.map(({ changes }: { changes: object }) => changes);
  }

  test('tells what was given to each product, from what to what', async () => {
    await choose([{ productId: first, budget: 100 }]);
    await choose([{ productId: first, budget: 80 }]);

    const [latest, earliest] = await changesOf(`?resourceId=${discoveryId}`);

    expect(latest).toEqual({ [`products.${first}.budget`]: { from: 100, to: 80 } });
    expect(earliest).toMatchObject({ [`products.${first}.budget`]: { from: null, to: 100 } });
  });

  test('tells which products others took the place of, and which were dropped', async () => {
    await choose([{ productId: first, budget: 100 }]);
    await choose([{ productId: second, budget: 70 }], { replace: true });
    done(await buyer.delete(path(), { productIds: [second] }));

    const [dropped, replaced] = await changesOf(`?resourceId=${discoveryId}`);

    expect(replaced).toMatchObject({
      [`products.${first}.budget`]: { from: 100, to: null },
      [`products.${second}.budget`]: { from: null, to: 70 },
    });
    expect(dropped).toMatchObject({ [`products.${second}.budget`]: { from: 70, to: null } });
  });

  test('tells under the campaign which session it buys from, and what was selected for it', async () => {
    const fields = { advertiserId, name: 'Winter', flightDates, budget: { total: 200 } };
    const { campaignId } = done(await buyer.post('/buyer/campaigns', fields)).campaign;
    await choose([{ productId: first, budget: 100 }], { campaignId });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, { maxProducts: 2 }));

    const [selected, attached] = await changesOf(`?campaignId=${campaignId}`);

    expect(attached).toEqual({ discoveryId: { from: null, to: discoveryId } });
    expect(selected).toMatchObject({ [`products.${second}.budget`]: { from: null, to: 100 } });
  });

  test('tells under a draft that a new search is for it', async () => {
    const fields = { advertiserId, name: 'Winter', flightDates, budget: { total: 200 } };
    const { campaignId } = done(await buyer.post('/buyer/campaigns', fields)).campaign;
    const body = { advertiserId, campaignId, storefrontIds: [storefrontId] };
    const found = done(await buyer.post('/buyer/discovery/discover-products', body));

    const [attached] = await changesOf(`?campaignId=${campaignId}`);

    expect(attached).toEqual({ discoveryId: { from: null, to: found.discoveryId } });
  });
});
