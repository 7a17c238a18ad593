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

const option = (changes: object) => ({
  pricing_option_id: 'one',
  pricing_model: 'cpm',
  currency: 'USD',
  ...changes,
});
const [fixed, auction] = [option({ fixed_price: 10 }), option({ pricing_option_id: 'two', floor_price: 5 })];
const products = [
  productAt('a.example', 'bid', { delivery_type: 'non_guaranteed', pricing_options: [auction] }),
  productAt('b.example', 'both', { delivery_type: 'non_guaranteed', pricing_options: [auction, fixed] }),
  productAt('c.example', 'sure', { delivery_type: 'guaranteed', pricing_options: [fixed] }),
  productAt('c.example', 'sole', {
    delivery_type: 'guaranteed',
    pricing_options: [fixed],
    exclusivity: 'exclusive',
  }),
  productAt('d.example', 'silent', {
    delivery_type: undefined,
    pricing_options: [fixed],
    exclusivity: 'category',
  }),
];

/** How products are sold (AdCP, get_products: filters, preferred_delivery_types). */
describe('the terms of sale that product_query is asked for', () => {
  let server: TestServer;
  let far: FarSeller;
  let near: OpenStorefront;
  let buyer: Person;
  let advertiser_id: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', products);
    near = await openStorefront(await newPerson(server), {
      products: [
        productFields({
          name: 'Bid',
          pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', floorPrice: 5 }],
        }),
        productFields({ name: 'Sure', deliveryType: 'guaranteed' }),
      ],
    });
    buyer = await newPerson(server);
    advertiser_id = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const query = (fields: object, own: object) =>
    buyer.post('/buyer/products/query', {
      buying_mode: 'wholesale',
      ...fields,
      ext: { interchange: { wait_seconds: 30, ...own } },
    });
  const begin = (fields: object, storefrontId = far.storefrontId) =>
    query(fields, { advertiser_id, storefront_ids: [storefrontId] });
  const namesIn = ({ products: shown }: { products: { name: string }[] }) => shown.map(({ name }) => name);
  const idsIn = ({
    products: shown,
  }: {
    products: { ext: { interchange: { source_product_id: string } } }[];
  }) => shown.map(({ ext }) => ext.interchange.source_product_id);
  const told = () => far.agent.calls.filter(({ tool }) => tool === 'get_products').at(-1)?.args;

  test.each([
    [{ delivery_type: 'guaranteed' }, ['sole', 'sure']],
    [{ delivery_type: 'non_guaranteed' }, ['bid', 'both']],
    [{ is_fixed_price: true }, ['both', 'silent', 'sole', 'sure']],
    [{ is_fixed_price: false }, ['bid', 'both']],
    [{ exclusivity: 'exclusive' }, ['sole']],
    [{ exclusivity: 'category' }, ['silent']],
    [{ exclusivity: 'none' }, ['bid', 'both', 'sure']],
    [{ delivery_type: 'guaranteed', is_fixed_price: true, exclusivity: 'none' }, ['sure']],
  ])('leave out what is not sold so: %j, also where its seller passes it on', async (filters, ids) => {
    const found = done(await begin({ filters }));

    expect(idsIn(found).sort()).toEqual(ids);
    expect(found.pagination.total_count).toBe(ids.length);
    expect(found.ext.interchange.candidate_count).toBe(ids.length);
    expect(told()).toMatchObject({ filters });
  });

  test('hold for every page of the query, and for what it asks again', async () => {
    const filters = { delivery_type: 'guaranteed' };
    const first = done(await begin({ filters, pagination: { max_results: 1 } }));
    const { cursor } = first.pagination;
    const second = done(await query({ pagination: { max_results: 1, cursor } }, {}));

    expect([...idsIn(first), ...idsIn(second)].sort()).toEqual(['sole', 'sure']);
    expect(second.pagination).toEqual({ has_more: false, total_count: 2 });
    const { execution_id } = first.ext.interchange;
    const refine = [{ scope: 'request', ask: 'Less sport' }];
    const refined = done(await query({ buying_mode: 'refine', refine }, { execution_id }));
    expect(idsIn(refined).sort()).toEqual(['sole', 'sure']);
    expect(told()).toMatchObject({ buying_mode: 'refine', filters });
  });

  test('leave out products of this service as well', async () => {
    expect(
      namesIn(done(await begin({ filters: { delivery_type: 'guaranteed' } }, near.storefrontId))),
    ).toEqual(['Sure']);
    expect(namesIn(done(await begin({ filters: { is_fixed_price: false } }, near.storefrontId)))).toEqual([
      'Bid',
    ]);
    const none = done(await begin({ filters: { exclusivity: 'exclusive' } }, near.storefrontId));
    expect(none.products).toEqual([]);
    expect(none.ext.interchange.seller_notes).toMatchObject([
      {
        reason: 'exclusivity',
        message: 'Its products do not pass the filters: 2 are not of the exclusivity.',
      },
    ]);
  });

  test.each([
    [['guaranteed'], ['sure', 'sole', 'bid', 'both', 'silent']],
    [
      ['guaranteed', 'non_guaranteed'],
      ['sure', 'sole', 'bid', 'both', 'silent'],
    ],
    [['non_guaranteed'], ['bid', 'both', 'sure', 'sole', 'silent']],
  ])('put first what is preferred, %j, and leave nothing out for that', async (preferred, ids) => {
    const found = done(await begin({ preferred_delivery_types: preferred }));

    expect(idsIn(found)).toEqual(ids);
    expect(told()).toMatchObject({ preferred_delivery_types: preferred });
  });

  test('belong to the beginning of a query, and are words of AdCP', async () => {
    const { execution_id } = done(await begin({})).ext.interchange;
    expectRefusal(await query({ preferred_delivery_types: ['guaranteed'] }, { execution_id }), 422, {
      code: 'VALIDATION_ERROR',
      at: { preferred_delivery_types: 'A query keeps what it began with.' },
    });
    expect((await begin({ filters: { delivery_type: 'sure' } })).status).toBe(400);
  });
});
