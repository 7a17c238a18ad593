import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaignStatuses } from '../../../store/campaigns.ts';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { runningCampaign } from '../../support/buying/running-campaign.ts';
import { CANNOT_CHANGE, NO_WAY_TO_CHANGE, OTHER_VERSION } from '../../support/buying/stoppable-campaign.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal, type Refusal } from '../../support/callers/refusals.ts';
import {
  done,
  draftCampaign,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('campaign_update', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    const products = [productFields({ name: 'One' }), productFields({ name: 'Two' })];
    storefrontId = (await openStorefront(await newPerson(server), { products })).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(() => server.stop());

  const draft = async (campaign: object = {}) =>
    (await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId], campaign })).campaignId;
  const put = (campaignId: string, changes: object) => buyer.put(`/buyer/campaigns/${campaignId}`, changes);
  const executed = async () => {
    const campaignId = await draft();
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    return done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  };
  const periods = (changes: object = {}) => ({
    mode: 'weight',
    periods: [{ label: 'first', start: '2026-12-10', end: '2026-12-12', weight: 1, ...changes }],
  });

  test('200: changes every field of a draft, and counts the revision up', async () => {
    const campaignId = await draft();
    const changes = {
      name: 'Summer',
      brief: 'Swimmers',
      flightDates: { startDate: '2026-12-09T00:00:00.000Z', endDate: '2026-12-30T00:00:00.000Z' },
      budget: { total: 2_000, dailyCap: 100, pacing: 'ASAP' },
      constraints: {
        geo_countries: ['US'],
        geo_countries_exclude: ['CA'],
        geo_regions: ['US-CA'],
        geo_regions_exclude: ['US-NY'],
        geo_metros: [{ system: 'nielsen_dma', values: ['501'] }],
        geo_postal_areas: [{ country: 'US', system: 'zip', values: ['90210'] }],
        language: ['en'],
        device_platform: ['ios'],
        device_type: ['mobile'],
        device_type_exclude: ['ctv'],
      },
      storefrontIds: [Number(storefrontId)],
      pacingPeriods: periods(),
      performanceConfig: { optimizationGoals: [{ kind: 'metric', metric: 'clicks', priority: 1 }] },
      optimizationApplyMode: 'AUTO',
    };

    const { campaign } = done(await put(campaignId, { ...changes, revision: 1 }));

    const { storefrontIds, budget, ...others } = changes;
    expect(campaign).toMatchObject({ ...others, revision: 2, storefronts: [{ id: storefrontIds[0] }] });
    expect(campaign.budget).toEqual({ ...budget, currency: 'USD' });
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign).toEqual(campaign);
  });

  test('clears with null and with empty lists, and leaves what is left out', async () => {
    const campaignId = await draft({
      budget: { total: 1_000, dailyCap: 50, pacing: 'EVEN' },
      constraints: { geo_countries: ['US'] },
      pacingPeriods: periods(),
      mode: 'discovery',
      performanceConfig: { optimizationGoals: [{ kind: 'metric', metric: 'clicks' }] },
    });

    const { campaign } = done(
      await put(campaignId, {
        budget: { dailyCap: null, pacing: null },
        constraints: { geo_countries: [] },
        pacingPeriods: null,
        performanceConfig: null,
      }),
    );

    expect(campaign.budget).toEqual({ total: 1_000, currency: 'USD' });
    for (const field of ['constraints', 'pacingPeriods', 'performanceConfig']) {
      expect(campaign).not.toHaveProperty(field);
    }
    expect(campaign.flightDates).toEqual(flightDates);
  });

  test.each<[object, number, Readonly<Record<string, string>>]>([
    [
      { pacingPeriods: periods({ end: '2027-01-03' }) },
      422,
      { 'pacingPeriods.periods.0.end': 'Must be inside the flight.' },
    ],
    [
      { pacingPeriods: periods({ end: '2026-12-09' }) },
      422,
      { 'pacingPeriods.periods.0.end': 'Must not be before its start.' },
    ],
    [
      { pacingPeriods: periods({ budget: 5 }) },
      422,
      { 'pacingPeriods.periods.0.budget': 'Leave it out where mode is weight.' },
    ],
    [{ budget: { dailyCap: 5_000 } }, 422, { 'budget.dailyCap': 'Must not be more than the total.' }],
    [
      { flightDates: { endDate: '2026-12-01' } },
      400,
      { 'flightDates.endDate': 'The end must be after the start.' },
    ],
    [{ mode: 'performance' }, 422, { mode: 'It is a discovery campaign, and stays one.' }],
    [
      { constraints: { geo_regions: ['California'] } },
      400,
      { 'constraints.geo_regions.0': 'Give a region of ISO 3166-2, such as US-CA.' },
    ],
    [{ storefrontIds: [999_999_999] }, 400, { 'storefrontIds.0': 'No such storefront.' }],
  ])('VALIDATION_ERROR for %j, with %i, names %j', async (changes, status, at) => {
    const campaignId = await draft();

    expectRefusal(await put(campaignId, changes), status, {
      code: 'VALIDATION_ERROR',
      at,
    });
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.revision).toBe(1);
  });

  test('409 CONFLICT for a change made on an older revision names the one that holds', async () => {
    const campaignId = await draft();
    done(await put(campaignId, { name: 'Other', revision: 1 }));

    const reply = await put(campaignId, { name: 'Third', revision: 1 });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { revision: 'The campaign stands at version 2 by now.' },
    });
    expect(reply.body.error.details.currentVersion).toBe('2');
  });

  test.each(campaignStatuses.filter((status) => !['DRAFT', 'ACTIVE', 'PAUSED'].includes(status)))(
    '409 CONFLICT once the campaign is %s',
    async (status) => {
      const campaignId = await draft();
      await putStatus(server, buyer, { campaignId, status });

      expectRefusal(await put(campaignId, { name: 'Late' }), 409, {
        code: 'CONFLICT',
        words: `The campaign is ${status}: it cannot be changed any more.`,
      });
    },
  );

  test('409 CONFLICT for what the orders were made with, once there are orders', async () => {
    const { campaignId } = await executed();

    const reply = await put(campaignId, { name: 'X', constraints: { geo_countries: ['CA'] } });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: {
        constraints: 'The orders of this campaign were made with what is there, and it is ACTIVE.',
      },
    });
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.name).toBe('Winter');
  });

  test('409 INSUFFICIENT_MEDIA_BUDGET names both sums and the least that would do', async () => {
    const { campaignId } = await executed();

    const reply = await put(campaignId, { budget: { amount: 150 } });

    expectRefusal(reply, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'budget.amount': 'A total of 150.00 USD is less than the 200.00 USD that its media buys take.' },
    });
    expect(reply.body.error.details).toMatchObject({
      requestedTotal: 150,
      committedAllocation: 200,
      minimumAllowedBudget: 200,
      currency: 'USD',
    });
    expect(done(await put(campaignId, { budget: { total: 200 } })).campaign.unallocatedBudget).toBe(0);
  });

  test('lowers the total together with a package in one call', async () => {
    const { campaignId, mediaBuys } = await executed();
    const [{ mediaBuyId, packages }] = mediaBuys;

    const { campaign, mediaBuyResults } = done(
      await put(campaignId, {
        budget: { total: 150 },
        mediaBuys: [{ mediaBuyId, packages: [{ packageId: packages[0].packageId, budget: 50 }] }],
      }),
    );

    expect(mediaBuyResults).toMatchObject([{ mediaBuyId, success: true, pending: false }]);
    expect(campaign).toMatchObject({ budget: { total: 150 }, allocatedBudget: 150, unallocatedBudget: 0 });
  });

  test('409 CONFLICT for a flight that ends before a media buy does', async () => {
    const { campaignId } = await executed();

    const reply = await put(campaignId, { flightDates: { end: '2026-12-20' } });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'flightDates.end': 'Winter – Shelf runs until 2026-12-31T00:00:00.000Z.' },
    });
  });

  describe('of a live advertiser', () => {
    const live = async () => {
      const liveId = await newAdvertiser(buyer, { name: 'Live' });
      const fields = { advertiserId: liveId, storefrontIds: [storefrontId] };
      const { campaignId } = await draftCampaign(buyer, fields);
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
      const [{ mediaBuyId, packages }] = mediaBuys;
      const raise = (budget: number) => ({
        budget: { total: 50_000_000_000 },
        mediaBuys: [{ mediaBuyId, packages: [{ packageId: packages[0].packageId, budget }] }],
      });
      return { campaignId, raise };
    };

    test('402 CREDIT_LIMIT_EXCEEDED for a raise that the account cannot pay, and nothing is changed', async () => {
      const { campaignId, raise } = await live();
      const { revision } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;

      expectRefusal(await put(campaignId, raise(40_000_000_000)), 402, {
        code: 'CREDIT_LIMIT_EXCEEDED',
        words:
          'This would commit 39999999900.00 USD; the account has 9999999800.00 USD available, 30000000100.00 USD too little. Nothing was done.',
      });
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      expect(campaign).toMatchObject({ revision, budget: { total: 1_000 } });
    });

    test('409 PRICING_NOT_CONFIGURED for a raise at a seller that no pricing rule is about', async () => {
      const { campaignId, raise } = await live();
      await server.store.db.withoutPlugins().deleteFrom('pricing_rules').execute();

      expectRefusal(await put(campaignId, raise(500)), 409, {
        code: 'PRICING_NOT_CONFIGURED',
        words: 'The advertiser has no pricing rule for Shelf.',
      });
    });
  });

  test('400 CURRENCY_MISMATCH for a budget in another currency than the advertiser’s', async () => {
    const reply = await put(await draft(), { budget: { currency: 'EUR' } });

    expectRefusal(reply, 400, {
      code: 'CURRENCY_MISMATCH',
      at: { 'budget.currency': 'The advertiser pays in USD, not in EUR.' },
    });
  });

  test.each<[string, Refusal, { sells: string }]>([
    [
      'CAPABILITY_NOT_SUPPORTED',
      { ...CANNOT_CHANGE, at: { 'mediaBuys.0.mediaBuyId': NO_WAY_TO_CHANGE } },
      { sells: '3.0' },
    ],
    ['VERSION_UNSUPPORTED', OTHER_VERSION, { sells: '2.0' }],
  ])(
    '422 %s where a seller cannot make the change, and nothing is changed',
    async (_code, refusal, { sells }) => {
      const far = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
      const running = await runningCampaign(far);
      const { agent } = running.seller;
      if (sells === '2.0') {
        agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
        agent.on('get_adcp_capabilities', () => ({ adcp: { major_versions: [2] } }));
      }
      const path = `/buyer/campaigns/${running.campaignId}`;
      const [{ mediaBuyId }] = done(await running.buyer.get(path)).campaign.mediaBuys;

      const reply = await running.buyer.put(path, {
        name: 'New',
        mediaBuys: [{ mediaBuyId, action: 'cancel' }],
      });

      expectRefusal(reply, 422, refusal);
      expect(done(await running.buyer.get(path)).campaign.name).toBe('Winter');
      await far.stop();
      await agent.stop();
    },
  );

  test('takes all changes of a call or none', async () => {
    const { campaignId, mediaBuys } = await executed();
    const [{ mediaBuyId }] = mediaBuys;

    const reply = await put(campaignId, {
      name: 'Half',
      mediaBuys: [
        { mediaBuyId, action: 'cancel' },
        { mediaBuyId: 'mb_nothing', action: 'cancel' },
      ],
    });

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.1.mediaBuyId': 'The campaign has no such media buy.' },
    });
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign).toMatchObject({ name: 'Winter', mediaBuys: [{ status: 'ACTIVE' }] });
  });

  test('says where a campaign and its media buys are held and called off, to whoever asks for it here', async () => {
    const { campaignId, mediaBuys } = await executed();
    const [{ mediaBuyId }] = mediaBuys;
    const packages = [{ packageId: 'pkg_1', canceled: true, paused: true }];
    const entry = { mediaBuyId, status: 'PAUSED', canceled: true, packages };

    const reply = await put(campaignId, { status: 'PAUSED', cancelled: true, mediaBuys: [entry] });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        status:
          /^To hold it call campaign_pause, .* campaign_reactivate, .* campaign_cancel, .* campaign_delete\.$/,
        cancelled: /call it off campaign_cancel/,
        'mediaBuys.0.status':
          /^To hold it call media_buy_pause, .* media_buy_reactivate; .* action cancel\.$/,
        'mediaBuys.0.canceled': /give action cancel\.$/,
        'mediaBuys.0.packages.0.canceled': /action cancel, and packageIds\.$/,
        'mediaBuys.0.packages.0.paused': /media_buy_pause holds the media buy\.$/,
      },
    });
  });

  test('says which field takes what whoever knows media buys or AdCP gives here, as campaign_create does', async () => {
    const asked = {
      startDate: '2026-12-11',
      end_time: '2026-12-12',
      totalBudget: 5,
      dailyCap: 5,
      pacing: 'EVEN',
    };
    const at = {
      startDate: 'Give flightDates.startDate.',
      end_time: 'Give flightDates.endDate.',
      totalBudget: 'Give budget.total.',
      dailyCap: 'Give budget.dailyCap.',
      pacing: 'Give budget.pacing.',
      countries: 'Give constraints.geo_countries.',
      products: /discovery_add_products/,
    };
    const fields = { ...asked, countries: ['US'], products: [] };
    const mediaBuys = [{ mediaBuyId: 'mb_1', budget: 5, endDate: '2026-12-12' }];

    const changed = await put(await draft(), { ...fields, packages: [], mediaBuys });
    expectRefusal(changed, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        ...at,
        packages: 'Packages are of media buys: give mediaBuys, with mediaBuyId and packages.',
        'mediaBuys.0.budget': /^Give mediaBuys\[\]\.packages\[\]\.budget, with packageId/,
        'mediaBuys.0.endDate': 'Give mediaBuys[].end_time.',
      },
    });
    const budget = { total: 100 };
    const made = { advertiserId, name: 'Winter', budget, flightDates, ...fields };
    expectRefusal(await buyer.post('/buyer/campaigns', made), 400, { code: 'VALIDATION_ERROR', at });
  });

  test.each(['pause', 'paused', 'resume', 'reactivate'])(
    'says that action %s of a media buy is done by media_buy_pause and media_buy_reactivate',
    async (action) => {
      const { campaignId, mediaBuys } = await executed();

      const reply = await put(campaignId, { mediaBuys: [{ mediaBuyId: mediaBuys[0].mediaBuyId, action }] });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'mediaBuys.0.action':
            'Give one of: update, cancel, delete. To hold it call media_buy_pause, to let it go on media_buy_reactivate.',
        },
      });
    },
  );

  test('ends a campaign whose last media buy is called off', async () => {
    const { campaignId, mediaBuys } = await executed();
    const [{ mediaBuyId }] = mediaBuys;

    const { campaign } = done(
      await put(campaignId, { mediaBuys: [{ mediaBuyId, action: 'cancel', reason: 'Sold out' }] }),
    );

    expect(campaign.mediaBuys).toMatchObject([{ status: 'CANCELED' }]);
    // By what the sandbox has delivered until then, if anything.
    expect(['COMPLETED', 'CANCELED']).toContain(campaign.status);
  });
});
