import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresTargeting, type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const first = { label: 'first', start: '2026-12-10', end: '2026-12-12', weight: 1 };
const second = { label: 'second', start: '2026-12-20', end: '2026-12-22', weight: 1 };
const periods = (...all: object[]) => ({ mode: 'weight', periods: all });
const LONGER = { pacingPeriods: periods(first, second), budget: { total: 400 } };

const NO_REGIONS = 'The seller declares no targeting by geo_regions.';
const NO_LANGUAGE = 'The seller declares no targeting by language.';
const STAY =
  'Leave out what the seller does not declare, or ask the seller for it outside of this service; media_buy_get names ' +
  'who sells the buy. Constraints of a campaign that runs stay, and are told with each order, targetingOverlay and ' +
  'further package: ask for none of these at this seller, or buy from another.';

/** A seller that held its tongue when it was ordered from declares that it cannot target what the campaign asks for. */
describe('a change of a media buy whose seller does not declare what its campaign asks for', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  let packages: { package_id: string; product_id: string; budget: number }[];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far', [adcpProduct('far-1'), adcpProduct('far-2')]);
    packages = [
      { package_id: 'pkg_1', product_id: 'far-1', budget: 100 },
      { package_id: 'pkg_2', product_id: 'far-2', budget: 100 },
    ];
    const shown = () => ({ media_buy_id: 'far_1', status: 'active', packages });
    far.agent.on('create_media_buy', shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    far.agent.on('update_media_buy', () => shown());
    far.agent.on('get_adcp_capabilities', () => ({
      errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Later.', recovery: 'transient' }],
    }));
    const drafted = await draftCampaign(buyer, {
      ...{ advertiserId, storefrontIds: [far.storefrontId], budget: 200 },
      campaign: { constraints: { geo_regions: ['US-CA', 'US-NY'] }, pacingPeriods: periods(first) },
    });
    const { discoveryId } = drafted;
    ({ campaignId } = drafted);
    const [, { productId } = { productId: '' }] = drafted.products;
    const overlay = { language: ['es'], device_type: ['mobile'] };
    const products = [{ productId, budget: 100, targetingOverlay: overlay }];
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    mediaBuyId = (await get()).mediaBuys[0].mediaBuyId;
    return () => far.agent.stop();
  });

  const declares = (targeting: object) => declaresTargeting(far, targeting);
  const get = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const put = (changes: object) => buyer.put(`/buyer/campaigns/${campaignId}`, changes);
  const change = (changes: object) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, changes);
  const target = (targetingOverlay: object, packageId = 'pkg_1') =>
    change({ packages: [{ packageId, targetingOverlay }] });
  const told = () => far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
  const overlaysShown = async () =>
    (await get()).mediaBuys[0].packages.map((one: { targetingOverlay?: object }) => one.targetingOverlay);

  test('is refused where it targets a package, whatever of the targeting the seller declares', async () => {
    declares({ geo_regions: false });
    const before = await overlaysShown();

    const packages = ['pkg_1', 'pkg_2'].map((packageId) => ({
      packageId,
      targetingOverlay: { device_type: ['ctv'] },
    }));
    const reply = await change({ packages });

    const field = 'constraints.geo_regions';
    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { [field]: NO_REGIONS },
      details: { suggestion: STAY },
    });
    const { agentId: salesAgentId } = far;
    expect(reply.body.error.details.unsupported).toEqual([
      { mediaBuyId, salesAgentId, field, reason: NO_REGIONS },
    ]);
    expect(told()).toEqual([]);
    expect(await overlaysShown()).toEqual(before);
  });

  test('names what the overlay asks for by its place, beside the constraints and everything else', async () => {
    declares({ geo_regions: false, language: false });
    const packages = [
      { packageId: 'pkg_1', targetingOverlay: { geo_regions: ['US-CA'], language: ['es'] } },
      { packageId: 'pkg_2', targetingOverlay: { device_type: ['ctv'] } },
      { packageId: 'pkg_9', budget: 10 },
    ];

    const reply = await put({ mediaBuys: [{ mediaBuyId, packages }] });

    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: {
        'mediaBuys.0.packages.0.targetingOverlay.geo_regions': NO_REGIONS,
        'mediaBuys.0.packages.0.targetingOverlay.language': NO_LANGUAGE,
        'constraints.geo_regions': NO_REGIONS,
        'mediaBuys.0.packages.2.packageId': 'The media buy has no such package. It has: pkg_1, pkg_2.',
      },
    });
    expect(told()).toEqual([]);
  });

  test('is refused where periods add packages to it, and names the product that was chosen so', async () => {
    declares({ geo_regions: false, language: false });

    const reply = await put(LONGER);

    expectRefusal(reply, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { 'constraints.geo_regions': NO_REGIONS, 'targetingOverlay.language': NO_LANGUAGE },
    });
    const of = { mediaBuyId, salesAgentId: far.agentId };
    expect(reply.body.error.details.unsupported).toEqual([
      { ...of, field: 'constraints.geo_regions', reason: NO_REGIONS },
      { ...of, productId: 'far-2', field: 'targetingOverlay.language', reason: NO_LANGUAGE },
    ]);
    expect(told()).toEqual([]);
    expect(await get()).toMatchObject({ pacingPeriods: periods(first), budget: { total: 200 } });
  });

  test('goes through where it adds nothing of whom to reach: budgets, dates, bids, a pause, an end', async () => {
    declares({ geo_regions: false, language: false });
    const lower = [{ packageId: 'pkg_2', budget: 50, pacing: 'even' }];

    done(await change({ packages: lower, end_time: '2026-12-20T00:00:00.000Z' }));
    expect(told()).toMatchObject([{ args: { packages: [{ package_id: 'pkg_2', budget: 50 }] } }]);
    packages = packages.map((one) => (one.package_id === 'pkg_2' ? { ...one, budget: 50 } : one));
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`));
    done(await put({ mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));

    expect(told().map(({ args }) => args)).toMatchObject([{}, { paused: true }, { canceled: true }]);
  });

  test('goes through where it takes away of what was said before, or says the same beside a budget', async () => {
    declares({ geo_regions: false, language: false });
    const same = { language: ['es'], device_type: ['mobile'] };

    done(await change({ packages: [{ packageId: 'pkg_2', budget: 90, targetingOverlay: same }] }));
    packages = packages.map((one) => (one.package_id === 'pkg_2' ? { ...one, budget: 90 } : one));
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    done(await target({ language: ['es'] }, 'pkg_2'));
    done(await target({}, 'pkg_2'));

    expect(told().map(({ args }) => args['packages'])).toMatchObject([
      [{ package_id: 'pkg_2', budget: 90 }],
      [{ targeting_overlay: { geo_regions: ['US-CA', 'US-NY'], language: ['es'] } }],
      [{ targeting_overlay: { geo_regions: ['US-CA', 'US-NY'] } }],
    ]);
  });

  test('is tried as long as its seller says nothing, and where that declares all of it', async () => {
    done(await target({ device_type: ['ctv'] }));
    declares({ geo_regions: true, language: true });
    done(await target({ device_type: ['tablet'] }));
    done(await put(LONGER));

    expect(told()).toHaveLength(3);
    expect(told().at(-1)?.args['new_packages']).toMatchObject([
      { targeting_overlay: { geo_regions: ['US-CA', 'US-NY'], device_type: ['tablet'] } },
      { targeting_overlay: { geo_regions: ['US-CA', 'US-NY'], language: ['es'] } },
    ]);
  });

  test('cannot come of other constraints: those of a campaign that runs stay, and no seller hears of others', async () => {
    declares({ geo_regions: true });

    expectRefusal(
      await put({ constraints: { geo_metros: [{ system: 'nielsen_dma', values: ['501'] }] } }),
      409,
      {
        code: 'CONFLICT',
        at: {
          constraints: 'The orders of this campaign were made with what is there, and it is ACTIVE.',
        },
      },
    );
    expect(told()).toEqual([]);
  });
});
