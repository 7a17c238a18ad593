import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal, type Refusal } from '../../support/callers/refusals.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A buy that no seller holds takes other products, periods and goals; a further execute orders them. */
describe('a media buy whose order was refused', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  afterEach(() => far.agent.stop());
  beforeEach(async () => {
    const goals = { metric_optimization: { supported_metrics: ['clicks', 'views'] } };
    far = await farSeller(server, 'Far', [
      adcpProduct('one', goals),
      adcpProduct('two', goals),
      adcpProduct('three'),
    ]);
    far.agent.on('create_media_buy', () => ({
      errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.', recovery: 'correctable' }],
    }));
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'one', total: 500 });
    done(await execute());
    const [buy] = (await campaignNow()).mediaBuys;
    mediaBuyId = buy.mediaBuyId;
    expect(buy.status).toBe('FAILED');
  });

  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const campaignNow = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const patch = (changes: object) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, changes);
  const takesOrders = (media_buy_id: string) =>
    far.agent.on('create_media_buy', () => ({ media_buy_id, status: 'active', packages: [] }));
  const lastOrder = () => far.agent.calls.filter(({ tool }) => tool === 'create_media_buy').at(-1)?.args;

  test('is given another product, is a draft with it at once, and is ordered with it', async () => {
    const { mediaBuy } = done(
      await patch({
        products: [
          { productId: 'one', remove: true },
          { productId: 'two', budget: 150, pacing: 'asap' },
        ],
        reason: 'Sold out.',
      }),
    );
    expect(mediaBuy).toMatchObject({
      status: 'DRAFT',
      history: [{ budget: 150, updated_reason: 'Sold out.' }, { budget: 100 }, { budget: 100 }],
    });
    expect(mediaBuy).not.toHaveProperty('errorCode');
    expect((await campaignNow()).mediaBuys).toMatchObject([
      { mediaBuyId, products: [{ productId: 'two', budget: 150 }] },
    ]);

    takesOrders('far_two');
    expect(done(await execute())).toMatchObject({ success: true, mediaBuys: [{ mediaBuyId }] });

    expect(lastOrder()).toMatchObject({ packages: [{ product_id: 'two', budget: 150, pacing: 'asap' }] });
    expect((await campaignNow()).mediaBuys).toMatchObject([{ mediaBuyId, status: 'ACTIVE' }]);
  });

  describe('makes another revision of each campaign that buys from the session, with another choice', () => {
    let other: string;
    beforeEach(async () => {
      const { discoveryId } = await campaignNow();
      const draft = { advertiserId, name: 'Spring', flightDates, budget: { total: 500 }, discoveryId };
      other = done(await buyer.post('/buyer/campaigns', draft)).campaign.campaignId;
    });
    const etagOf = async (id: string) =>
      (await buyer.get(`/buyer/campaigns/${id}`)).headers.get('etag') ?? '';
    const executeIf = (id: string, match: string) =>
      buyer.send(`/buyer/campaigns/${id}/execute`, { method: 'POST', headers: { 'if-match': match } });
    const raised = { products: [{ productId: 'one', budget: 250 }] };

    test.each<[string, () => Promise<unknown>]>([
      ['of the media buy', async () => done(await patch(raised))],
      [
        'in the update of its campaign',
        async () =>
          done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, ...raised }] })),
      ],
    ])('%s', async (_, change) => {
      const ids = [campaignId, other];
      const read = await Promise.all(ids.map(etagOf));
      const asked = far.agent.calls.length;

      await change();

      for (const [index, id] of ids.entries()) {
        const refused = await executeIf(id, read[index] ?? '');
        expectRefusal(refused, 409, { code: 'CONFLICT', at: { 'If-Match': /changed/ } });
      }
      expect(far.agent.calls).toHaveLength(asked);
      takesOrders('far_other');
      done(await executeIf(campaignId, await etagOf(campaignId)));
      expect(lastOrder()).toMatchObject({ packages: [{ product_id: 'one', budget: 250 }] });
    });

    test('and none of another campaign with the same one', async () => {
      const revisionOf = async () => done(await buyer.get(`/buyer/campaigns/${other}`)).campaign.revision;
      const read = await revisionOf();

      done(await patch({ products: [{ productId: 'one', budget: 100 }] }));

      expect(await revisionOf()).toBe(read);
    });
  });

  test('says to whoever changes or calls off its packages that products are changed, and it has none', async () => {
    const message =
      'The media buy has no such package. No seller holds its order: change its products, with products, and execute the campaign again.';
    const changed = await patch({ packages: [{ packageId: 'pkg_1', budget: 50 }] });
    expectRefusal(changed, 422, { code: 'VALIDATION_ERROR', at: { 'packages.0.packageId': message } });
    expect(changed.body.error.details.suggestion).toBe(
      'Change products of the media buy in place of packages, and order it with campaign_execute.',
    );

    const mediaBuys = [{ mediaBuyId, packages: [{ packageId: 'pkg_1', budget: 50 }] }];
    const byCampaign = await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys });
    expectRefusal(byCampaign, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.0.packages.0.packageId': message },
    });
  });

  test('is given products in the update of its campaign, beside a larger budget', async () => {
    const { campaign } = done(
      await buyer.put(`/buyer/campaigns/${campaignId}`, {
        budget: { total: 900 },
        mediaBuys: [{ mediaBuyId, products: [{ productId: 'three', budget: 700 }] }],
      }),
    );

    expect(campaign.mediaBuys).toMatchObject([
      { status: 'DRAFT', budget: 800, products: [{ productId: 'one' }, { productId: 'three', budget: 700 }] },
    ]);
  });

  test('keeps what is not said of a product that it has', async () => {
    done(await patch({ products: [{ productId: 'one', pacing: 'even' }] }));
    takesOrders('far_one');
    done(await execute());

    expect(lastOrder()).toMatchObject({ packages: [{ product_id: 'one', budget: 100, pacing: 'even' }] });
  });

  test('is given periods and goals of its own, and takes those of its campaign again', async () => {
    const periods = [{ label: 'days', start: '2026-12-12', end: '2026-12-13', weight: 1 }];
    const optimization_goals = [{ kind: 'metric', metric: 'views', priority: 1 }];
    const products = [
      { productId: 'one', remove: true },
      { productId: 'two', budget: 80 },
    ];
    const pacingPeriods = { mode: 'weight', periods };

    const { mediaBuy } = done(await patch({ products, pacingPeriods, optimization_goals }));
    expect(mediaBuy.optimizationGoals).toEqual(optimization_goals);
    expect((await campaignNow()).mediaBuys).toMatchObject([
      { pacingPeriods, optimizationGoals: optimization_goals },
    ]);
    done(await patch({ name: 'Named' }));
    far.agent.on('create_media_buy', () => ({ errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'No.' }] }));
    done(await execute());
    expect(lastOrder()).toMatchObject({
      packages: [{ optimization_goals, budget: 80, start_time: '2026-12-12T00:00:00.000Z' }],
    });

    done(await patch({ pacingPeriods: null, optimization_goals: [] }));
    takesOrders('far_again');
    done(await execute());
    const [part] = (lastOrder()?.['packages'] ?? []) as object[];
    expect(part).not.toHaveProperty('start_time');
    expect(part).not.toHaveProperty('optimization_goals');
  });

  test.each<[object, number, Refusal]>([
    [
      { products: [{ productId: 'nothing' }] },
      400,
      {
        code: 'VALIDATION_ERROR',
        at: { 'products.0.productId': 'This session has not found such a product.' },
      },
    ],
    [
      { products: [{ productId: 'one', remove: true }] },
      422,
      {
        code: 'VALIDATION_ERROR',
        at: { products: 'Nothing is left of it: delete the media buy instead.' },
      },
    ],
    [
      { products: [{ productId: 'two', remove: true }] },
      400,
      { code: 'VALIDATION_ERROR', at: { 'products.0.productId': 'It is not chosen.' } },
    ],
    [
      { products: [{ productId: 'two', budget: 9_000 }] },
      409,
      {
        code: 'INSUFFICIENT_MEDIA_BUDGET',
        at: {
          'budget.total': 'The campaign has 500.00 USD (budget.total); the chosen products take 9100.00 USD.',
        },
      },
    ],
    [
      { products: [{ productId: 'two', pageId: 'p' }] },
      501,
      { code: 'NOT_IMPLEMENTED', at: { 'products.0.pageId': 'Documented, and not built yet.' } },
    ],
    [
      { optimization_goals: [{ kind: 'event' }] },
      501,
      { code: 'NOT_IMPLEMENTED', at: { 'optimization_goals.0.kind': 'Documented, and not built yet.' } },
    ],
    [
      { optimization_goals: [{ kind: 'metric', metric: 'clicks', reach_unit: 'devices' }] },
      400,
      {
        code: 'VALIDATION_ERROR',
        at: { 'optimization_goals.0.metric': 'Only reach has reach_unit and target_frequency.' },
      },
    ],
    [
      {
        pacingPeriods: {
          mode: 'weight',
          periods: [{ label: 'x', start: '2026-12-01', end: '2026-12-12', weight: 1 }],
        },
      },
      400,
      {
        code: 'VALIDATION_ERROR',
        at: { 'pacingPeriods.periods.0.start': 'Must be inside the flight.' },
      },
    ],
    [
      {
        pacingPeriods: {
          mode: 'budget',
          periods: [{ label: 'x', start: '2026-12-12', end: '2026-12-13', budget: 50 }],
        },
      },
      422,
      {
        code: 'VALIDATION_ERROR',
        at: {
          pacingPeriods:
            'Its periods let 50.00 USD be spent, and its products take 100.00 USD: give the periods more, or the products less.',
        },
      },
    ],
  ])('stays as it is where %j is refused', async (changes, status, refusal) => {
    expectRefusal(await patch(changes), status, refusal);

    expect((await campaignNow()).mediaBuys).toMatchObject([
      { status: 'FAILED', products: [{ productId: 'one', budget: 100 }] },
    ]);
  });

  describe('once a seller holds it', () => {
    beforeEach(async () => {
      far.agent.on('create_media_buy', () => ({
        media_buy_id: 'far_1',
        status: 'active',
        packages: [{ package_id: 'pkg_1', product_id: 'one', budget: 100 }],
      }));
      far.agent.on('get_media_buys', () => ({ media_buys: [{ media_buy_id: 'far_1', status: 'active' }] }));
      far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
      done(await execute());
    });

    test('is refused other products and periods with 409', async () => {
      const periods = [{ label: 'all', start: '2026-12-10', end: '2026-12-31', weight: 1 }];
      for (const changes of [
        { products: [{ productId: 'two' }] },
        { products: [{ productId: 'one', budget: 101 }] },
        { products: [{ productId: 'one', remove: true }] },
        { pacingPeriods: { mode: 'weight', periods } },
        // As it stands, and said otherwise beside.
        {
          products: [{ productId: 'one', budget: 100 }],
          packages: [{ packageId: 'pkg_1', budget: 40 }],
        },
      ]) {
        expectRefusal(await patch(changes), 409, {
          code: 'CONFLICT',
          at: { media_buy_id: 'Winter – Agent is ACTIVE: its seller holds the order.' },
        });
      }
    });

    test('is answered as it stands where that is what is asked for, and nothing is written', async () => {
      const read = async () => (await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).body.data.mediaBuy;
      const before = await read();

      for (const changes of [{ products: [{ productId: 'one', budget: 100 }] }, { pacingPeriods: null }]) {
        done(await patch(changes));
      }

      expect(await read()).toEqual(before);
      expect(far.agent.calls.filter(({ tool }) => tool === 'update_media_buy')).toEqual([]);
    });

    test('tells its seller other goals, package by package, and none at all is refused', async () => {
      const optimization_goals = [{ kind: 'metric', metric: 'clicks' }];

      const { mediaBuy } = done(await patch({ optimization_goals }));

      expect(mediaBuy).toMatchObject({
        optimizationGoals: optimization_goals,
        changes: [{ state: 'confirmed' }],
      });
      const told = far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').at(-1)?.args;
      expect(told).toMatchObject({ packages: [{ package_id: 'pkg_1', optimization_goals }] });
      const none = await patch({ optimization_goals: [] });
      expectRefusal(none, 422, {
        code: 'VALIDATION_ERROR',
        at: {
          optimization_goals: 'Sellers are told other goals, and never to have none: give one at least.',
        },
      });
    });

    test('422 CAPABILITY_NOT_SUPPORTED for goals that its seller has no field for', async () => {
      far.agent.declares('update_media_buy', {
        media_buy_id: {},
        packages: { items: { properties: { package_id: {}, budget: {} } } },
      });

      const reply = await patch({ optimization_goals: [{ kind: 'metric', metric: 'views' }] });

      expectRefusal(reply, 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          optimization_goals:
            'The seller declares no “packages.optimization_goals” for changes of a media buy.',
        },
      });
    });
  });
});
