import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A campaign of ten days with a cap of 100 a day, as it runs. Its seller tells of no delivery unless a test has it. */
describe('a daily cap in the middle of a flight', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let path: string;
  let campaign: string;
  let packageId: string;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });
  beforeEach(async () => {
    takesChanges(far);
    far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    buyer = await newPerson(server);
  });

  const at = (days: number) => new Date(begins + days * DAY_MS).toISOString();
  let begins: number;

  /** It begins at the next midnight, and that is when it goes on from here. */
  async function runs(each: number): Promise<void> {
    begins = Math.ceil((clock.now() + HOUR_MS) / DAY_MS) * DAY_MS;
    const flightDates = { startDate: at(0), endDate: at(10) };
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      each,
      storefrontIds: [far.storefrontId],
      campaign: { budget: { total: 1_000, dailyCap: 100 }, flightDates },
    });
    campaign = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${campaign}/execute`));
    const [buy] = done(await buyer.get(campaign)).campaign.mediaBuys;
    path = `/buyer/media-buys/${buy.mediaBuyId}`;
    packageId = buy.packages[0].packageId;
    clock.skip(begins - clock.now());
  }

  const goOn = (days: number) => clock.skip(begins + days * DAY_MS - clock.now());
  const raise = (budget: number) => buyer.patch(path, { packages: [{ packageId, budget }] });
  const tells = async (spend: number) => {
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          totals: { impressions: 1, spend, clicks: 0 },
          by_package: [],
        },
      ],
    }));
    done(await buyer.get(`${campaign}/media-buy-status`));
  };
  const beyond = (perDay: string) => ({
    code: 'INSUFFICIENT_MEDIA_BUDGET' as const,
    at: {
      // The clock runs on while it is asked.
      'budget.dailyCap': new RegExp(
        `^Within budget.dailyCap 100.00 USD can be spent a day; the media buys would take ${perDay}\\d USD a day.$`,
      ),
    },
  });

  test('is not climbed in small raises', async () => {
    await runs(500);
    goOn(5);

    // 250 are gone: what is left may be 500 in the five days to come.
    expectRefusal(await raise(751), 409, beyond('100.2'));
    done(await raise(600));
    done(await raise(700));
    done(await raise(749));
    expectRefusal(await raise(760), 409, beyond('102.0'));
    goOn(6);
    expectRefusal(await raise(760), 409, beyond('102.5'));
  });

  test('is kept by the day that is under way, of which some is spent', async () => {
    await runs(500);
    goOn(9.5);

    // 475 are gone, 25 of them today.
    done(await raise(549));
    goOn(9.75);
    expectRefusal(await raise(560), 409, beyond('110.0'));
  });

  test('counts what the seller told in place of what was reckoned', async () => {
    await runs(500);
    goOn(5);
    await tells(100);

    expectRefusal(await raise(700), 409, beyond('120.0'));
    done(await raise(599));
  });

  test('counts what was told, though it stays the same for days', async () => {
    await runs(500);
    goOn(2);
    await tells(100);
    goOn(5);
    await tells(100);

    expectRefusal(await raise(601), 409, beyond('100.2'));
    done(await raise(599));
  });

  test('is not passed by dates of a single package', async () => {
    await runs(500);
    const dated = (endTime: string) => buyer.patch(path, { packages: [{ packageId, endTime }] });

    expectRefusal(await dated(at(4)), 409, beyond('125.0'));
    done(await dated(at(5.01)));
    expectRefusal(await raise(502), 409, beyond('100.2'));
  });

  test.each([
    ['a media buy', () => [`${path}/pause`, `${path}/reactivate`]],
    ['its campaign', () => [`${campaign}/pause`, `${campaign}/reactivate`]],
  ])('is not passed where %s goes on after a long pause', async (_, calls) => {
    await runs(500);
    const [pause = '', reactivate = ''] = calls();
    done(await buyer.post(pause));
    goOn(6);

    expectRefusal(await buyer.post(reactivate), 409, beyond('125.0'));

    expect((await raise(399)).status).toBe(200);
    done(await buyer.post(reactivate));
    expect(done(await buyer.get(path)).mediaBuy).toMatchObject({ status: 'ACTIVE' });
  });
});
