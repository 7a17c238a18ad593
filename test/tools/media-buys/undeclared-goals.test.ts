import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fromJson, toJson } from '../../../store/engine/codec.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Figures that a seller or a measurement vendor measures: products declare them, and goals name them. */
describe('goals of a media buy', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  let discoveryId: string;
  let campaignId: string;
  let mediaBuyId: string;
  const vendor = { domain: 'gauge.example', brand_id: 'sight' };
  const goal = { kind: 'vendor_metric', vendor, metric_id: 'attention_units' };
  const logo = { asset_type: 'image', url: 'https://gauge.example/l.png', width: 9, height: 9 };
  const tooLong = { declared_at: 'x'.repeat(4_096) };
  const target = { kind: 'threshold_rate', value: 70 };
  const supported = [
    {
      vendor: { ...vendor, industries: ['media'] },
      metric_id: 'attention_units',
      supported_targets: ['threshold_rate', 'else'],
    },
    { vendor: { domain: 'GAUGE.example' }, metric_id: 'lift' },
    { vendor, metric_id: 'attention_units' },
    { vendor: { domain: 'no domain' }, metric_id: 'lift' },
    { vendor: { ...vendor, brand_id: ' ' }, metric_id: 'lift' },
    { vendor, metric_id: 7 },
    'nothing',
  ];
  const declared = {
    metric_optimization: {
      supported_metrics: ['clicks', 'views', 'completed_views', 'reach'],
      supported_reach_units: ['households', 'devices'],
      supported_targets: ['cost_per', 'per_mood', 7],
      supported_view_durations: [2, 'two', 6],
    },
    vendor_metric_optimization: { supported_metrics: supported },
  };

  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  afterEach(() => far.agent.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far', [
      adcpProduct('steered', declared),
      adcpProduct('unitless', { metric_optimization: { supported_metrics: ['reach', 'completed_views'] } }),
      adcpProduct('single', { ...declared, max_optimization_goals: 1 }),
      adcpProduct('boundless', { ...declared, max_optimization_goals: 'few' }),
      adcpProduct('plain', { vendor_metric_optimization: { supported_metrics: 'all' } }),
    ]);
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    ({ discoveryId } = await discover(buyer, advertiserId, [far.storefrontId]));
  });

  /** A media buy of these products that its seller holds, or that it refused. */
  const bought = async (ids: readonly string[], isTaken = true, isMerged = false) => {
    const each = ids.map((id) => ({ package_id: `pkg_${id}`, product_id: id, budget: 100 }));
    const packages = isMerged ? [{ ...each[0], budget: 100 * ids.length }] : each;
    const shown = { media_buy_id: 'far_1', status: 'active', packages };
    const refused = { errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'No.', recovery: 'correctable' }] };
    far.agent.on('create_media_buy', () => (isTaken ? shown : refused));
    far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    const products = ids.map((productId) => ({ productId, salesAgentId: far.agentId, budget: 100 }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    const campaign = { advertiserId, name: 'Winter', flightDates, budget: { total: 500 }, discoveryId };
    campaignId = done(await buyer.post('/buyer/campaigns', campaign)).campaign.campaignId;
    done(await execute());
    const [buy] = (await campaignNow()).mediaBuys;
    mediaBuyId = buy.mediaBuyId;
  };
  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const campaignNow = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const patch = (changes: object) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, changes);
  /** Looked at before the media buy is. */
  const patchAny = (wanted: object) =>
    buyer.patch('/buyer/media-buys/mb_mf4k000000000000000000', { optimization_goals: [wanted] });
  const toldTo = (name: string) => far.agent.calls.filter(({ tool }) => tool === name).at(-1)?.args;

  test('stand on the product, as far as they can be read, each once', async () => {
    const path = `/buyer/discovery/${discoveryId}/discover-products?groupLimit=10`;
    const { productGroups } = done(await buyer.get(path));
    const [steered, unitless, single, boundless, plain] = productGroups[0].products;

    expect(steered.optimizationVendorMetrics).toEqual([
      { vendor, metric_id: 'attention_units', supported_targets: ['threshold_rate'] },
      { vendor: { domain: 'gauge.example' }, metric_id: 'lift' },
    ]);
    expect(steered).toMatchObject({ optimizationTargets: ['cost_per'], viewDurations: [2, 6] });
    expect(plain).not.toHaveProperty('optimizationVendorMetrics');
    expect(unitless.optimizationTargets).toEqual([]);
    expect(plain).not.toHaveProperty('optimizationTargets');
    expect(single.maxOptimizationGoals).toBe(1);
    expect(boundless).not.toHaveProperty('maxOptimizationGoals');
  });

  test('have the targets and the lengths that their product declares', async () => {
    await bought(['steered']);
    const cost = { kind: 'cost_per', value: 2 };
    const goals = [
      { kind: 'metric', metric: 'clicks', target: cost },
      { kind: 'metric', metric: 'completed_views', view_duration_seconds: 6 },
      { kind: 'metric', metric: 'views', view_duration_seconds: 9 },
    ];

    done(await patch({ optimization_goals: goals }));

    expect(toldTo('update_media_buy')).toMatchObject({ packages: [{ optimization_goals: goals }] });
  });

  test('of products that were chosen before these told targets and lengths have any, as they had', async () => {
    const { db } = server.store;
    await bought(['unitless']);
    const { product } = await db
      .selectFrom('discovery_selections')
      .select('product')
      .where('organization_id', '=', Number(buyer.organizationId))
      .where('session_id', '=', discoveryId)
      .executeTakeFirstOrThrow();
    const { optimizationTargets: _, viewDurations: __, ...before } = fromJson(product);
    await db
      .updateTable('discovery_selections')
      .set({ product: toJson(before) })
      .where('organization_id', '=', Number(buyer.organizationId))
      .where('session_id', '=', discoveryId)
      .execute();
    const reach = { kind: 'metric', metric: 'reach', reach_unit: 'devices', target };
    const viewed = { kind: 'metric', metric: 'completed_views', view_duration_seconds: 3 };

    done(await patch({ optimization_goals: [reach, viewed] }));

    expect(toldTo('update_media_buy')).toMatchObject({ packages: [{ optimization_goals: [reach, viewed] }] });
  });

  test('are told to the seller that holds the order, kept and shown', async () => {
    await bought(['steered']);
    const brand = {
      industries: ['media'],
      data_subject_contestation: { url: 'https://gauge.example/object', languages: ['en'] },
      brand_kit_override: {
        logo: { ...logo, provenance: { declared_at: 'x' } },
        colors: { primary: '#00ff00' },
        tagline: 'Seen.',
      },
    };
    const goals = [
      { ...goal, vendor: { ...vendor, ...brand }, target, priority: 1 },
      { kind: 'metric', metric: 'clicks', priority: 2 },
    ];

    const { mediaBuy } = done(await patch({ optimization_goals: goals }));

    expect(mediaBuy).toMatchObject({ optimizationGoals: goals, changes: [{ state: 'confirmed' }] });
    expect(toldTo('update_media_buy')).toMatchObject({
      packages: [{ package_id: 'pkg_steered', optimization_goals: goals }],
    });
    expect((await campaignNow()).mediaBuys).toMatchObject([{ optimizationGoals: goals }]);
    const again = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
    expect(again.optimizationGoals).toEqual(goals);
  });

  test('are taken in the update of the campaign, in the domain’s own spelling', async () => {
    await bought(['steered']);
    const lift = { kind: 'vendor_metric', vendor: { domain: 'Gauge.example' }, metric_id: 'lift' };

    const changed = { mediaBuys: [{ mediaBuyId, optimization_goals: [lift] }] };
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, changed));

    expect(toldTo('update_media_buy')).toMatchObject({
      packages: [{ optimization_goals: [{ ...lift, vendor: { domain: 'gauge.example' } }] }],
    });
  });

  test('go with the order that is made anew, to the products that declare them', async () => {
    await bought(['steered'], false);
    const { mediaBuy } = done(await patch({ optimization_goals: [{ ...goal, target }] }));
    expect(mediaBuy.optimizationGoals).toEqual([{ ...goal, target }]);
    const products = [{ productId: 'plain', budget: 100 }];
    done(await patch({ products }));

    done(await execute());

    const packages = toldTo('create_media_buy')?.['packages'];
    expect(packages).toMatchObject([
      { product_id: 'steered', optimization_goals: [{ ...goal, target }] },
      { product_id: 'plain' },
    ]);
    expect(Array.isArray(packages) ? packages[1] : undefined).not.toHaveProperty('optimization_goals');
  });

  test('are as many as fit on a product that does not say in a number how many it takes', async () => {
    await bought(['boundless']);
    const goals = ['views', 'clicks', 'completed_views'].map((metric) => ({ kind: 'metric', metric }));

    done(await patch({ optimization_goals: goals }));

    expect(toldTo('update_media_buy')).toMatchObject({ packages: [{ optimization_goals: goals }] });
  });

  test('of an order that is made anew go to each product as far as it takes them', async () => {
    await bought(['steered'], false);
    const goals = [
      { kind: 'metric', metric: 'views', priority: 2 },
      { kind: 'metric', metric: 'clicks', priority: 1 },
    ];
    done(await patch({ optimization_goals: goals }));
    done(await patch({ products: [{ productId: 'single', budget: 100 }] }));

    done(await execute());

    expect(toldTo('create_media_buy')?.['packages']).toMatchObject([
      { product_id: 'steered', optimization_goals: goals },
      { product_id: 'single', optimization_goals: [goals[1]] },
    ]);
  });

  describe('422 CAPABILITY_NOT_SUPPORTED before the seller hears of it', () => {
    const FOR = 'as what it is optimized for.';
    test.each([
      [
        'another brand of the vendor',
        { ...goal, vendor: { domain: 'gauge.example', brand_id: 'ear' } },
        '',
        `does not declare attention_units of gauge.example (ear) ${FOR}`,
      ],
      [
        'the vendor without its brand',
        { ...goal, vendor: { domain: 'gauge.example' } },
        '',
        `does not declare attention_units of gauge.example ${FOR}`,
      ],
      [
        'another figure',
        { ...goal, metric_id: 'reach_units' },
        '',
        `does not declare reach_units of gauge.example (sight) ${FOR}`,
      ],
      [
        'a target it does not take',
        { ...goal, target: { kind: 'cost_per', value: 1 } },
        '.target',
        'declares attention_units of gauge.example (sight) with threshold_rate, and not with cost_per.',
      ],
      [
        'a target of a figure that takes none',
        { ...goal, vendor: { domain: 'gauge.example' }, metric_id: 'lift', target },
        '.target',
        'declares lift of gauge.example with no target, and not with threshold_rate.',
      ],
      [
        'a figure that sellers measure, and not for this product',
        { kind: 'metric', metric: 'saves' },
        '',
        `does not declare saves ${FOR}`,
      ],
      [
        'a target that the product does not take',
        { kind: 'metric', metric: 'clicks', target },
        '.target',
        'declares clicks with cost_per, and not with threshold_rate.',
      ],
      [
        'a length from which it does not count',
        { kind: 'metric', metric: 'completed_views', view_duration_seconds: 3 },
        '.view_duration_seconds',
        'declares completed_views of 2 or 6 seconds, and not of 3.',
      ],
      [
        'reach in another unit',
        { kind: 'metric', metric: 'reach', reach_unit: 'cookies' },
        '.reach_unit',
        'declares reach in households or devices, and not in cookies.',
      ],
    ])('for %s', async (...[, wanted, field, words]) => {
      await bought(['steered']);

      const reply = await patch({
        name: 'Other',
        optimization_goals: [{ kind: 'metric', metric: 'views' }, wanted],
      });

      expectRefusal(reply, 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: { [`optimization_goals.1${field}`]: `Product steered ${words}` },
        details: { unsupported: [{ mediaBuyId, salesAgentId: far.agentId }] },
      });
      expect(toldTo('update_media_buy')).toBeUndefined();
      expect((await campaignNow()).mediaBuys[0]).not.toHaveProperty('optimizationGoals');
    });

    test('for reach without a unit of a product that declares none, as an order is told none', async () => {
      await bought(['unitless']);
      const reach = { kind: 'metric', metric: 'reach' };

      expectRefusal(await patch({ optimization_goals: [reach] }), 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          'optimization_goals.0.reach_unit':
            'Product unitless declares no unit that reach is counted in: name one.',
        },
      });
      expect(toldTo('update_media_buy')).toBeUndefined();
      expect((await patch({ optimization_goals: [{ ...reach, reach_unit: 'devices' }] })).status).toBe(200);
    });

    test.each([
      ['the lowest priority', [{ priority: 3 }, { priority: 1 }], 0],
      ['the last place', [{}, {}], 1],
    ])('for more goals than the product takes, and names that of %s', async (_, priorities, place) => {
      await bought(['single']);
      const metrics = ['views', 'clicks'];
      const goals = metrics.map((metric, index) => ({ kind: 'metric', metric, ...priorities[index] }));
      const saves = { kind: 'metric', metric: 'saves', priority: 1 };

      const at = {
        [`optimization_goals.${place}`]:
          'Product single takes 1 goal of a package at the most, and others come before this.',
        'optimization_goals.2': `Product single does not declare saves ${FOR}`,
      };
      expectRefusal(await patch({ optimization_goals: [...goals, saves] }), 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at,
        details: { unsupported: [{ mediaBuyId, salesAgentId: far.agentId }, {}] },
      });
      expect(toldTo('update_media_buy')).toBeUndefined();
      expect((await patch({ optimization_goals: [goals[1 - place]] })).status).toBe(200);
    });

    test('for a length of a product that declares none, which counts from one of its own on', async () => {
      await bought(['unitless']);
      const viewed = { kind: 'metric', metric: 'completed_views' };

      const reply = await patch({ optimization_goals: [{ ...viewed, view_duration_seconds: 6 }] });

      expectRefusal(reply, 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          'optimization_goals.0.view_duration_seconds':
            'Product unitless declares completed_views of its own length, and not of 6 seconds.',
        },
      });
      expect(toldTo('update_media_buy')).toBeUndefined();
      done(await patch({ optimization_goals: [viewed] }));
    });

    test('for a target of a product that declares none', async () => {
      await bought(['unitless']);
      const reach = { kind: 'metric', metric: 'reach', reach_unit: 'devices', target };

      expectRefusal(await patch({ optimization_goals: [reach] }), 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          'optimization_goals.0.target':
            'Product unitless declares reach with no target, and not with threshold_rate.',
        },
        details: {
          unsupported: [{ mediaBuyId, salesAgentId: far.agentId, field: 'optimization_goals.0.target' }],
        },
      });
      expect(toldTo('update_media_buy')).toBeUndefined();
    });

    test('for a package whose product declares none, and no more once that is called off', async () => {
      await bought(['steered', 'plain']);
      const changed = { mediaBuys: [{ mediaBuyId, optimization_goals: [goal] }] };

      const reply = await buyer.put(`/buyer/campaigns/${campaignId}`, changed);

      expectRefusal(reply, 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          'mediaBuys.0.optimization_goals.0':
            'Product plain does not declare attention_units of gauge.example (sight) as what it is optimized for.',
        },
      });
      const { unsupported } = reply.body.error.details;
      expect(unsupported).toMatchObject([{ mediaBuyId, field: 'mediaBuys.0.optimization_goals.0' }]);
      const packages = [
        { package_id: 'pkg_steered', product_id: 'steered', budget: 100 },
        { package_id: 'pkg_plain', product_id: 'plain', budget: 100, canceled: true },
      ];
      const shown = { media_buy_id: 'far_1', status: 'active', packages };
      far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
      const off = { mediaBuys: [{ mediaBuyId, action: 'cancel', packageIds: ['pkg_plain'] }] };
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, off));
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, changed));
    });

    test('for a package in which its seller holds two products, of which one declares none', async () => {
      await bought(['steered', 'plain'], true, true);

      expectRefusal(await patch({ optimization_goals: [goal] }), 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          'optimization_goals.0': `Product plain does not declare attention_units of gauge.example (sight) ${FOR}`,
        },
      });
      expect(toldTo('update_media_buy')).toBeUndefined();
    });

    test('for an order that is made anew', async () => {
      await bought(['plain'], false);
      const clicks = { kind: 'metric', metric: 'clicks' };

      const reply = await patch({ optimization_goals: [goal, clicks] });

      const words = (figure: string) => `Product plain does not declare ${figure} ${FOR}`;
      expectRefusal(reply, 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: {
          'optimization_goals.0': words('attention_units of gauge.example (sight)'),
          'optimization_goals.1': words('clicks'),
        },
      });
      const { unsupported } = reply.body.error.details;
      const fields = ['optimization_goals.0', 'optimization_goals.1'];
      expect(unsupported).toMatchObject(fields.map((field) => ({ mediaBuyId, field })));
      expect((await campaignNow()).mediaBuys).toMatchObject([{ status: 'FAILED' }]);
    });
  });

  const OTHER_KIND = 'It does not go with what else is given here: leave it out.';
  test.each<[object, string, string | RegExp]>([
    [{ ...goal, vendor: undefined }, 'vendor', /^Required: give an object with domain, /],
    [{ ...goal, metric_id: undefined }, 'metric_id', 'Required: give a string.'],
    [{ ...goal, metric: 'clicks' }, 'metric', OTHER_KIND],
    [{ kind: 'metric', metric: 'clicks', vendor }, 'vendor', OTHER_KIND],
    [{ kind: 'metric' }, 'metric', /^Give one of: clicks, views, .*, reach\.$/],
    [{ ...goal, vendor: { domain: 'no domain' } }, 'vendor.domain', 'Give a domain such as acme.example.'],
    [
      { ...goal, vendor: { ...vendor, brand_id: 'x'.repeat(256) } },
      'vendor.brand_id',
      '255 characters at the most.',
    ],
    [{ ...goal, metric_id: 'x'.repeat(256) }, 'metric_id', '255 characters at the most.'],
    [
      { ...goal, vendor: { ...vendor, data_subject_contestation: { url: 'http://gauge.example' } } },
      'vendor.data_subject_contestation.url',
      'Give an address with https.',
    ],
    [
      { ...goal, vendor: { ...vendor, data_subject_contestation: { email: 'ada' } } },
      'vendor.data_subject_contestation.email',
      'Give an e-mail address such as ada@acme.example.',
    ],
    [
      { ...goal, vendor: { ...vendor, brand_kit_override: { colors: { primary: 'green' } } } },
      'vendor.brand_kit_override.colors.primary',
      'Give a color such as #0a0b0c.',
    ],
    [
      { ...goal, vendor: { ...vendor, brand_kit_override: { logo: { ...logo, provenance: tooLong } } } },
      'vendor.brand_kit_override.logo.provenance',
      '4096 characters of JSON at the most.',
    ],
  ])('are refused with 400 as %j', async (wanted, field, words) => {
    expectRefusal(await patchAny(wanted), 400, {
      code: 'VALIDATION_ERROR',
      at: { [`optimization_goals.0.${field}`]: words },
    });
  });

  test.each([
    [{ ...goal, event_sources: [] }, 'event_sources'],
    [{ kind: 'event', vendor, metric_id: 'lift' }, 'kind'],
  ])('are not goals of events, which stay 501: %j', async (wanted, field) => {
    expectRefusal(await patchAny(wanted), 501, {
      code: 'NOT_IMPLEMENTED',
      at: { [`optimization_goals.0.${field}`]: 'Documented, and not built yet.' },
    });
  });
});
