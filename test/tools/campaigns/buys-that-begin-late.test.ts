import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Bought,
  boughtIn,
  DAY_MS,
  type MoneyWorld,
  moneyWorld,
  tenDays,
} from '../../support/buying/money-world.ts';
import { keptEvents } from '../../support/callers/event-follower.ts';
import { engine } from '../../support/database/database.ts';
import { holdLog } from '../../support/database/held-log.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { decidesLater } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const SUBMITTED = { status: 'submitted', task_id: 'order_1' };
const WAITS_FOR_CREATIVES = { media_buy_id: 'Far_1', status: 'pending_creatives', packages: [] };

/** Ten days for 100 at most 10 a day: to the cent, as long as all of the days are left. */
describe('a media buy that begins when days of the flight are gone', () => {
  const clock = skippingClock();
  let server: TestServer;
  let world: MoneyWorld;
  let begins: number;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    world = await moneyWorld({ server, clock });
    world.far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    begins = tenDays(world).begins;
    return () => world.far.agent.stop();
  });

  const bought = () => boughtIn(world, { campaign: { budget: { total: 1_000, dailyCap: 10 } } });
  const goOn = (days: number) => clock.skip(begins + days * DAY_MS - clock.now());
  const refresh = async ({ campaignId }: Bought) =>
    done(await world.buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  const explained = async ({ mediaBuyId }: Bought): Promise<string> =>
    done(await world.buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy.explanation;
  const shows = (buy: object = {}) =>
    world.far.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'Far_1', status: 'active', packages: [], ...buy }],
    }));
  const takesOrdersLater = (answer: object) => world.far.agent.on('create_media_buy', () => answer);
  const approves = () => {
    const result = { media_buy_id: 'Far_1', status: 'active', packages: [] };
    world.far.agent.on('get_task_status', () => ({ task_id: 'order_1', status: 'completed', result }));
    shows();
  };
  const asked = async ({ mediaBuyId }: Bought) =>
    (await keptEvents(server.url, world.buyer.key))
      .map(({ payload }) => payload)
      .filter((one) => one.event === 'approval.needed' && one.mediaBuyId === mediaBuyId);
  const needed = async (buy: Bought) => (await asked(buy)).map(({ waitsFor }) => waitsFor);
  const late = (perDay: string) =>
    new RegExp(
      `began later than it was reckoned with: the media buys take ${perDay} USD a day with it by now, and budget\\.dailyCap is 10\\.00 USD\\. You: give them less budget or more days, or raise budget\\.dailyCap with campaign_update\\.`,
    );

  /** An order that its seller approves on a day. */
  async function approvedOn(days: number): Promise<Bought> {
    takesOrdersLater(SUBMITTED);
    const buy = await bought();
    goOn(days);
    approves();
    return buy;
  }

  test('is told to the buyer where its seller approves the order so late that it goes beyond the daily cap', async () => {
    const buy = await approvedOn(8);

    const status = await refresh(buy);

    expect(status).toMatchObject({
      internal_status: 'ACTIVE',
      source_message: expect.stringMatching(late('50.0\\d')),
    });
    expect(await explained(buy)).toMatch(late('50.0\\d'));
    expect(await needed(buy)).toEqual(['seller', 'buyer']);
    // Asked once more, it is told no second time.
    expect((await refresh(buy)).source_message).toMatch(late('50.0\\d'));
    expect(await needed(buy)).toEqual(['seller', 'buyer']);
  });

  test('is told no more once the cap was raised', async () => {
    const buy = await approvedOn(8);
    await refresh(buy);

    done(await world.buyer.put(`/buyer/campaigns/${buy.campaignId}`, { budget: { dailyCap: 60 } }));

    expect(await explained(buy)).toBe('It runs: nothing is to be done.');
    expect((await refresh(buy)).source_message).toBeUndefined();
  });

  test('is told no more once figures of its seller leave less to spend', async () => {
    const buy = await approvedOn(8);
    await refresh(buy);
    goOn(8.5);
    const totals = { impressions: 1, spend: 95, clicks: 0 };
    world.far.agent.on('get_media_buy_delivery', () => ({
      media_buy_deliveries: [{ media_buy_id: 'Far_1', totals, by_package: [] }],
    }));
    await refresh(buy);

    goOn(9.1);

    expect(await explained(buy)).toBe('It runs: nothing is to be done.');
  });

  test('is not spoken of where its seller approves the order in time', async () => {
    const buy = await approvedOn(-0.01);

    expect((await refresh(buy)).source_message).toBeUndefined();
    expect(await explained(buy)).toBe('It runs: nothing is to be done.');
    expect(await needed(buy)).toEqual(['seller']);
  });

  test('is told where its seller waited for creatives until then', async () => {
    takesOrdersLater(WAITS_FOR_CREATIVES);
    const buy = await bought();
    goOn(6);
    shows();

    expect((await refresh(buy)).source_message).toMatch(late('25.0\\d'));
    expect(await asked(buy)).toMatchObject([
      { waitsFor: 'buyer', changes: { pendingReason: { from: null, to: 'no_creatives_attached' } } },
      { waitsFor: 'buyer', changes: { pendingReason: { from: 'no_creatives_attached', to: null } } },
    ]);
  });

  describe('beside another of its campaign', () => {
    let other: FarSeller;
    let campaignId: string;
    const answers = (id: string) => ({ media_buy_id: id, status: 'active', packages: [] });
    const otherApproves = () => {
      const result = answers('Other_1');
      other.agent.on('get_task_status', () => ({ task_id: 'order_2', status: 'completed', result }));
      other.agent.on('get_media_buys', () => ({ media_buys: [result] }));
    };
    const refreshAll = async (): Promise<string[]> => {
      const { media_buys } = done(await world.buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
      return media_buys.flatMap(({ source_message: said = [] }) => said);
    };
    beforeEach(async () => {
      takesOrdersLater(SUBMITTED);
      other = await farSeller(server, 'Other');
      other.agent.on('create_media_buy', () => ({ status: 'submitted', task_id: 'order_2' }));
      other.agent.on('get_task_status', () => ({ task_id: 'order_2', status: 'working' }));
      other.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
      ({ campaignId } = await draftCampaign(world.buyer, {
        advertiserId: world.advertiserId,
        each: 50,
        storefrontIds: [world.far.storefrontId, other.storefrontId],
        campaign: { budget: { total: 1_000, dailyCap: 10 }, flightDates: tenDays(world).flightDates },
      }));
      done(await world.buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      goOn(3);
      return () => other.agent.stop();
    });

    test('counts those that spend, and not what waits for its seller', async () => {
      approves();

      // 7.14 a day alone.
      expect(await refreshAll()).toEqual([]);
      otherApproves();

      expect(await refreshAll()).toEqual([expect.stringMatching(late('14.2\\d'))]);
    });

    test('is told where both are approved at once, and neither is late alone', async () => {
      approves();
      otherApproves();

      // Both are written before either is stored.
      const log = engine === 'postgres' ? await holdLog(server.database) : undefined;
      const refreshed = refreshAll();
      await log?.behind(2).finally(() => log.release());
      await refreshed;

      expect(await refreshAll()).toEqual([expect.stringMatching(late('14.2\\d'))]);
    });
  });

  describe('after a pause', () => {
    const pause = ({ mediaBuyId }: Bought) => world.buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`);
    const reactivate = ({ mediaBuyId }: Bought) =>
      world.buyer.post(`/buyer/media-buys/${mediaBuyId}/reactivate`);

    async function pausedAtOnce(): Promise<Bought> {
      const buy = await bought();
      goOn(0);
      done(await pause(buy));
      return buy;
    }

    test.each([
      ['shows that it goes on', shows],
      ['says that it has decided, and shows nothing', () => shows({ status: undefined })],
    ])('is told where its seller %s when days have gone', async (_, shown) => {
      const buy = await pausedAtOnce();
      const seller = decidesLater(world.far);
      done(await reactivate(buy));
      goOn(8);
      seller.decides({ status: 'completed', result: {} });
      shown();

      expect((await refresh(buy)).internal_status).toBe('ACTIVE');
      expect(await explained(buy)).toMatch(late('50.0\\d'));
      expect(await needed(buy)).toEqual(['seller', 'buyer']);
    });

    test('is told where its seller lets it go on of its own accord', async () => {
      const buy = await pausedAtOnce();
      goOn(8);
      shows();

      await refresh(buy);

      expect(await explained(buy)).toMatch(late('50.0\\d'));
      expect(await needed(buy)).toEqual(['buyer']);
    });

    test('is no more told of while it is held once more', async () => {
      const buy = await pausedAtOnce();
      goOn(8);
      shows();
      await refresh(buy);

      shows({ status: 'paused' });
      world.far.agent.on('update_media_buy', () => ({ media_buy_id: 'Far_1', status: 'paused' }));
      done(await pause(buy));

      expect(await explained(buy)).toMatch(/^It is held, and nothing is spent/);
      expect((await refresh(buy)).source_message).toBeUndefined();
    });
  });
});
