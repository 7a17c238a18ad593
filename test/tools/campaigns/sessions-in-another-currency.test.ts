import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Reply } from '../../support/callers/client.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover } from '../../support/sellers/discovery.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A product sold in dollars and in yen, chosen for 100 dollars before its advertiser came to pay in yen. */
describe('a session that was begun in another currency', () => {
  let server: TestServer;
  let buyer: Person;
  let storefrontId: string;
  let advertiserId: string;
  let discoveryId: string;
  let productId: string;
  beforeAll(async () => {
    server = await startTestServer();
    const pricingOptions = ['USD', 'JPY'].map((currency) => ({
      pricingModel: 'cpm',
      currency,
      fixedPrice: 5,
    }));
    const products = [productFields({ pricingOptions })];
    ({ storefrontId } = await openStorefront(await newPerson(server), { products }));
    buyer = await newPerson(server);
  });
  beforeEach(async () => {
    advertiserId = await newAdvertiser(buyer);
    const found = await discover(buyer, advertiserId, [storefrontId]);
    ({ discoveryId } = found);
    productId = found.productGroups[0]?.products[0]?.productId ?? '';
    done(await choose(discoveryId));
    done(await buyer.put(`/buyer/advertisers/${advertiserId}`, { primaryCurrency: 'JPY' }));
  });

  const choose = (id: string, more: object = {}) =>
    buyer.post(`/buyer/discovery/${id}/products`, { products: [{ productId, budget: 100 }], ...more });
  const fields = () => ({ advertiserId, name: 'Winter', flightDates, budget: { total: 50_000 } });
  const create = (more: object = {}) => buyer.post('/buyer/campaigns', { ...fields(), ...more });
  const draft = async () => done(await create()).campaign.campaignId as string;

  interface Refused {
    readonly call: () => Promise<Reply>;
    readonly field?: string;
    readonly way?: RegExp;
  }

  const ways: [name: string, refused: Refused][] = [
    ['made', { call: () => create({ discoveryId }) }],
    ['changed', { call: async () => buyer.put(`/buyer/campaigns/${await draft()}`, { discoveryId }) }],
    ['chosen for', { call: async () => choose(discoveryId, { campaignId: await draft() }) }],
    [
      'made with what it buys',
      {
        field: 'productQueryId',
        way: /product_query/,
        call: () =>
          buyer.post('/buyer/media-buys/batch', {
            productQueryId: discoveryId,
            campaign: { create: fields() },
            mode: 'stage',
            selections: [{ kind: 'product', productId }],
          }),
      },
    ],
  ];

  test.each(ways)('is bought by no campaign that is %s', async (_, refused) => {
    const { field = 'discoveryId', way = /discover_products/, call } = refused;
    const reply = await call();

    expectRefusal(reply, 400, {
      code: 'CURRENCY_MISMATCH',
      at: { [field]: 'It was begun in USD, and the campaign pays in JPY.' },
    });
    expect(reply.body.error.details.suggestion).toMatch(way);
  });

  test('gives way to another, of which the budget is a sum of its currency', async () => {
    const again = await discover(buyer, advertiserId, [storefrontId]);
    done(await choose(again.discoveryId));

    const { campaign } = done(await create({ discoveryId: again.discoveryId }));

    expect(campaign).toMatchObject({ allocatedBudget: 100, budget: { total: 50_000, currency: 'JPY' } });
  });
});
