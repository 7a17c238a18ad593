import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** After a change the buy is read again: what its seller shows of it counts, and nothing else. */
describe('a package that its seller shows after a change', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let far: FarSeller;
  let campaignId: string;
  let mediaBuyId: string;
  /** What the seller's own list says of the package. */
  let shown: Record<string, unknown>;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    const pricing_options = [
      { pricing_option_id: 'auction', pricing_model: 'cpm', currency: 'USD', floor_price: 1 },
    ];
    far = await farSeller(server, 'Far', [
      adcpProduct('far-1', { countries: ['US', 'CA'], pricing_options }),
    ]);
    shown = { package_id: 'pkg_1', product_id: 'far-1', budget: 100 };
    const bought = () => ({ media_buy_id: 'far_1', status: 'active', packages: [shown] });
    far.agent.on('create_media_buy', bought);
    far.agent.on('get_media_buys', () => ({ media_buys: [bought()] }));
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1', bidPrice: 2 });
    mediaBuyId = await executed(buyer, campaignId);
    return () => far.agent.stop();
  });

  const change = async (fields: object) =>
    done(
      await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId: 'pkg_1', ...fields }] }),
    );
  const stateAfterReading = async () => {
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    return done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy.changes[0].state;
  };
  const updates = () => far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');

  test('has in its campaign what it was ordered with, and what it was given since', async () => {
    const partNow = async () =>
      done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys[0].packages[0];
    expect(await partNow()).toMatchObject({ packageId: 'pkg_1', bidPrice: 2 });

    await change({ bidPrice: 3.5 });

    expect(await partNow()).toMatchObject({ packageId: 'pkg_1', bidPrice: 3.5 });
  });

  test('is refused a bid below the floor of its product, 422, and its seller hears nothing', async () => {
    const packages = [{ packageId: 'pkg_1', bidPrice: 0.99 }];
    const reply = await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages });

    expectRefusal(reply, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.bidPrice': 'The floor is 1 USD.' },
    });
    expect(updates()).toHaveLength(0);
  });

  const device_type = ['mobile', 'ctv'];
  test.each([
    {
      what: 'pacing',
      asked: { pacing: 'asap' },
      other: { pacing: 'EVEN' },
      said: 'package pkg_1 is paced even',
      same: { pacing: 'ASAP' },
    },
    {
      what: 'bid',
      asked: { bidPrice: 3.5 },
      other: { bid_price: 2 },
      said: 'package pkg_1 bids 2',
      same: { bid_price: 3.5 },
    },
    {
      what: 'end',
      asked: { endTime: '2026-12-20T00:00:00.000Z' },
      other: { end_time: '2026-12-31T00:00:00Z' },
      said: 'the end of package pkg_1 is 2026-12-31T00:00:00.000Z',
      same: { end_time: '2026-12-20T01:00:00+01:00' },
    },
    {
      what: 'targeting',
      asked: { targetingOverlay: { device_type, geo_countries: ['US'] } },
      other: { targeting_overlay: { device_type: ['desktop'], geo_countries: ['US'] } },
      said: 'package pkg_1 is targeted otherwise by device_type',
      same: { targeting_overlay: { device_type: ['CTV', 'mobile'], axe_include_segment: 'theirs' } },
    },
  ])('waits while that shows another $what, and holds once it shows what was asked for', async (one) => {
    Object.assign(shown, one.other);

    const { warnings, mediaBuy } = await change(one.asked);

    expect(warnings).toEqual([`The seller took the change, and does not show it yet: ${one.said}.`]);
    expect(mediaBuy.changes[0]).toMatchObject({ state: 'waiting' });
    expect(await stateAfterReading()).toBe('waiting');

    Object.assign(shown, one.same);

    expect(await stateAfterReading()).toBe('confirmed');
    expect(updates()).toHaveLength(1);
  });

  test.each([
    { what: 'nothing of it', told: {} },
    { what: 'words that nobody knows', told: { pacing: 'swift', bid_price: 'high', targeting_overlay: [] } },
  ])('is believed where that shows $what', async ({ told }) => {
    Object.assign(shown, told);

    const { mediaBuy } = await change({
      ...{ pacing: 'asap', bidPrice: 3.5, endTime: '2026-12-20T00:00:00.000Z' },
      targetingOverlay: { device_type },
    });

    expect(mediaBuy.changes[0]).toMatchObject({ state: 'confirmed' });
  });

  test('waits while what was dropped of its targeting stands there', async () => {
    await change({ targetingOverlay: { device_type, geo_regions: ['US-CA'] } });
    shown['targeting_overlay'] = { device_type, geo_regions: ['US-CA'] };

    const { warnings } = await change({ targetingOverlay: { device_type } });

    expect(warnings).toEqual([
      expect.stringContaining('package pkg_1 is targeted otherwise by geo_regions.'),
    ]);
    shown['targeting_overlay'] = { device_type };
    expect(await stateAfterReading()).toBe('confirmed');
  });

  test('gives way to the next change, though it never shows the first', async () => {
    Object.assign(shown, { pacing: 'even', bid_price: 2 });
    await change({ pacing: 'asap' });

    const { mediaBuy } = await change({ budget: 90, bidPrice: 3 });

    const statesOf = (buy: { changes: { state: string }[] }) => buy.changes.map(({ state }) => state).sort();
    expect(statesOf(mediaBuy)).toEqual(['superseded', 'waiting']);
    expect(updates()).toHaveLength(2);
    const again = await change({ pacing: 'asap' });
    expect(statesOf(again.mediaBuy)).toEqual(['superseded', 'superseded', 'waiting']);
    expect(updates()).toHaveLength(3);
  });
});
