import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { answersLater, type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const forecast = { method: 'estimate', currency: 'USD', points: [{ metrics: { impressions: { mid: 5 } } }] };
const products = [
  productAt('news.example', 'news', { forecast, countries: ['US'], secret_of_seller: 'x' }),
  productAt('sport.example', 'sport', { countries: ['DE'] }),
  productAt('tv.example', 'tv'),
];
const plan = {
  proposal_id: 'balanced',
  name: 'Balanced',
  allocations: [
    { product_id: 'news', allocation_percentage: 60 },
    { product_id: 'tv', allocation_percentage: 40 },
  ],
};

describe('product_query', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let other: FarSeller;
  let buyer: Person;
  let advertiser_id: string;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', products);
    other = await farSeller(server, 'Other Media', [productAt('blog.example', 'news')]);
    buyer = await newPerson(server);
    advertiser_id = await newAdvertiser(buyer);
    far.agent.on('get_products', () => ({ products, proposals: [plan] }));
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
    await other.agent.stop();
  });

  const query = ({ own = {}, ...fields }: { own?: object; [field: string]: unknown }) =>
    buyer.post('/buyer/products/query', { ...fields, ext: { interchange: { wait_seconds: 30, ...own } } });
  const begin = ({ own = {}, ...fields }: { own?: object; [field: string]: unknown } = {}) =>
    query({
      buying_mode: 'brief',
      brief: 'News',
      ...fields,
      own: { advertiser_id, storefront_ids: [far.storefrontId], ...own },
    });
  const idOf = (found: { ext: { interchange: { execution_id: string } } }) =>
    found.ext.interchange.execution_id;

  test.each(['3.0', '3.1', '3.2', '3.0.1', '3.1.0-beta.2'])(
    'takes the pin %s, as any of AdCP 3',
    async (pin) => {
      expect((await begin({ adcp_version: pin, adcp_major_version: 3 })).status).toBe(200);
    },
  );

  test.each([
    ['adcp_version', '2.0', '2.0'],
    ['adcp_version', '4.0', '4.0'],
    ['adcp_version', '30.1', '30.1'],
    ['adcp_major_version', 2, '2'],
    ['adcp_major_version', 4, '4'],
  ])('answers VERSION_UNSUPPORTED for %s %s, which is another major version', async (field, pin, given) => {
    const reply = await begin({ [field]: pin });

    const at = { [field]: `AdCP ${given} is not spoken here.` };
    expectRefusal(reply, 422, { code: 'VERSION_UNSUPPORTED', at });
  });

  test('answers VALIDATION_ERROR for a pin that is no release', async () => {
    const at = { adcp_version: 'Give a release of AdCP, such as 3.1.' };
    expectRefusal(await begin({ adcp_version: 'latest' }), 400, { code: 'VALIDATION_ERROR', at });
  });

  test('answers 200 in the words of AdCP, with what the seller says and ids that name the storefront', async () => {
    const reply = await begin();

    expect(reply.status).toBe(200);
    const found = done(reply);
    expect(found).toMatchObject({ status: 'completed', cache_scope: 'account', sandbox: false });
    expect(found.pagination).toEqual({ has_more: false, total_count: 3 });
    const [news] = found.products;
    expect(news).toMatchObject({
      name: expect.any(String),
      forecast,
      pricing_options: products[0]?.['pricing_options'],
      publisher_properties: [{ publisher_domain: 'news.example', selection_type: 'all' }],
      ext: {
        interchange: {
          storefront_id: far.storefrontId,
          source_product_id: 'news',
          sales_agent_id: far.agentId,
        },
      },
    });
    expect(news.product_id).toMatch(new RegExp(`^sf1:${far.storefrontId}:[A-Za-z0-9_-]+$`));
    expect(JSON.stringify(found)).not.toContain('secret_of_seller');
    expect(found.ext.interchange).toMatchObject({
      results_complete: true,
      provisional: false,
      candidate_count: 3,
      storefront_results: [{ storefront_id: far.storefrontId, status: 'completed', product_count: 3 }],
      screening: { enabled: false, status: 'not_run', instructions_read: [] },
    });
  });

  test('shows proposals whose parts name the products that it shows', async () => {
    const found = done(await begin());

    const [balanced] = found.proposals;
    expect(balanced.proposal_id).toMatch(new RegExp(`^sfp1:${far.storefrontId}:[A-Za-z0-9_-]+$`));
    const shown = new Map(
      found.products.map((one: { name: string; product_id: string }) => [one.product_id, one]),
    );
    for (const { product_id } of balanced.allocations) expect(shown.has(product_id)).toBe(true);
  });

  test('projects products to the fields that are asked for', async () => {
    const { products: shown } = done(await begin({ fields: ['delivery_type'] }));

    for (const product of shown) {
      expect(Object.keys(product).sort()).toEqual(['delivery_type', 'ext', 'name', 'product_id']);
    }
  });

  test('pages by a cursor, each product once', async () => {
    const first = done(await begin({ pagination: { max_results: 2 } }));
    expect(first.products).toHaveLength(2);
    expect(first.pagination).toMatchObject({ has_more: true, total_count: 3 });

    const { cursor } = first.pagination;
    const second = done(await query({ buying_mode: 'brief', pagination: { max_results: 2, cursor } }));

    expect(idOf(second)).toBe(idOf(first));
    expect(second.pagination).toEqual({ has_more: false, total_count: 3 });
    const all = [...first.products, ...second.products].map(({ ext }) => ext.interchange.source_product_id);
    expect(all.sort()).toEqual(['news', 'sport', 'tv']);
  });

  test('refuses a cursor that no page gave, and one of another query', async () => {
    const { pagination } = done(await begin({ pagination: { max_results: 1 } }));
    const another = done(await begin());

    const broken = await query({ buying_mode: 'brief', pagination: { cursor: 'x' } });
    const foreign = await query({
      buying_mode: 'brief',
      pagination: { cursor: pagination.cursor },
      own: { execution_id: idOf(another) },
    });

    for (const reply of [broken, foreign])
      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: { 'pagination.cursor': 'No page of this query gave it. Leave it out for the first page.' },
      });
  });

  test('keeps to its filters, and tells sellers of the flight and the budget', async () => {
    const filters = {
      countries: ['US'],
      start_date: '2026-12-10',
      end_date: '2026-12-31',
      budget_range: { max: 500, currency: 'USD' },
    };
    const found = done(await begin({ filters }));

    const ids = found.products.map(
      (one: { ext: { interchange: { source_product_id: string } } }) => one.ext.interchange.source_product_id,
    );
    expect(ids.sort()).toEqual(['news', 'tv']);
    const told = far.agent.calls.filter(({ tool }) => tool === 'get_products').at(-1);
    expect(told?.args).toMatchObject({
      buying_mode: 'brief',
      brief: 'News',
      filters: { start_date: '2026-12-10', end_date: '2026-12-31', countries: ['US'] },
    });
  });

  test('asks for all there is in wholesale', async () => {
    const found = done(await begin({ buying_mode: 'wholesale', brief: undefined }));

    expect(found.products).toHaveLength(3);
    const told = far.agent.calls.filter(({ tool }) => tool === 'get_products').at(-1);
    expect(told?.args).toMatchObject({ buying_mode: 'wholesale' });
  });

  test('refines products of the one seller that an id names, and says what became of each', async () => {
    const both = { storefront_ids: [far.storefrontId, other.storefrontId] };
    const found = done(await begin({ own: both }));
    const mine = found.products.find(
      ({ ext }: { ext: { interchange: Record<string, string> } }) =>
        ext.interchange['source_product_id'] === 'news' &&
        ext.interchange['storefront_id'] === far.storefrontId,
    );

    const item = { scope: 'product', product_id: mine.product_id, action: 'omit' };
    const own = { execution_id: idOf(found) };
    const refined = done(await query({ buying_mode: 'refine', refine: [item], own }));

    const left = refined.products.map((one: { product_id: string }) => one.product_id);
    expect(left).toHaveLength(3);
    expect(left).not.toContain(mine.product_id);
    expect(refined.refinement_applied).toEqual([
      { scope: 'product', product_id: mine.product_id, status: 'applied' },
    ]);
  });

  test('says of what it leaves out that it is chosen still, and not of another seller’s under that id', async () => {
    const found = done(await begin({ own: { storefront_ids: [far.storefrontId, other.storefrontId] } }));
    const chosen = `/buyer/discovery/${idOf(found)}/products`;
    const choice = (seller: FarSeller) => ({ productId: 'news', salesAgentId: seller.agentId });
    done(await buyer.post(chosen, { products: [choice(other)] }));
    const mine = found.products.find(
      ({ ext }: { ext: { interchange: Record<string, string> } }) =>
        ext.interchange['source_product_id'] === 'news' &&
        ext.interchange['storefront_id'] === far.storefrontId,
    );

    const refine = [{ scope: 'product', product_id: mine.product_id, action: 'omit' }];
    const own = { execution_id: idOf(found) };
    const refined = done(await query({ buying_mode: 'refine', refine, own }));

    expect(refined.ext.interchange).not.toHaveProperty('guidance');
    expect(done(await buyer.get(chosen))).not.toHaveProperty('warnings');

    const again = done(await begin());
    const chosenAgain = `/buyer/discovery/${idOf(again)}/products`;
    done(await buyer.post(chosenAgain, { products: [choice(far)] }));
    const item = again.products.find(
      ({ ext }: { ext: { interchange: Record<string, string> } }) =>
        ext.interchange['source_product_id'] === 'news',
    );
    const omitted = await query({
      buying_mode: 'refine',
      refine: [{ scope: 'product', product_id: item.product_id, action: 'omit' }],
      own: { execution_id: idOf(again) },
    });
    expect(done(omitted).ext.interchange.guidance).toMatch(/^Product news is chosen still/);
  });

  test('refuses to refine what another entry leaves out, of one seller where both name it', async () => {
    const found = done(await begin({ own: { storefront_ids: [far.storefrontId, other.storefrontId] } }));
    const [first, second] = found.products
      .filter(
        ({ ext }: { ext: { interchange: Record<string, string> } }) =>
          ext.interchange['source_product_id'] === 'news',
      )
      .map(({ product_id }: { product_id: string }) => product_id);
    const own = { execution_id: idOf(found) };
    const refine = [first, second, first].map((product_id, place) => ({
      scope: 'product',
      product_id,
      ...(place === 2 ? {} : { action: 'omit' }),
    }));

    expectRefusal(await query({ buying_mode: 'refine', refine, own }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.2.product_id': 'Another entry of refine leaves it out.' },
    });
    const each = [refine[0], { scope: 'product', product_id: second }];
    expect((await query({ buying_mode: 'refine', refine: each, own })).status).toBe(200);
    const gone = await query({ buying_mode: 'refine', refine: each, own });
    expectRefusal(gone, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.0.product_id': 'This session has no such product.' },
    });
    expect(gone.body.error.details.suggestion).toContain('product_query shows it again');
  });

  test('refuses to refine by ids of another query or made up, all at once', async () => {
    const [one, another] = [done(await begin()), done(await begin())];

    const refine = [
      { scope: 'product', product_id: another.products[0].product_id },
      { scope: 'proposal', proposal_id: `sfp1:${far.storefrontId}:bWFkZQ` },
      { scope: 'product', product_id: 'news' },
    ];
    const reply = await query({ buying_mode: 'refine', refine, own: { execution_id: idOf(one) } });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'refine.0.product_id': 'This query has given no such product.',
        'refine.1.proposal_id': 'This query has given no such proposal.',
        'refine.2.product_id': 'This query has given no such product.',
      },
    });
  });

  test('names what a mode needs, all at once', async () => {
    const reply = await query({ buying_mode: 'refine' });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'ext.interchange.execution_id': 'Required to refine: the query that is to be changed.',
        refine: 'Required with buying_mode refine.',
      },
    });
    expectRefusal(await query({ buying_mode: 'brief' }), 400, {
      code: 'VALIDATION_ERROR',
      at: {
        brief: 'Required with buying_mode brief.',
        'ext.interchange.advertiser_id': 'Required to begin a query: find ids with advertiser_list.',
      },
    });
  });

  test('takes as many storefronts as the contract lets be named, and no more', async () => {
    const named = (count: number) => ({
      storefront_ids: Array(count).fill(far.storefrontId),
      storefront_names: Array(count).fill('Far'),
    });

    expect((await begin({ own: named(100) })).status).toBe(200);
    const most = '100 entries at the most.';
    expectRefusal(await begin({ own: named(101) }), 400, {
      code: 'VALIDATION_ERROR',
      at: { 'ext.interchange.storefront_ids': most, 'ext.interchange.storefront_names': most },
    });
  });

  test('calls storefronts and amounts by the names that the caller gave them', async () => {
    const lost = await begin({ own: { storefront_ids: ['999999'] } });
    const fine = await begin({ filters: { budget_range: { max: 1.234, currency: 'USD' } } });

    expectRefusal(lost, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'ext.interchange.storefront_ids.0': 'No such storefront.' },
    });
    expectRefusal(fine, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'filters.budget_range.max': 'USD has 2 decimals at the most.' },
    });
  });

  test('is CURRENCY_MISMATCH for a budget in another currency than the advertiser pays in', async () => {
    const reply = await begin({ filters: { budget_range: { max: 5, currency: 'EUR' } } });

    expectRefusal(reply, 400, {
      code: 'CURRENCY_MISMATCH',
      at: { 'filters.budget_range.currency': 'The advertiser pays in USD, not in EUR.' },
    });
  });

  test('is NOT_IMPLEMENTED for what AdCP has and this service does not do', async () => {
    expectRefusal(await begin({ brand: { domain: 'acme.example' } }), 501, {
      code: 'NOT_IMPLEMENTED',
      at: { brand: 'Documented, and not built yet.' },
    });
    expectRefusal(await begin({ filters: { keywords: [] } }), 501, {
      code: 'NOT_IMPLEMENTED',
      at: { 'filters.keywords': 'Documented, and not built yet.' },
    });
    expectRefusal(await begin({ time_budget: { interval: 1, unit: 'campaign' } }), 501, {
      code: 'NOT_IMPLEMENTED',
      at: { 'time_budget.unit': 'Documented, and not built yet.' },
    });
  });

  test('keeps a query to what it began with, and to whom it belongs', async () => {
    const own = { execution_id: idOf(done(await begin())) };

    const changed = await query({ buying_mode: 'brief', brief: 'Sport', own });
    expectRefusal(changed, 422, {
      code: 'VALIDATION_ERROR',
      at: { brief: 'A query keeps what it began with.' },
    });
    const stranger = await newPerson(server);
    const ext = { interchange: own };
    const theirs = await stranger.post('/buyer/products/query', { buying_mode: 'brief', ext });
    expectRefusal(theirs, 404, { code: 'NOT_FOUND', words: 'No such discovery session.' });
  });

  test('is CONFLICT where a query that still collects is to be refined, and says whom it waits for', async () => {
    const held = answersLater(other, { products: [] });
    const found = done(await begin({ own: { wait_seconds: 1, storefront_ids: [other.storefrontId] } }));
    expect(found.ext.interchange).toMatchObject({
      results_complete: false,
      provisional: true,
      retry_with_longer_wait_available: true,
      poll_after_ms: 1_000,
      pending_agents: [{ agent_id: other.agentId }],
      storefront_results: [{ storefront_id: other.storefrontId, status: 'pending' }],
    });
    expect(found.incomplete).toEqual([{ scope: 'products', description: '1 seller has not answered yet.' }]);

    const refine = [{ scope: 'request', ask: 'More' }];
    const reply = await query({ buying_mode: 'refine', refine, own: { execution_id: idOf(found) } });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      words: 'The session still collects: its sellers are being asked.',
    });
    held.open();
  });

  test('shows what a query of discover_products found as far as that was kept', async () => {
    const found = done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId: advertiser_id,
        brief: 'News',
        storefrontIds: [far.storefrontId],
        waitSeconds: 30,
      }),
    );

    const own = { execution_id: found.discoveryId };
    const { products: shown } = done(await query({ buying_mode: 'brief', own }));

    expect(shown).toHaveLength(3);
    expect(shown[0]).toMatchObject({ pricing_options: [{ currency: 'USD' }] });
    expect(shown[0]).not.toHaveProperty('forecast');
  });

  test('shows how a product is bought, whatever its seller puts beside the prices', async () => {
    const price = { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 5 };
    // Members that are named by numbers stand before all others.
    const beside = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [String(at), at]));
    const product = productAt('crowd.example', 'crowd', { pricing_options: [{ ...beside, ...price }] });
    other.agent.on('get_products', () => ({ products: [product] }));

    const found = done(await begin({ own: { storefront_ids: [other.storefrontId] } }));

    expect(found.products).toMatchObject([{ pricing_options: [price] }]);
  });
});
