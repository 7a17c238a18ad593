import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe('a media buy of the day after tomorrow, which its seller calls active at once', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let advertiserId: string;
  let campaignId: string;
  let starts: number;
  const clock = skippingClock();
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    buyer = await newPerson(server);
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  const iso = (at: number) => new Date(at).toISOString();
  const path = () => `/buyer/campaigns/${campaignId}`;
  const ordered = async () => {
    starts = clock.now() + 2 * DAY_MS;
    const flightDates = { startDate: iso(starts), endDate: iso(starts + 7 * DAY_MS) };
    const fields = { storefrontIds: [far.storefrontId], campaign: { flightDates } };
    advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, ...fields }));
    done(await buyer.post(`${path()}/execute`, {}));
  };
  const refreshed = async () => done(await buyer.get(`${path()}/media-buy-status`));
  const idOf = async () => done(await buyer.get(path())).campaign.mediaBuys[0].mediaBuyId;
  const changed = async (change: object) =>
    done(await buyer.patch(`/buyer/media-buys/${await idOf()}`, change));
  const cancels = async () => {
    const mediaBuys = [{ mediaBuyId: await idOf(), action: 'cancel' }];
    done(await buyer.put(path(), { mediaBuys }));
  };
  const shown = (media_buy: object) =>
    far.agent.on('get_media_buys', ({ media_buy_ids }) => ({
      media_buys: [{ media_buy_id: [media_buy_ids].flat()[0], status: 'active', packages: [], ...media_buy }],
    }));
  const stands = async () => {
    const { status, mediaBuys } = done(await buyer.get(path())).campaign;
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    const { committed } = credit.find(({ currency }: { currency: string }) => currency === 'USD');
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
    return [status, mediaBuys[0].status, committed];
  };

  test('releases its budget where it is called off before, and its campaign is called off with it', async () => {
    await ordered();

    await cancels();

    expect(await stands()).toEqual(['CANCELED', 'CANCELED', 0]);
  });

  test('releases it where it was held meanwhile, or is rejected', async () => {
    await ordered();
    done(await buyer.post(`/buyer/media-buys/${await idOf()}/pause`, {}));
    await cancels();
    expect(await stands()).toEqual(['CANCELED', 'CANCELED', 0]);

    await ordered();
    far.shows('rejected');
    await refreshed();
    expect(await stands()).toEqual(['DRAFT', 'REJECTED', 0]);
  });

  test('releases it where the end was asked for while its seller had yet to approve', async () => {
    far.takes('pending_approval');
    far.undecided();
    await ordered();
    await cancels();
    far.shows('active');
    await refreshed();
    far.shows('canceled');
    await refreshed();

    expect(await stands()).toEqual(['CANCELED', 'CANCELED', 0]);
  });

  test('calls its campaign off too where its seller had not approved it by its start', async () => {
    far.takes('pending_approval');
    await ordered();
    clock.skip(3 * DAY_MS);

    await cancels();

    expect(await stands()).toEqual(['CANCELED', 'CANCELED', 0]);
  });

  test('keeps it bound once its start has come', async () => {
    await ordered();
    clock.skip(2 * DAY_MS);

    await cancels();

    expect(await stands()).toEqual(['COMPLETED', 'CANCELED', 100]);
  });

  test('keeps it bound where its seller reported something already', async () => {
    await ordered();
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          totals: { impressions: 900, spend: 9, clicks: 1 },
          by_package: [],
        },
      ],
    }));
    await refreshed();

    await cancels();

    expect(await stands()).toEqual(['COMPLETED', 'CANCELED', 100]);
  });

  test.each([
    ['a start that has come', () => ({ start_time: iso(clock.now() - HOUR_MS) })],
    [
      'a package whose start has come',
      () => ({ packages: [{ package_id: 'one', budget: 100, start_time: iso(clock.now() - HOUR_MS) }] }),
    ],
  ])('keeps it bound where its seller shows %s', async (_, dates) => {
    await ordered();
    shown(dates());
    await refreshed();
    shown({ ...dates(), status: 'canceled' });

    await cancels();

    expect(await stands()).toEqual(['COMPLETED', 'CANCELED', 100]);
  });

  test('keeps it bound where its seller shows a start that has come, however near it is to what was ordered', async () => {
    await ordered();
    clock.skip(2 * DAY_MS - HOUR_MS);
    const start_time = iso(starts - 2 * HOUR_MS);
    shown({ start_time });
    await refreshed();
    expect(done(await buyer.get(`/buyer/media-buys/${await idOf()}`)).mediaBuy.explanation).not.toContain(
      start_time,
    );
    shown({ start_time, status: 'canceled' });

    await cancels();

    expect(await stands()).toEqual(['COMPLETED', 'CANCELED', 100]);
  });

  test('keeps it bound where its seller may have taken an earlier start that it never confirmed', async () => {
    await ordered();
    await changed({ start_time: iso(starts + 2 * DAY_MS) });
    far.undecided();
    await changed({ start_time: iso(starts + DAY_MS) });
    clock.skip(3 * DAY_MS + HOUR_MS);
    far.willing();

    await cancels();

    expect(await stands()).toEqual(['COMPLETED', 'CANCELED', 100]);
  });

  test('releases it where its start was put off, and has not come', async () => {
    await ordered();
    await changed({ start_time: iso(starts + 2 * DAY_MS) });
    clock.skip(3 * DAY_MS);

    await cancels();

    expect(await stands()).toEqual(['CANCELED', 'CANCELED', 0]);
  });
});
