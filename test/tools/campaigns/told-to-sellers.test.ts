import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover, draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** What a campaign says comes with the order, in the words of AdCP, or is kept by how the order is made. */
describe('an order of a campaign', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  const daily = { max_impressions: 3, window: { interval: 1, unit: 'days' } };
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far', [
      adcpProduct('far-1', {
        metric_optimization: {
          supported_metrics: ['clicks', 'completed_views', 'reach'],
          supported_reach_units: ['households'],
          supported_targets: ['cost_per'],
          supported_view_durations: [6, 15],
        },
      }),
      adcpProduct('far-2', {
        metric_optimization: { supported_metrics: ['clicks', 'views', 'completed_views'] },
        max_optimization_goals: 2,
      }),
    ]);
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { frequencyCaps: [daily] });
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  /** A draft of 2,100 over 21 days, for one product of the seller, which is given 100 unless said otherwise. */
  const draft = async (changes: object, budget = 2_100, productId = 'far-1') => {
    const campaignId = await draftOf(buyer, { ...far, advertiserId, productId, budget });
    return { campaignId, campaign: done(await put(campaignId, changes)).campaign };
  };
  /** What the last execute said beside what was ordered. */
  let told: readonly { readonly type: string; readonly hint: string }[] = [];
  const put = (campaignId: string, changes: object) => buyer.put(`/buyer/campaigns/${campaignId}`, changes);
  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const packagesOf = async (campaignId: string) => {
    const { warnings } = done(await execute(campaignId));
    told = warnings ?? [];
    const orders = far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
    return orders.at(-1)?.args['packages'] as Record<string, unknown>[];
  };

  test('names every kind of constraint that sellers are to keep', async () => {
    const { campaignId } = await draft({
      constraints: {
        geo_countries: ['US'],
        geo_regions: ['US-CA'],
        geo_metros: [{ system: 'nielsen_dma', values: ['501'] }],
        geo_postal_areas: [{ country: 'US', system: 'zip', values: ['90210'] }],
        language: ['en'],
        device_platform: ['ios'],
        device_type: ['mobile'],
        device_type_exclude: ['ctv'],
      },
    });

    expect(await packagesOf(campaignId)).toMatchObject([
      {
        targeting_overlay: {
          geo_countries: ['US'],
          geo_regions: ['US-CA'],
          geo_metros: [{ system: 'nielsen_dma', values: ['501'] }],
          geo_postal_areas: [{ system: 'us_zip', values: ['90210'] }],
          language: ['en'],
          device_platform: ['ios'],
          device_type: ['mobile'],
          device_type_exclude: ['ctv'],
        },
      },
    ]);
  });

  test('has a package for each pacing period, with its days and its share', async () => {
    const { campaignId } = await draft({
      pacingPeriods: {
        mode: 'weight',
        periods: [
          { label: 'first', start: '2026-12-10', end: '2026-12-12', weight: 1 },
          { label: 'second', start: '2026-12-20', end: '2026-12-21', weight: 2 },
        ],
      },
    });

    expect(await packagesOf(campaignId)).toMatchObject([
      { budget: 900, start_time: '2026-12-10T00:00:00.000Z', end_time: '2026-12-13T00:00:00.000Z' },
      { budget: 1_200, start_time: '2026-12-20T00:00:00.000Z', end_time: '2026-12-22T00:00:00.000Z' },
    ]);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    const [{ mediaBuyId, packages }] = campaign.mediaBuys;
    const ordered = far.agent.calls.filter(({ tool }) => tool === 'create_media_buy').at(-1)?.args;
    expect(packages).toMatchObject(
      ((ordered?.['packages'] ?? []) as { start_time: string; end_time: string }[]).map((line) => ({
        startTime: line.start_time,
        endTime: line.end_time,
      })),
    );
    expect(done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`))).toMatchObject({
      isPaced: true,
      packages: [
        { pacingPeriod: { index: 1, label: 'first' }, startTime: '2026-12-10T00:00:00.000Z' },
        { pacingPeriod: { index: 2, label: 'second' }, endTime: '2026-12-22T00:00:00.000Z' },
      ],
    });
  });

  test('names the goals that the product can be optimized for, and the buy shows them', async () => {
    const { campaignId, campaign } = await draft({
      performanceConfig: {
        optimizationGoals: [
          { kind: 'metric', metric: 'reach', priority: 1 },
          { kind: 'metric', metric: 'clicks', target: { kind: 'cost_per', value: 2 } },
          { kind: 'metric', metric: 'saves' },
          { kind: 'metric', metric: 'clicks', target: { kind: 'threshold_rate', value: 0.1 } },
          { kind: 'metric', metric: 'completed_views', viewDurationSeconds: 6 },
          { kind: 'metric', metric: 'completed_views', viewDurationSeconds: 7 },
        ],
      },
    });
    const leftOut = 'for saves, clicks with threshold_rate, completed_views of 7 seconds: it is bought';
    expect(campaign.warnings.join()).toContain(leftOut);
    const optimization_goals = [
      { kind: 'metric', metric: 'reach', reach_unit: 'households', priority: 1 },
      { kind: 'metric', metric: 'clicks', target: { kind: 'cost_per', value: 2 } },
      { kind: 'metric', metric: 'completed_views', view_duration_seconds: 6 },
    ];

    expect(await packagesOf(campaignId)).toMatchObject([{ optimization_goals }]);
    expect(told).toEqual([{ type: 'goal_left_out', hint: expect.stringContaining(leftOut) }]);
    const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}`));
    expect(mediaBuy.optimizationGoals).toEqual(optimization_goals);
  });

  test('names as many goals as the product takes, the most important of them', async () => {
    const { campaignId, campaign } = await draft(
      {
        performanceConfig: {
          optimizationGoals: [
            { kind: 'metric', metric: 'views', priority: 3 },
            { kind: 'metric', metric: 'saves', priority: 1 },
            { kind: 'metric', metric: 'completed_views', priority: 2 },
            { kind: 'metric', metric: 'clicks', priority: 1 },
          ],
        },
      },
      2_100,
      'far-2',
    );
    const leftOut = 'for views beside what comes before it, saves: it is bought without that goal.';
    expect(campaign.warnings.join()).toContain(leftOut);

    expect(await packagesOf(campaignId)).toMatchObject([
      {
        optimization_goals: [
          { kind: 'metric', metric: 'completed_views', priority: 2 },
          { kind: 'metric', metric: 'clicks', priority: 1 },
        ],
      },
    ]);
    expect(told).toEqual([{ type: 'goal_left_out', hint: expect.stringContaining(leftOut) }]);
  });

  test('names no length of views to a product that declares none', async () => {
    const goals = [6, undefined].map((viewDurationSeconds) => ({
      kind: 'metric',
      metric: 'completed_views',
      viewDurationSeconds,
    }));
    const performanceConfig = { optimizationGoals: goals };
    const { campaignId, campaign } = await draft({ performanceConfig }, 2_100, 'far-2');
    const leftOut = 'for completed_views of 6 seconds: it is bought without that goal.';
    expect(campaign.warnings.join()).toContain(leftOut);

    expect(await packagesOf(campaignId)).toMatchObject([
      { optimization_goals: [{ kind: 'metric', metric: 'completed_views' }] },
    ]);
    expect(told).toEqual([{ type: 'goal_left_out', hint: expect.stringContaining(leftOut) }]);
  });

  test('goes out for a performance campaign as for any other, and that keeps having goals', async () => {
    const campaign = {
      ...{ advertiserId, name: 'Clicks', flightDates, budget: { total: 100 } },
      performanceConfig: { optimizationGoals: [{ kind: 'metric', metric: 'clicks' }] },
    };
    const { discoveryId } = await discover(buyer, advertiserId, [far.storefrontId]);
    const products = [{ productId: 'far-1', salesAgentId: far.agentId }];
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    const make = async (fields: object) => buyer.post('/buyer/campaigns', { ...campaign, ...fields });

    const made = done(await make({ discoveryId })).campaign;
    const packages = await packagesOf(made.campaignId);

    expect(made.mode).toBe('performance');
    expect(packages).toMatchObject([{ optimization_goals: [{ kind: 'metric', metric: 'clicks' }] }]);
    const { campaign: bought } = done(await buyer.get(`/buyer/campaigns/${made.campaignId}`));
    expect(bought).toMatchObject({ mode: 'performance', status: 'ACTIVE' });
    const other = done(await make({ mode: 'performance' })).campaign;
    expectRefusal(await put(other.campaignId, { performanceConfig: null }), 422, {
      code: 'VALIDATION_ERROR',
      at: { performanceConfig: 'A performance campaign has goals: give others instead.' },
    });
    expectRefusal(await make({ mode: 'performance', performanceConfig: undefined }), 400, {
      code: 'VALIDATION_ERROR',
      at: { performanceConfig: 'Required: a performance campaign has goals.' },
    });
    const named = async (mode: string) =>
      done(await buyer.get(`/buyer/campaigns?name=Clicks&status=ALL&mode=${mode}`)).total;
    expect([await named('performance'), await named('discovery')]).toEqual([2, 0]);
  });

  test('is under the frequency cap of the campaign, in place of that of its advertiser', async () => {
    const weekly = { max_impressions: 9, window: { interval: 7, unit: 'days' } };
    const { campaignId, campaign } = await draft({ frequencyCaps: [weekly] });
    expect(campaign.frequencyCaps).toMatchObject([
      { ...weekly, targetLevel: 'CAMPAIGN', targetId: campaignId },
    ]);
    const both = await put(campaignId, { frequencyCaps: [daily, weekly] });
    expectRefusal(both, 501, {
      code: 'NOT_IMPLEMENTED',
      at: { 'frequencyCaps.1': 'Documented, and not built yet.' },
    });

    expect(await packagesOf(campaignId)).toMatchObject([
      { targeting_overlay: { frequency_cap: { ...weekly, per: 'individuals' } } },
    ]);
    const late = await put(campaignId, { frequencyCaps: [] });
    expectRefusal(late, 409, {
      code: 'CONFLICT',
      at: {
        frequencyCaps: 'The orders of this campaign were made with what is there, and it is ACTIVE.',
      },
    });
  });

  test('leaves the cap of a chosen product as it is', async () => {
    const campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    const own = { ...daily, max_impressions: 1, per: 'devices' };
    const products = [{ productId: 'far-1', budget: 100, targetingOverlay: { frequency_cap: own } }];
    done(await buyer.post(`/buyer/discovery/${campaign.discoveryId}/products`, { products }));

    expect(await packagesOf(campaignId)).toMatchObject([{ targeting_overlay: { frequency_cap: own } }]);
  });

  describe('with a daily cap', () => {
    test('is at an even pace, because sellers know no such cap', async () => {
      const { campaignId, campaign } = await draft({ budget: { dailyCap: 100, pacing: 'ASAP' } });
      expect(campaign.warnings.join()).toContain('even pace');

      expect(await packagesOf(campaignId)).toMatchObject([{ budget: 2_100, pacing: 'even' }]);
      const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
      expect(mediaBuys).toMatchObject([{ packages: [{ pacing: 'even' }] }]);
      expect(told).toEqual([{ type: 'even_pace', hint: expect.stringContaining('100.00 USD') }]);
    });

    test('409 INSUFFICIENT_MEDIA_BUDGET where its days cannot take what is chosen', async () => {
      const { campaignId, campaign } = await draft({ budget: { dailyCap: 99 } });
      expect(campaign.warnings.join()).toContain('2079.00 USD can be spent');
      const before = far.agent.calls.length;

      const refused = await execute(campaignId);

      expectRefusal(refused, 409, {
        code: 'INSUFFICIENT_MEDIA_BUDGET',
        at: {
          'budget.dailyCap':
            'Within budget.dailyCap 2079.00 USD can be spent in all; the chosen products take 2100.00 USD.',
        },
      });
      const { suggestion, ...sums } = refused.body.error.details;
      expect(suggestion).toMatch(/raise budget.dailyCap or give more days with campaign_update\.$/);
      expect(sums).toEqual({
        ...{ requestedTotal: 2_100, committedAllocation: 2_100, spendableTotal: 2_079 },
        currency: 'USD',
      });
      expect(far.agent.calls).toHaveLength(before);
    });

    test('holds for each pacing period', async () => {
      const { campaign } = await draft({
        budget: { dailyCap: 100 },
        pacingPeriods: {
          mode: 'weight',
          periods: [{ label: 'few', start: '2026-12-10', end: '2026-12-12', weight: 1 }],
        },
      });

      expect(campaign.warnings.join()).toContain('300.00 USD can be spent');
    });

    test('keeps a running campaign from raises, other paces and a lower cap', async () => {
      const { campaignId } = await draft({ budget: { total: 4_200, dailyCap: 100 } });
      expect(await packagesOf(campaignId)).toMatchObject([{ budget: 2_100 }]);
      const [buy] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
      const path = `/buyer/media-buys/${buy.mediaBuyId}`;
      const [{ packageId }] = buy.packages;

      const raised = await buyer.patch(path, { packages: [{ packageId, budget: 2_200 }] });
      expectRefusal(raised, 409, {
        code: 'INSUFFICIENT_MEDIA_BUDGET',
        at: {
          'budget.dailyCap':
            'Within budget.dailyCap 2100.00 USD can be spent in all; with this change the media buys take 2200.00 USD.',
        },
      });
      const { suggestion, ...sums } = raised.body.error.details;
      expect(suggestion).toMatch(/raise budget.dailyCap or give more days with campaign_update\.$/);
      expect(sums).toEqual({
        ...{ requestedTotal: 4_200, committedAllocation: 2_200, spendableTotal: 2_100 },
        currency: 'USD',
      });
      const faster = await buyer.patch(path, { packages: [{ packageId, pacing: 'asap' }] });
      expectRefusal(faster, 422, {
        code: 'VALIDATION_ERROR',
        at: { 'packages.0.pacing': 'Give even: no other pace keeps budget.dailyCap of the campaign.' },
      });
      const lower = await put(campaignId, { budget: { dailyCap: 50 } });
      expectRefusal(lower, 409, {
        code: 'INSUFFICIENT_MEDIA_BUDGET',
        at: {
          'budget.dailyCap':
            'Within budget.dailyCap 1050.00 USD can be spent in all, which is less than the 2100.00 USD that its media buys take.',
        },
        details: { requestedTotal: 4_200, committedAllocation: 2_100, spendableTotal: 1_050 },
      });
    });

    test('409 CONFLICT for a first cap once there are orders that need not keep it', async () => {
      const { campaignId } = await draft({ name: 'No cap' });
      await packagesOf(campaignId);

      const late = await put(campaignId, { budget: { dailyCap: 100 } });
      expectRefusal(late, 409, {
        code: 'CONFLICT',
        at: {
          'budget.dailyCap':
            'No cap – Agent: not all is paced even, and no other pace keeps budget.dailyCap.',
        },
      });
    });
  });

  test('does not keep tags from being changed: each by its name, and all of them where that is asked', async () => {
    const tag = (paramKey: string, paramValue: string) => ({ paramKey, paramValue });
    const { campaignId, campaign } = await draft({ utmConfig: { params: [tag('a', '1'), tag('b', '2')] } });
    expect(campaign.utmConfig).toEqual({ params: [tag('a', '1'), tag('b', '2')] });
    await packagesOf(campaignId);

    const more = done(
      await put(campaignId, { utmConfig: { params: [tag('b', '3'), tag('c', '4')] } }),
    ).campaign;
    expect(more.utmConfig.params).toEqual([tag('a', '1'), tag('b', '3'), tag('c', '4')]);
    const only = { utmConfig: { params: [tag('d', '5')], deleteMissing: true } };
    expect(done(await put(campaignId, only)).campaign.utmConfig).toEqual({ params: [tag('d', '5')] });
    const none = { utmConfig: { params: [], deleteMissing: true } };
    expect(done(await put(campaignId, none)).campaign).not.toHaveProperty('utmConfig');
  });

  test('is told with debug, with every answer to it, where it failed', async () => {
    const { campaignId } = await draft({});
    const errors = [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.', recovery: 'correctable' }];
    const before = far.agent.calls.length;
    far.agent.on('create_media_buy', () => ({ errors }));

    const { errors: failed } = done(
      await buyer.post(`/buyer/campaigns/${campaignId}/execute`, { debug: true }),
    );

    expect(far.agent.calls.length).toBe(before + 1);
    expect(failed).toMatchObject([
      {
        debug: {
          request: { packages: [{ product_id: 'far-1' }] },
          response: { kind: 'refused', code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.' },
          debugLogs: [{ timestamp: expect.any(String), answer: { kind: 'refused' } }],
        },
      },
    ]);
    expect(JSON.stringify(failed)).not.toContain('authorization');
    const [plain] = done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`)).errors;
    expect(plain).not.toHaveProperty('debug');
  });

  test('is read anew with fresh, and shown by itself and with more of its products', async () => {
    far.agent.on('create_media_buy', () => ({ media_buy_id: 'far_7', status: 'active', packages: [] }));
    far.agent.on('get_media_buys', () => ({ media_buys: [{ media_buy_id: 'far_7', status: 'paused' }] }));
    const { campaignId } = await draft({});
    done(await execute(campaignId));
    const read = async (query: string) =>
      done(await buyer.get(`/buyer/campaigns/${campaignId}?${query}`)).campaign;
    const [{ mediaBuyId }] = (await read('fresh=false')).mediaBuys;

    expect(await read(`mediaBuyId=${mediaBuyId}&includeProductDetails=true`)).toMatchObject({
      mediaBuys: [
        {
          status: 'ACTIVE',
          products: [
            {
              productId: 'far-1',
              publisherName: 'far.example',
              formatIds: [{ id: 'display_300x250' }],
              budgetCurrency: 'USD',
            },
          ],
        },
      ],
    });
    expect(await read('mediaBuyId=mb_other')).toMatchObject({ mediaBuys: [], mediaBuyRefs: [] });
    expect(await read('fresh=true')).toMatchObject({ mediaBuys: [{ mediaBuyId, status: 'PAUSED' }] });
  });
});
