import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Bought,
  boughtIn,
  DAY_MS,
  type MoneyWorld,
  moneyWorld,
} from '../../support/buying/money-world.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('a media buy that is to be stopped', () => {
  const clock = skippingClock();
  let server: TestServer;
  let world: MoneyWorld;
  let buy: Bought;
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', MEDIA_BUY_END_GRACE_HOURS: '1' };
    server = await startTestServer({ clock, settings });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    world = await moneyWorld({ server, clock });
    buy = await boughtIn(world, { each: 50 });
    world.far.agent.on('get_media_buys', () => ({
      media_buys: [
        { media_buy_id: 'Far_1', status: 'active', packages: [{ package_id: buy.packageId, budget: 50 }] },
      ],
    }));
    return () => world.far.agent.stop();
  });

  const path = () => `/buyer/media-buys/${buy.mediaBuyId}`;
  const pause = () => world.buyer.post(`${path()}/pause`, {});
  const cancel = () => world.buyer.post(`/buyer/campaigns/${buy.campaignId}/cancel`);
  const read = async () => done(await world.buyer.get(`${path()}?detail=full`)).mediaBuy;
  const statesOf = async () => (await read()).changes.map(({ state }: { state: string }) => state);
  const refresh = async () =>
    done(await world.buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  const answers = (answer: () => object) => world.far.agent.on('update_media_buy', answer);
  const breaksOff = () => {
    throw new Error('out of order');
  };

  test('is paused after all where nobody answered the pause, and its seller refuses the end', async () => {
    answers(breaksOff);
    await pause();
    expect(await statesOf()).toEqual(['unknown']);
    answers(() => ({ errors: [{ code: 'NOT_CANCELLABLE', message: 'No.', recovery: 'correctable' }] }));

    await cancel();

    expect(await statesOf()).toEqual(['refused', 'unknown']);
    answers(() => ({ media_buy_id: 'Far_1', status: 'paused' }));
    await refresh();
    const last = world.far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').at(-1);
    expect(last?.args).toMatchObject({ paused: true });
  });

  test('says to await its seller where something else is asked while its end waits', async () => {
    answers(() => ({ status: 'submitted', task_id: 'task_1' }));
    world.far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));
    await cancel();

    const refused = await pause();

    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      at: { media_buy_id: /: its cancellation, asked for at \S+Z, waits for its seller\.$/ },
    });
    expect(refused.body.error.details.suggestion).toMatch(/^Follow it with campaign_get_media_buy_status/);
  });

  test('is not over with its old end where nobody knows of a later one, nor of the end that was asked for after it', async () => {
    const at = (days: number) => new Date(clock.now() + days * DAY_MS).toISOString();
    done(await world.buyer.patch(path(), { end_time: at(3) }));
    answers(breaksOff);
    await world.buyer.patch(path(), { end_time: at(6) });
    await cancel();
    expect((await statesOf()).slice(0, 2)).toEqual(['unknown', 'superseded']);
    clock.skip(4 * DAY_MS);

    await refresh();

    expect((await read()).status).toBe('ACTIVE');
    expect(done(await world.buyer.get('/buyer/accounts/current')).credit[0].committed).toBe(50);
  });
});
