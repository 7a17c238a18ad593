import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser, openStorefront } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const AUCTION = { pricing_option_id: 'auction', pricing_model: 'cpm', currency: 'USD', floor_price: 5 };

const NO_BID_BACK =
  'A seller takes no bid back: give another one, or leave it out to keep the one that stands.';

/** Whom a package is to reach is said anew after it was bought. */
describe('media_buy_update with targetingOverlay', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  const cap = { max_impressions: 3, window: { interval: 1, unit: 'days' } };
  const capped = { ...cap, per: 'individuals' };
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { frequencyCaps: [cap] });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    await buys();
    return () => far.agent.stop();
  });

  /** Buys of a seller of its own, which is asked once what it declares: before it is ordered from. */
  async function buys(declare: (seller: FarSeller) => void = () => undefined): Promise<void> {
    far = await farSeller(server, 'Far', [
      adcpProduct('far-1', { countries: ['US', 'CA'], pricing_options: [AUCTION] }),
    ]);
    const shown = {
      media_buy_id: 'far_1',
      status: 'active',
      packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget: 100 }],
    };
    far.agent.on('create_media_buy', () => shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    declare(far);
    ({ campaignId, mediaBuyId } = await bought(far.storefrontId, advertiserId, 5));
  }

  async function buysElsewhere(declare: (seller: FarSeller) => void): Promise<void> {
    await far.agent.stop();
    await buys(declare);
  }

  /** A campaign that stays in the United States and leaves one of them out. */
  async function bought(storefrontId: string, advertiser: string, bidPrice?: number) {
    const campaign = { constraints: { geo_countries: ['US'], geo_regions_exclude: ['US-NY'] } };
    const bid = bidPrice === undefined ? {} : { bidPrice };
    const draft = { advertiserId: advertiser, storefrontIds: [storefrontId], campaign, ...bid };
    const { campaignId: id } = await draftCampaign(buyer, draft);
    done(await buyer.post(`/buyer/campaigns/${id}/execute`));
    const [buy] = done(await buyer.get(`/buyer/campaigns/${id}`)).campaign.mediaBuys;
    return { campaignId: id, mediaBuyId: buy.mediaBuyId, packageId: buy.packages[0].packageId };
  }

  const target = (targetingOverlay: object) =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: 'pkg_1', targetingOverlay }] });
  const told = () =>
    far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').map(({ args }) => args['packages']);
  const packageShown = async (id = campaignId) =>
    done(await buyer.get(`/buyer/campaigns/${id}`)).campaign.mediaBuys[0].packages[0];

  test('200: is told to the seller whole, with what the campaign and the advertiser say, and is shown', async () => {
    const overlay = {
      device_type: ['mobile'],
      geo_regions_exclude: ['US-CA'],
      geo_postal_areas: [{ country: 'US', system: 'zip', values: ['90210'] }],
      language: [],
    };

    const { body } = await target(overlay);

    expect(body.data).toMatchObject({ success: true, mediaBuy: { changes: [{ state: 'confirmed' }] } });
    expect(told()).toEqual([
      [
        {
          package_id: 'pkg_1',
          targeting_overlay: {
            frequency_cap: capped,
            geo_countries: ['US'],
            geo_regions_exclude: ['US-NY', 'US-CA'],
            device_type: ['mobile'],
            geo_postal_areas: [{ system: 'us_zip', values: ['90210'] }],
          },
        },
      ],
    ]);
    const { language: _, ...kept } = overlay;
    expect((await packageShown()).targetingOverlay).toEqual(kept);
  });

  test('200: takes the place of the one before, is asked once, and {} takes it back', async () => {
    done(await target({ device_type: ['mobile'] }));
    done(await target({ device_type: ['mobile'] }));
    expect(told()).toHaveLength(1);

    done(await target({ language: ['es'] }));
    expect((await packageShown()).targetingOverlay).toEqual({ language: ['es'] });

    done(await target({}));
    expect(told().at(-1)).toEqual([
      {
        package_id: 'pkg_1',
        targeting_overlay: {
          frequency_cap: capped,
          geo_countries: ['US'],
          geo_regions_exclude: ['US-NY'],
        },
      },
    ]);
    expect(await packageShown()).not.toHaveProperty('targetingOverlay');
  });

  test('200: loosens no cap of the advertiser, and is confirmed by a seller that shows the lower one', async () => {
    const [loose, lower] = [9, 3].map((max_impressions) => ({ ...capped, max_impressions }));
    const part = { package_id: 'pkg_1', product_id: 'far-1', budget: 100 };
    const shown = { ...part, targeting_overlay: { frequency_cap: lower } };
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1', affected_packages: [shown] }));

    const { mediaBuy } = done(await target({ frequency_cap: loose }));

    expect(told()).toMatchObject([[{ targeting_overlay: { frequency_cap: lower } }]]);
    expect(mediaBuy.changes).toMatchObject([{ state: 'confirmed' }]);
  });

  test('200: waits for a seller that decides, and holds once it has', async () => {
    far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));

    const { mediaBuy } = done(await target({ device_type: ['ctv'] }));
    expect(mediaBuy.pendingChange).toMatchObject({ status: 'PENDING_APPROVAL', pendingAt: 'salesagent' });
    expect(await packageShown()).not.toHaveProperty('targetingOverlay');

    far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'completed', result: {} }));
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    expect((await packageShown()).targetingOverlay).toEqual({ device_type: ['ctv'] });
  });

  test('200: goes with mediaBuys of campaign_update too', async () => {
    const packages = [{ packageId: 'pkg_1', bidPrice: 9, targetingOverlay: { device_type: ['mobile'] } }];

    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, packages }] }));

    expect(told()).toMatchObject([
      [{ package_id: 'pkg_1', bid_price: 9, targeting_overlay: { device_type: ['mobile'] } }],
    ]);
    expect(await packageShown()).toMatchObject({
      bidPrice: 9,
      targetingOverlay: { device_type: ['mobile'] },
    });
  });

  test('200: a bid that is changed a second time is the second one', async () => {
    const bid = (bidPrice: number) =>
      buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: 'pkg_1', bidPrice }] });

    done(await bid(7));
    done(await bid(8));

    expect(await packageShown()).toMatchObject({ bidPrice: 8 });
  });

  test('a bid that is null is refused where one stands, which no seller takes back, and is none otherwise', async () => {
    const noBid = (id: string, packageId: string) =>
      buyer.patch(`/buyer/media-buys/${id}`, { packages: [{ packageId, bidPrice: null }] });

    const refused = await noBid(mediaBuyId, 'pkg_1');

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.bidPrice': NO_BID_BACK },
    });
    const { storefrontId } = await openStorefront(await newPerson(server));
    const own = await bought(storefrontId, await newAdvertiser(buyer, { sandbox: true }));
    const { mediaBuy } = done(await noBid(own.mediaBuyId, own.packageId));
    expect(mediaBuy.packages[0]).not.toHaveProperty('bidPrice');
    expect(told()).toEqual([]);
  });

  test('a bid that is null is refused of a package that may be of any product, where one of these has a bid', async () => {
    const two = await farSeller(
      server,
      'Two',
      ['two-1', 'two-2'].map((id) => adcpProduct(id, { pricing_options: [AUCTION] })),
    );
    const packages = ['pkg_1', 'pkg_2', 'pkg_3'].map((package_id) => ({ package_id }));
    const shown = { media_buy_id: 'two_1', status: 'active', packages };
    two.agent.on('create_media_buy', () => shown);
    two.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    two.agent.on('update_media_buy', () => shown);
    const others = await bought(two.storefrontId, advertiserId, 5);

    const refused = await buyer.patch(`/buyer/media-buys/${others.mediaBuyId}`, {
      packages: [{ packageId: 'pkg_1', bidPrice: null }],
    });

    expectRefusal(refused, 422, { code: 'VALIDATION_ERROR', at: { 'packages.0.bidPrice': NO_BID_BACK } });
    expect(two.agent.calls.some(({ tool }) => tool === 'update_media_buy')).toBe(false);
    await two.agent.stop();
  });

  test('200: is of the product too, as its bid and its pacing are', async () => {
    const changed = { bidPrice: 7, pacing: 'asap', targetingOverlay: { device_type: ['mobile'] } };

    done(
      await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, {
        packages: [{ packageId: 'pkg_1', ...changed }],
      }),
    );

    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`));
    expect(mediaBuy.products).toMatchObject([changed]);
    expect(mediaBuy.packages).toMatchObject([changed]);
  });

  test('200: is taken by the seller of this service, which keeps it with the package', async () => {
    const { storefrontId } = await openStorefront(await newPerson(server));
    const own = await bought(storefrontId, await newAdvertiser(buyer, { sandbox: true }));
    const packages = [{ packageId: own.packageId, targetingOverlay: { device_type: ['mobile'] } }];

    done(await buyer.patch(`/buyer/media-buys/${own.mediaBuyId}`, { packages }));

    expect((await packageShown(own.campaignId)).targetingOverlay).toEqual({ device_type: ['mobile'] });
    const rows = await server.store.db
      .withoutPlugins()
      .selectFrom('embedded_buys')
      .select('packages')
      .execute();
    const kept = rows.flatMap((row) => JSON.parse(String(row.packages)));
    expect(kept.find(({ package_id }) => package_id === own.packageId)).toMatchObject({
      targeting_overlay: { geo_countries: ['US'], device_type: ['mobile'] },
    });
  });

  test('422: CAPABILITY_NOT_SUPPORTED where its seller names no such field of a package', async () => {
    await buysElsewhere(({ agent }) =>
      agent.declares('update_media_buy', {
        media_buy_id: {},
        packages: { items: { properties: { package_id: {}, budget: {} } } },
      }),
    );

    const reply = await target({ device_type: ['mobile'] });

    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: {
        'packages.0.targetingOverlay':
          'The seller declares no “packages.targeting_overlay” for changes of a media buy.',
      },
    });
    expect(reply.body.error.details.unsupported).toMatchObject([
      { mediaBuyId, salesAgentId: far.agentId, field: 'packages.0.targetingOverlay' },
    ]);
    expect(told()).toEqual([]);
  });

  test('422: CAPABILITY_NOT_SUPPORTED names each part that its seller does not declare', async () => {
    await buysElsewhere(({ agent }) =>
      agent.on('get_adcp_capabilities', () => ({
        adcp: { major_versions: [3] },
        media_buy: { execution: { targeting: { language: false } } },
      })),
    );
    const hours = [{ days: ['monday'], start_hour: 8, end_hour: 10 }];

    const reply = await target({ language: ['es'], daypart_targets: hours, device_type: ['mobile'] });

    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: {
        'packages.0.targetingOverlay.language': 'The seller declares no targeting by language.',
        'packages.0.targetingOverlay.daypart_targets': 'The seller declares no targeting by daypart_targets.',
      },
    });
    expect(told()).toEqual([]);
  });

  test('422: VALIDATION_ERROR where nobody is left of the campaign, or of the product', async () => {
    const beyond = await target({ geo_countries: ['CA'] });
    expectRefusal(beyond, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.targetingOverlay.geo_countries': 'The campaign stays in US.' },
    });

    await server.store.db
      .withoutPlugins()
      .updateTable('campaigns')
      .set({ constraints: null })
      .where('id', '=', campaignId)
      .execute();
    const outside = await target({ geo_countries: ['MX'] });
    expectRefusal(outside, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.targetingOverlay.geo_countries': 'Product far-1 runs in US, CA.' },
    });
    expect(told()).toEqual([]);
  });

  test.each([
    ['audience_include', ['aud_1']],
    ['property_list', { agent_url: 'https://lists.example', list_id: 'one' }],
    ['axe_include_segment', 'one'],
  ])('501: NOT_IMPLEMENTED for %s', async (field, value) => {
    expectRefusal(await target({ [field]: value }), 501, {
      code: 'NOT_IMPLEMENTED',
      at: { [`packages.0.targetingOverlay.${field}`]: 'Documented, and not built yet.' },
    });
    const packages = [{ packageId: 'pkg_1', targetingOverlay: { [field]: value } }];
    const within = await buyer.put(`/buyer/campaigns/${campaignId}`, {
      mediaBuys: [{ mediaBuyId, packages }],
    });
    expectRefusal(within, 501, {
      code: 'NOT_IMPLEMENTED',
      at: { [`mediaBuys.0.packages.0.targetingOverlay.${field}`]: 'Documented, and not built yet.' },
    });
    expect(told()).toEqual([]);
  });
});
