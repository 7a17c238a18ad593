import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import {
  done,
  newAdvertiser,
  type OpenStorefront,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const option = (changes: object = {}) => ({
  ...{ pricing_option_id: 'one', pricing_model: 'cpm', currency: 'USD', fixed_price: 10 },
  ...changes,
});
const at = (budget: number | undefined, impressions: object, spend?: number) => ({
  ...(budget === undefined ? {} : { budget }),
  metrics: { impressions, ...(spend === undefined ? {} : { spend: { mid: spend } }) },
});
const forecast = (points: object[], changes: object = {}) => ({
  forecast: { points, method: 'modeled', currency: 'USD', ...changes },
});
const curve = forecast([at(100, { mid: 10_000 }), at(1_000, { low: 60_000, high: 100_000 })]);
const shelf = forecast([at(undefined, { mid: 40_000 }, 400)], { forecast_range_unit: 'availability' });
const products = [
  productAt('a.example', 'curve', curve),
  productAt('b.example', 'shelf', shelf),
  productAt('c.example', 'dear', { pricing_options: [option({ min_spend_per_package: 5_000 })] }),
  productAt('d.example', 'flat', {
    pricing_options: [option({ pricing_model: 'flat_rate', fixed_price: 700 })],
  }),
  productAt('e.example', 'foreign', {
    pricing_options: [option({ currency: 'EUR', min_spend_per_package: 5_000 })],
  }),
  productAt('f.example', 'sure', { delivery_type: 'guaranteed', estimated_exposures: 50_000 }),
  productAt('g.example', 'silent', { delivery_type: 'guaranteed' }),
];

/** What is to be spent, and what it is to bring (AdCP, get_products: filters). */
describe('the amounts that product_query is asked for', () => {
  let server: TestServer;
  let far: FarSeller;
  let near: OpenStorefront;
  let buyer: Person;
  let advertiser_id: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', products);
    const priced = (minSpend: number) => ({
      pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 5, minSpend }],
    });
    near = await openStorefront(await newPerson(server), {
      products: [
        productFields({ name: 'Small', ...priced(100), estimatedExposures: 1_000 }),
        productFields({ name: 'Large', ...priced(9_000), estimatedExposures: 1_000_000 }),
      ],
    });
    buyer = await newPerson(server);
    advertiser_id = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const begin = (filters: object, storefrontId = far.storefrontId) =>
    buyer.post('/buyer/products/query', {
      buying_mode: 'wholesale',
      filters,
      ext: { interchange: { wait_seconds: 30, advertiser_id, storefront_ids: [storefrontId] } },
    });
  const told = () => far.agent.calls.filter(({ tool }) => tool === 'get_products').at(-1)?.args;
  const idsIn = (found: { products: { ext: { interchange: { source_product_id: string } } }[] }) =>
    found.products.map(({ ext }) => ext.interchange.source_product_id).sort();
  const usd = (range: object) => ({ budget_range: { ...range, currency: 'USD' } });

  test.each([
    ['so many exposures', { min_exposures: 30_000 }, ['curve', 'dear', 'flat', 'foreign', 'shelf', 'sure']],
    ['more than most bring', { min_exposures: 60_000 }, ['curve', 'dear', 'flat', 'foreign']],
    [
      'so many for what there is to spend',
      { min_exposures: 30_000, ...usd({ max: 90 }) },
      ['foreign', 'shelf', 'sure'],
    ],
    ['a budget', usd({ max: 600 }), ['curve', 'foreign', 'shelf', 'silent', 'sure']],
    ['a flat rate within it', usd({ max: 700 }), ['curve', 'flat', 'foreign', 'shelf', 'silent', 'sure']],
    [
      'the least that is to be spent',
      usd({ min: 401 }),
      ['curve', 'dear', 'flat', 'foreign', 'silent', 'sure'],
    ],
    ['both ends of a budget', usd({ min: 401, max: 600 }), ['curve', 'foreign', 'silent', 'sure']],
    ['as little as nothing', usd({ min: 0, max: 5_000 }), products.map(({ product_id }) => product_id)],
  ])('leave out what says that it does not come to %s', async (_, filters, ids) => {
    const found = done(await begin(filters));

    expect(idsIn(found)).toEqual([...ids].sort());
    expect(found.pagination.total_count).toBe(ids.length);
    expect(told()).toMatchObject({ filters });
  });

  test('leave out products of this service as well, and say what left them out', async () => {
    const namesIn = ({ products: shown }: { products: { name: string }[] }) => shown.map(({ name }) => name);

    expect(namesIn(done(await begin({ min_exposures: 5_000 }, near.storefrontId)))).toEqual(['Large']);
    expect(namesIn(done(await begin(usd({ max: 500 }), near.storefrontId)))).toEqual(['Small']);
    const none = done(await begin({ min_exposures: 5_000, ...usd({ max: 500 }) }, near.storefrontId));
    expect(none.products).toEqual([]);
    expect(none.ext.interchange.seller_notes).toMatchObject([
      {
        message:
          'Its products do not pass the filters: 1 are not said to bring so many exposures, 1 are not to be had for the budget.',
      },
    ]);
  });

  describe('for a flight', () => {
    const flight = { startDate: '2030-03-01T00:00:00Z', endDate: '2030-03-08T00:00:00Z' };
    /** Of 1,000,000 a month, and of 1,000, what falls to seven days. */
    const SEVEN_DAYS = { Large: 229_979, Small: 230 };
    type Found = { name: string; estimatedExposures?: number };
    const exposuresIn = (found: { productGroups: { products: Found[] }[] }) =>
      Object.fromEntries(
        found.productGroups.flatMap(({ products: shown }) =>
          shown.map(({ name, estimatedExposures }) => [name, estimatedExposures]),
        ),
      );
    const discovered = async (fields: object, { storefrontId }: { storefrontId: string } = near) => {
      const request = { advertiserId: advertiser_id, storefrontIds: [storefrontId], waitSeconds: 30 };
      return done(await buyer.post('/buyer/discovery/discover-products', { ...request, ...fields }));
    };

    test('are those of its days, of products of this service that tell them by the month', async () => {
      const days = { start_date: '2030-03-01', end_date: '2030-03-07' };
      const told = async (filters: object) =>
        done(await begin(filters, near.storefrontId)).products.map(
          (one: { name: string; estimated_exposures: number }) => [one.name, one.estimated_exposures],
        );

      expect(await told({ ...days, min_exposures: 229_979 })).toEqual([['Large', SEVEN_DAYS.Large]]);
      expect(await told({ ...days, min_exposures: 229_980 })).toEqual([]);
      expect(await told({ min_exposures: 229_980 })).toEqual([['Large', 1_000_000]]);
    });

    test('are told so where products are discovered, with a flight of their own or of a campaign', async () => {
      const opened = await discovered({ flightDates: flight });
      expect(exposuresIn(opened)).toEqual(SEVEN_DAYS);
      expect(exposuresIn(await discovered({}))).toEqual({ Large: 1_000_000, Small: 1_000 });

      const { campaign } = done(
        await buyer.post('/buyer/campaigns', {
          ...{ advertiserId: advertiser_id, name: 'Spring', flightDates: flight, budget: { total: 500 } },
        }),
      );
      expect(exposuresIn(await discovered({ campaignId: campaign.campaignId }))).toEqual(SEVEN_DAYS);
      const [{ productId }] = opened.productGroups[0].products;
      const { discoveryId } = opened;
      const refine = [{ scope: 'product', id: productId, action: 'include' }];
      const again = await buyer.post('/buyer/discovery/discover-products', {
        ...{ discoveryId, refine, waitSeconds: 30 },
      });
      expect(exposuresIn(done(again))).toEqual(SEVEN_DAYS);
    });

    test('are those that other sellers tell, who were asked about it', async () => {
      expect(exposuresIn(await discovered({ flightDates: flight }, far))).toMatchObject({
        'Product sure': 50_000,
      });
      expect(told()).toMatchObject({ filters: { start_date: '2030-03-01', end_date: '2030-03-08' } });
    });
  });

  test.each([
    [usd({}), { 'filters.budget_range.max': 'Required without min: give one of them, or both.' }],
    [usd({ min: 6, max: 5 }), { 'filters.budget_range.max': 'Must not be less than min.' }],
    [
      usd({ min: 0.001, max: 1.234 }),
      {
        'filters.budget_range.min': 'USD has 2 decimals at the most.',
        'filters.budget_range.max': 'USD has 2 decimals at the most.',
      },
    ],
    [{ min_exposures: 0 }, { 'filters.min_exposures': '1 at the least.' }],
  ])('are refused as %j', async (filters, at) => {
    expectRefusal(await begin(filters), 400, { code: 'VALIDATION_ERROR', at });
  });
});
