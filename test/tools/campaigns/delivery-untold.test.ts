import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;

describe('the delivery so far of a campaign whose seller never reported', () => {
  const clock = skippingClock();
  let server: TestServer;
  let buyer: Person;
  let far: KeepingSeller;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    reports();
    const startMs = clock.now() + HOUR_MS;
    const [startDate, endDate] = [startMs, startMs + 48 * HOUR_MS].map((at) => new Date(at).toISOString());
    ({ campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      storefrontIds: [far.storefrontId],
      campaign: { flightDates: { startDate, endDate } },
    }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`, {}));
    return () => far.agent.stop();
  });

  const reports = (...spends: number[]) =>
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: spends.map((spend) => ({
        media_buy_id: [media_buy_ids].flat()[0],
        totals: { impressions: spend * 100, spend, clicks: 0 },
      })),
    }));
  const delivery = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/delivery`)).delivery;
  const NOTHING = { impressions: 0, spend: 0, clicks: 0 };

  test('is nothing before it starts', async () => {
    const { totals, mediaBuys } = await delivery();

    expect(totals).toEqual(NOTHING);
    expect(mediaBuys).toMatchObject([NOTHING]);
    expect(mediaBuys[0]).not.toHaveProperty('error');
  });

  test.each([
    ['while it runs', 'active'],
    ['once it is completed', 'completed'],
  ])('is incomplete %s, and not a sum of nothing, until it reports', async (_, status) => {
    clock.skip(2 * HOUR_MS);
    far.shows(status);

    const { totals, mediaBuys } = await delivery();

    expect(totals).toEqual({ ...NOTHING, incomplete: true });
    expect(mediaBuys).toMatchObject([{ ...NOTHING, error: expect.stringMatching(/^The seller /) }]);

    reports(3);
    clock.skip(HOUR_MS);
    const told = await delivery();
    expect(told.totals).toMatchObject({ spend: 3 });
    expect(told.totals).not.toHaveProperty('incomplete');
    expect(told.mediaBuys[0]).not.toHaveProperty('error');
  });

  test('is nothing of one that was called off before it started', async () => {
    done(await buyer.post(`/buyer/campaigns/${campaignId}/cancel`, {}));
    clock.skip(2 * HOUR_MS);

    const { totals } = await delivery();

    expect(totals).toEqual(NOTHING);
  });

  test('is nothing of one of which it says so', async () => {
    clock.skip(2 * HOUR_MS);
    reports(0);

    const { totals, mediaBuys } = await delivery();

    expect(totals).toEqual(NOTHING);
    expect(mediaBuys).toMatchObject([NOTHING]);
  });
});
