import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pollBuys } from '../../../tools/domain/buying/following/buy-polling.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { creditOf } from '../../support/buying/money-world.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const EVERY_MS = MINUTE_MS;

describe('a media buy that is over, and that its seller shows as one that goes on', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let advertiserId: string;
  let campaignId: string;
  const clock = skippingClock();
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', MEDIA_BUY_END_GRACE_HOURS: '200' };
    server = await startTestServer({ clock, settings });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server, { funds: false });
    await creditOf({ server, buyer }, 150);
    advertiserId = await newAdvertiser(buyer);
    campaignId = await drafted();
    done(await buyer.post(`${path()}/execute`, {}));
    clock.skip(HOUR_MS);
    reports(10);
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  /** A campaign of a week that spends 100. */
  const drafted = async () => {
    const flightDates = {
      startDate: new Date(clock.now()).toISOString(),
      endDate: new Date(clock.now() + 168 * HOUR_MS).toISOString(),
    };
    const storefrontIds = [far.storefrontId];
    const draft = await draftCampaign(buyer, { advertiserId, storefrontIds, campaign: { flightDates } });
    return draft.campaignId;
  };
  const path = () => `/buyer/campaigns/${campaignId}`;
  /** Asks after all that is due, so many minutes later. */
  const round = async (minutes: number) => {
    clock.skip(minutes * MINUTE_MS);
    const signal = new AbortController().signal;
    await pollBuys(server.running.app.services, { everyMs: EVERY_MS, signal });
  };
  const reports = (spend: number) =>
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          totals: { impressions: spend * 100, spend, clicks: 1 },
          by_package: [],
        },
      ],
    }));
  const account = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD');
  };
  const buy = async () => {
    const { mediaBuys } = done(await buyer.get(path())).campaign;
    return done(await buyer.get(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}`)).mediaBuy;
  };
  const stands = async () => {
    const { status, performance } = await buy();
    return [status, performance.spend, (await account()).committed];
  };
  const faults = () => faultsOf(server.store.db, buyer.organizationId);
  const completes = async () => {
    far.shows('completed');
    await round(2);
  };
  const cancels = async () => void done(await buyer.post(`${path()}/cancel`, {}));
  const deletes = async () => expect((await buyer.delete(path())).status).toBe(204);

  test.each([
    ['completed', 'COMPLETED', completes],
    ['called off', 'CANCELED', cancels],
    ['put away with its campaign', 'ARCHIVED', deletes],
  ])('is bound again where it was %s, and can be called off once more', async (_, status, ends) => {
    await ends();
    await round(2);
    expect(await stands()).toEqual([status, 10, 10]);

    far.shows('active');
    reports(30);
    await round(10);

    expect(await stands()).toEqual(['ACTIVE', 30, 100]);
    expect((await buy()).explanation).toMatch(/^It runs on, and its campaign .* You: call campaign_cancel/);
    expect((await buy()).explanation).toContain('Agent shows it since');
    const news = done(await buyer.get(`${path()}/media-buy-status`));
    expect(news.media_buys[0]).toMatchObject({ operational_status: 'attention_required' });
    expect(news.media_buys[0].blockers).toContain('runs_on');

    const told = far.told.length;
    done(await buyer.post(`${path()}/cancel`, {}));
    expect(far.told.slice(told)).toMatchObject([{ canceled: true }]);
    await round(2);

    expect(await stands()).toEqual(['CANCELED', 30, 30]);
    expect((await buy()).explanation).not.toContain('goes on');
    expect(await faults()).toEqual([]);
  });

  test('is held where its seller shows it so', async () => {
    await completes();
    far.shows('paused');
    await round(10);

    expect(await stands()).toEqual(['PAUSED', 10, 100]);
    expect((await buy()).explanation).toMatch(/^It is held, and not called off at its seller/);
  });

  test('stays over while that may be a copy of what was, and nothing is released by what comes with it', async () => {
    await cancels();
    far.shows('active');
    reports(20);

    await round(2);

    expect(await stands()).toEqual(['CANCELED', 20, 100]);
    far.shows('canceled');
    await round(2);
    expect(await stands()).toEqual(['CANCELED', 20, 20]);
  });

  test('stays over and bound while it is listed twice with another status, which is told', async () => {
    await completes();
    const shown = (status: string, id: unknown) => ({ media_buy_id: id, status, packages: [] });
    const lists = (...statuses: string[]) =>
      far.agent.on('get_media_buys', ({ media_buy_ids }) => ({
        media_buys: statuses.map((status) => shown(status, [media_buy_ids].flat()[0])),
      }));
    for (const [spend, statuses] of [
      [30, ['completed', 'active']],
      [60, ['active', 'completed']],
      [70, ['canceled', 'completed']],
    ] as const) {
      lists(...statuses);
      reports(spend);

      await round(30);

      expect(await stands()).toEqual(['COMPLETED', spend, 100]);
      const { explanation } = await buy();
      expect(explanation).toMatch(
        /^It is over\. Agent lists \S+ more than once, each time with another status: nothing of that was taken\. Ask the seller/,
      );
      expect(explanation).toContain(
        'Nothing it reports settles that while it lists it so: 100.00 USD stay bound until it does not',
      );
      const [news] = done(await buyer.get(`${path()}/media-buy-status`)).media_buys;
      expect(explanation).toContain(news.source_message);
    }
    lists('completed', 'completed');
    await round(30);

    expect(await stands()).toEqual(['COMPLETED', 70, 70]);
    expect((await buy()).explanation).not.toContain('more than once');
    expect(await faults()).toEqual([]);
  });

  test('settles once its time is over, whatever is listed twice', async () => {
    await completes();
    clock.skip(168 * HOUR_MS);
    far.agent.on('get_media_buys', ({ media_buy_ids }) => ({
      media_buys: ['completed', 'active'].map((status) => ({
        media_buy_id: [media_buy_ids].flat()[0],
        status,
        packages: [],
      })),
    }));
    reports(40);

    await round(10);

    expect(await stands()).toEqual(['COMPLETED', 40, 40]);
  });

  test('stays over once its time is, whatever its seller shows', async () => {
    await completes();
    clock.skip(168 * HOUR_MS);
    far.shows('active');
    reports(40);

    await round(10);

    expect(await stands()).toEqual(['COMPLETED', 40, 40]);
  });

  test('is bound beyond the credit that there is, which then refuses every other order', async () => {
    await completes();
    await round(2);
    const other = await drafted();
    done(await buyer.post(`/buyer/campaigns/${other}/execute`, {}));
    far.shows('active');
    await round(10);

    expect(await account()).toMatchObject({ committed: 200, available: -50 });
    const refused = await buyer.post(`/buyer/campaigns/${await drafted()}/execute`, {});
    expectRefusal(refused, 402, { code: 'CREDIT_LIMIT_EXCEEDED', words: /has -50\.00 USD available/ });
    expect(await faults()).toEqual([]);
  });

  test('has its campaign run again where that had come to nothing', async () => {
    far.shows('rejected');
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      notification_type: 'final',
      media_buy_deliveries: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          totals: { impressions: 0, spend: 0, clicks: 0 },
          by_package: [],
        },
      ],
    }));
    await round(2);
    await round(2);
    expect(done(await buyer.get(path())).campaign.status).toBe('DRAFT');
    far.shows('active');
    reports(30);
    await round(10);

    const { campaign } = done(await buyer.get(path()));
    expect(campaign.status).toBe('ACTIVE');
    expect(await stands()).toEqual(['ACTIVE', 30, 100]);
    expect((await buy()).explanation).toMatch(/^It runs on, and was over before\. You: call it off/);
    const news = done(await buyer.get(`${path()}/media-buy-status`));
    expect(news.media_buys[0].blockers).toContain('runs_on');
    const [home] = done(await buyer.get('/buyer/all-advertisers-home')).advertisers;
    expect(home.attention.flags).toContainEqual(
      expect.objectContaining({ label: '1 going on at their sellers after their end', tone: 'critical' }),
    );
    await cancels();
    expect((await buy()).status).toBe('CANCELED');
  });

  test('is bound with what its seller shows of a raise that had waited until its end', async () => {
    const { mediaBuyId, packages } = await buy();
    far.undecided();
    done(
      await buyer.put(path(), {
        mediaBuys: [{ mediaBuyId, packages: [{ packageId: packages[0].packageId, budget: 150 }] }],
        budget: { total: 200 },
      }),
    );
    await completes();
    await round(2);
    expect(await stands()).toEqual(['COMPLETED', 10, 10]);
    far.shows('active');
    far.agent.on('get_media_buys', ({ media_buy_ids }) => ({
      media_buys: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          status: 'active',
          packages: [{ package_id: packages[0].packageId, budget: 150 }],
        },
      ],
    }));
    reports(140);
    await round(10);

    expect(await stands()).toEqual(['ACTIVE', 140, 150]);
    expect((await buy()).explanation).not.toContain('is owed');
    expect(await faults()).toEqual([]);
  });
});
