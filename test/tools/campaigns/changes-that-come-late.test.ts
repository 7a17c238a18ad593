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
import { eventually } from '../../support/run/eventually.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { decidesLater } from '../../support/sellers/changing-seller.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** How many changes of a media buy are shown. */
const HISTORY_MAX = 20;

/** Ten days for 50 at most 10 a day: 100 fit, as long as all of the days are left. */
describe('a change that comes true when days of the flight are gone', () => {
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

  const bought = () => boughtIn(world, { each: 50, campaign: { budget: { total: 1_000, dailyCap: 10 } } });
  const goOn = (days: number) => clock.skip(begins + days * DAY_MS - clock.now());
  const change = ({ mediaBuyId }: Bought, asked: object) =>
    world.buyer.patch(`/buyer/media-buys/${mediaBuyId}`, asked);
  const raise = (buy: Bought, budget: number) =>
    change(buy, { packages: [{ packageId: buy.packageId, budget }] });
  const refresh = async ({ campaignId }: Bought) =>
    done(await world.buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  const read = async ({ mediaBuyId }: Bought) =>
    done(await world.buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
  const budgetOf = async ({ campaignId }: Bought) =>
    done(await world.buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys[0].budget;
  const shows = (buy: object) =>
    world.far.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'Far_1', status: 'active', ...buy }],
    }));
  const sent = () => world.far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').length;

  /** A raise to 100 that its seller confirms on a day, of a buy that is then read. */
  async function confirmedOn(days: number) {
    const buy = await bought();
    goOn(0);
    const seller = decidesLater(world.far);
    done(await raise(buy, 100));
    goOn(days);
    seller.decides({ status: 'completed', result: {} });
    shows({ packages: [{ package_id: buy.packageId, budget: 100 }] });
    return { buy, status: await refresh(buy) };
  }

  test('is told to the buyer where its seller confirms a raise so late that it goes beyond the daily cap', async () => {
    const { buy, status } = await confirmedOn(8);

    // 40 are gone, and 60 are spent in two days.
    const late =
      /^Its seller confirmed it late: the media buys take 30.0\d USD a day with it by now, and budget.dailyCap is 10.00 USD. You: give them less budget/;
    expect(status.change).toMatchObject({ state: 'confirmed', message: expect.stringMatching(late) });
    expect(await budgetOf(buy)).toBe(100);
    expect((await read(buy)).explanation).toMatch(
      /The change asked for at \S+: Its seller confirmed it late/,
    );
    expect(await needed(buy)).toEqual(['seller', 'buyer']);
  });

  test('is told no more once the cap was raised, and once more as it is by then', async () => {
    const { buy } = await confirmedOn(8);
    goOn(9);
    const stricter = /: Its seller confirmed it late: the media buys take 3\d\.\d\d USD a day/;
    expect((await read(buy)).explanation).toMatch(stricter);

    done(await world.buyer.put(`/buyer/campaigns/${buy.campaignId}`, { budget: { dailyCap: 60 } }));

    const { explanation, changes } = await read(buy);
    expect(explanation).toBe('It runs: nothing is to be done.');
    expect(changes[0]).toMatchObject({ state: 'confirmed' });
    expect(changes[0]).not.toHaveProperty('message');
    expect((await refresh(buy)).change).toBeUndefined();
  });

  test('is told no more once another change has mended it', async () => {
    const { buy } = await confirmedOn(8);
    world.far.agent.on('update_media_buy', () => ({ media_buy_id: 'Far_1', status: 'active' }));
    shows({ packages: [{ package_id: buy.packageId, budget: 60 }] });

    done(await raise(buy, 60));

    expect((await read(buy)).explanation).not.toMatch(/late/);
  });

  test('is told beside what is asked of the buy after it, for as long as it is so', async () => {
    const { buy } = await confirmedOn(8);
    const late = expect.stringMatching(
      /^It runs\. The change asked for at \S+: Its seller confirmed it late: the media buys take 30.0\d USD a day/,
    );
    const said = expect.stringMatching(/^Its seller confirmed it late: the media buys take 30.0\d USD a day/);

    done(await change(buy, { name: 'Spring' }));

    expect(await read(buy)).toMatchObject({ explanation: late, changes: [{ state: 'confirmed' }, {}] });
    expect((await refresh(buy)).change).toMatchObject({ state: 'confirmed', message: said });

    decidesLater(world.far);
    done(await raise(buy, 90));

    const waits = expect.stringMatching(
      / waits for Agent to confirm it.*: Its seller confirmed it late: the/,
    );
    expect(await read(buy)).toMatchObject({ explanation: waits });
    expect(await refresh(buy)).toMatchObject({ change: { state: 'waiting' }, source_message: said });

    done(await world.buyer.put(`/buyer/campaigns/${buy.campaignId}`, { budget: { dailyCap: 60 } }));

    expect((await read(buy)).explanation).not.toMatch(/late/);
    expect(await refresh(buy)).not.toHaveProperty('source_message');
  });

  test('is told however much is asked of the buy after it', async () => {
    const { buy } = await confirmedOn(8);
    for (let count = 0; count < HISTORY_MAX; count += 1) {
      done(await change(buy, { name: `Spring ${count}` }));
    }

    const { explanation, changes } = await read(buy);

    expect(changes).toHaveLength(HISTORY_MAX);
    expect(changes.filter(({ message }: { message?: string }) => message !== undefined)).toEqual([]);
    expect(explanation).toMatch(/: Its seller confirmed it late: the media buys take 30.0\d USD a day/);
  });

  test('is not spoken of where a raise was confirmed a minute after it was asked for', async () => {
    const { buy, status } = await confirmedOn(0.001);

    expect(status.change).toBeUndefined();
    expect(await budgetOf(buy)).toBe(100);
    expect(await needed(buy)).toEqual(['seller']);
  });

  test('is not sent where its seller names the buy so late that it does not fit any more', async () => {
    world.far.agent.on('create_media_buy', () => ({ status: 'submitted', task_id: 'order_1' }));
    const waiting = await bought();
    // Two days earlier, at 6.25 a day.
    done(await change(waiting, { endTime: new Date(begins + 8 * DAY_MS).toISOString() }));
    goOn(7);
    world.far.agent.on('get_task_status', () => ({
      task_id: 'order_1',
      status: 'completed',
      result: { media_buy_id: 'Far_1', status: 'active', packages: [] },
    }));
    shows({ packages: [] });

    await refresh(waiting);
    const { change: last } = await refresh(waiting);

    expect(last).toMatchObject({
      state: 'refused',
      message: expect.stringMatching(/^It was not sent: the media buys take 50.00 USD a day with it by now/),
    });
    expect(sent()).toBe(0);
  });

  test('is not sent again where nobody knows whether its seller took it', async () => {
    const buy = await bought();
    goOn(0);
    world.far.agent.on('update_media_buy', () => ({
      media_buy_id: 'Far_1',
      errors: [{ code: 'BUSY', message: 'No.' }],
    }));
    world.far.agent.on('get_media_buys', () => ({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] }));
    done(await raise(buy, 100));
    expect((await read(buy)).changes[0]).toMatchObject({ state: 'unknown' });
    const before = sent();

    goOn(8);

    await eventually(async () => {
      expect((await read(buy)).explanation).toMatch(
        /was not answered by Agent: it is not sent again: the media buys take 30/,
      );
    });
    expect(sent()).toBe(before);
    const pending = async () =>
      done(await world.buyer.get(`/buyer/campaigns/${buy.campaignId}`)).campaign.mediaBuys[0].pendingChange;
    goOn(9);
    // As it is by now.
    const stricter = /it is not sent again: the media buys take [4-9]\d\.\d\d USD a day with it by now/;
    expect((await read(buy)).explanation).toMatch(stricter);
    expect((await pending()).reason).toMatch(stricter);
    expect((await refresh(buy)).change.message).toMatch(stricter);
    done(await world.buyer.put(`/buyer/campaigns/${buy.campaignId}`, { budget: { dailyCap: 90 } }));
    const mended =
      'it came too late for budget.dailyCap, and is not sent again. What the seller shows of the buy decides. You: ask for it once more if it is not there.';
    expect(await read(buy)).toMatchObject({
      explanation: expect.stringContaining(`was not answered by Agent: ${mended}`),
      changes: [{ state: 'unknown', message: mended }],
    });
    expect(await pending()).toMatchObject({ reason: mended });
    // What the seller shows decides.
    shows({ packages: [{ package_id: buy.packageId, budget: 50 }] });
    await refresh(buy);
    world.far.agent.on('update_media_buy', () => ({ media_buy_id: 'Far_1', status: 'active' }));
    expect((await raise(buy, 55)).status).toBe(200);
  });

  async function needed({ mediaBuyId }: Bought): Promise<unknown[]> {
    const told = await keptEvents(server.url, world.buyer.key);
    return told
      .map(({ payload }) => payload)
      .filter((one) => one.event === 'approval.needed' && one.mediaBuyId === mediaBuyId)
      .map(({ waitsFor }) => waitsFor);
  }
});
