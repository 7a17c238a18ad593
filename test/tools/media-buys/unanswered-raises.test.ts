import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recover } from '../../../adapters/process/recovery.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import {
  type Bought,
  boughtIn,
  DAY_MS,
  type MoneyWorld,
  moneyWorld,
} from '../../support/buying/money-world.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { eventually } from '../../support/run/eventually.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { reportsAtTheEnd } from '../../support/sellers/end-reports.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

interface Shown {
  readonly media_buy_id: string;
  readonly status: string;
  readonly packages: readonly { readonly package_id: string; readonly budget: number }[];
}

describe('a raise of which nobody knows whether its seller took it', () => {
  const clock = skippingClock();
  let server: TestServer;
  let world: MoneyWorld;
  let buy: Bought;
  /** What the seller shows of the buy. */
  let shown: Shown;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    world = await moneyWorld({ server, clock });
    buy = await boughtIn(world, { each: 50 });
    shows(50);
    world.far.agent.on('get_media_buys', () => ({ media_buys: [shown] }));
    world.far.agent.on('get_media_buy_delivery', (asked) =>
      reportsAtTheEnd(new Map([[shown.media_buy_id, shown]]))(asked),
    );
    breaksOff();
    await change({ budget: 100 });
    expect(await statesOf()).toEqual(['unknown']);
    return () => world.far.agent.stop();
  });

  const path = () => `/buyer/media-buys/${buy.mediaBuyId}`;
  const shows = (budget: number, status = 'active') => {
    shown = { media_buy_id: 'Far_1', status, packages: [{ package_id: buy.packageId, budget }] };
  };
  const change = (part: object) =>
    world.buyer.patch(path(), { packages: [{ packageId: buy.packageId, ...part }] });
  const cancel = () => world.buyer.post(`/buyer/campaigns/${buy.campaignId}/cancel`);
  const read = async () => done(await world.buyer.get(`${path()}?detail=full`)).mediaBuy;
  const statesOf = async () => (await read()).changes.map(({ state }: { state: string }) => state);
  const refresh = async () =>
    done(await world.buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  const committed = async () => done(await world.buyer.get('/buyer/accounts/current')).credit[0].committed;
  const told = () => world.far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').at(-1)?.args;
  const breaksOff = () =>
    world.far.agent.on('update_media_buy', () => {
      throw new Error('out of order');
    });
  const refuses = () =>
    world.far.agent.on('update_media_buy', () => ({
      errors: [{ code: 'NOT_CANCELLABLE', message: 'Not this one.', recovery: 'correctable' }],
    }));
  const takes = () =>
    world.far.agent.on('update_media_buy', ({ packages }) => {
      const [{ budget = 50 } = {}] = (packages ?? []) as { budget?: number }[];
      shows(budget);
      return shown;
    });

  test('is asked for once more with the change that takes its place', async () => {
    takes();

    done(await change({ pacing: 'asap' }));

    expect(told()).toMatchObject({ packages: [{ package_id: buy.packageId, budget: 100, pacing: 'asap' }] });
    expect(await statesOf()).toEqual(['confirmed', 'superseded']);
    expect(await read()).toMatchObject({ budget: 100, packages: [{ budget: 100, pacing: 'asap' }] });
    expect(await committed()).toBe(100);
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
  });

  test('is asked for once more where the same is asked for, and taken back where the budget of before is', async () => {
    takes();
    done(await change({ budget: 100, pacing: 'asap' }));
    expect([(await read()).budget, await committed()]).toEqual([100, 100]);
    breaksOff();
    await change({ budget: 110 });
    takes();

    done(await change({ budget: 100 }));

    expect(told()).toMatchObject({ packages: [{ budget: 100 }] });
    expect([(await read()).budget, await committed()]).toEqual([100, 100]);
  });

  test('stays bound while the change that took its place waits, and binds nothing twice', async () => {
    world.far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    world.far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));

    await change({ pacing: 'asap' });

    expect(await statesOf()).toEqual(['waiting', 'superseded']);
    expect(await committed()).toBe(100);
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
  });

  test.each([
    ['the change that took its place', () => change({ pacing: 'asap' })],
    ['the end of its buy', () => cancel()],
  ])('stands again, and is not sent again, where the seller refuses %s', async (_, ask) => {
    refuses();

    await ask();

    expect(await statesOf()).toEqual(['refused', 'unknown']);
    expect((await read()).explanation).toMatch(/was not answered by Agent.* was refused/);
    expect(await committed()).toBe(100);
    const sent = world.far.agent.calls.length;
    clock.skip(DAY_MS / 24);
    await recover(server.running.app.services);
    expect(world.far.agent.calls.slice(sent).map(({ tool }) => tool)).not.toContain('update_media_buy');
    shows(100);
    await refresh();
    expect(await statesOf()).toEqual(['refused', 'confirmed']);
    expect([(await read()).budget, await committed()]).toEqual([100, 100]);
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
  });

  test('reads as bound still where it gave way to an end that waits, and no more once that is done', async () => {
    world.far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    world.far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));

    done(await cancel());

    const { explanation, changes } = await read();
    expect(await statesOf()).toEqual(['waiting', 'superseded']);
    expect(changes[1].message).toMatch(
      /^Its seller may have taken it: 100\.00 USD stay bound until it is known what comes of the cancellation asked for at \S+Z\.$/,
    );
    expect(explanation).toMatch(
      / The change asked for at \S+ gave way to another\. Its seller may [^.]+\.00 USD stay/,
    );
    shows(50, 'canceled');
    await refresh();
    expect(await statesOf()).toEqual(['confirmed', 'superseded']);
    expect((await read()).changes[1].message).not.toContain('bound');
    expect(await committed()).toBe(0);
  });

  test('stays bound through an end that is asked for twice, and stands again where the second is refused', async () => {
    await cancel();
    expect(await statesOf()).toEqual(['unknown', 'superseded']);
    expect(await committed()).toBe(100);
    refuses();

    await cancel();

    expect(await statesOf()).toEqual(['refused', 'superseded', 'unknown']);
    expect(await committed()).toBe(100);
    shows(100);
    await refresh();
    expect([(await read()).budget, await committed()]).toEqual([100, 100]);
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
  });

  test('is told with no moments that have gone by since', async () => {
    await world.buyer.patch(path(), { start_time: new Date(clock.now() + 2 * DAY_MS).toISOString() });
    expect(await statesOf()).toEqual(['unknown', 'superseded']);
    clock.skip(3 * DAY_MS);
    // The earlier ones are sent again meanwhile, and break off as before.
    world.far.agent.on('update_media_buy', ({ packages }) => {
      const [{ budget = 50, pacing } = {}] = (packages ?? []) as { budget?: number; pacing?: string }[];
      if (pacing === undefined) throw new Error('out of order');
      shows(budget);
      return shown;
    });

    await eventually(async () => done(await change({ pacing: 'asap' })));

    expect(told()).not.toHaveProperty('start_time');
    expect(told()).toMatchObject({ packages: [{ budget: 100, pacing: 'asap' }] });
    expect(await committed()).toBe(100);
  });

  test('is not forgotten where it was an end that has gone by', async () => {
    const end = new Date(clock.now() + 2 * DAY_MS).toISOString();
    await world.buyer.patch(path(), { end_time: end });
    clock.skip(3 * DAY_MS);

    await eventually(async () =>
      expectRefusal(await change({ pacing: 'asap' }), 422, {
        code: 'VALIDATION_ERROR',
        at: {
          endTime: `Its end was to be ${end}, which has gone by, and nobody knows whether its seller took that: give an end, or call it off.`,
        },
      }),
    );
  });

  test('gives way to the end of its buy for good where the seller takes that', async () => {
    world.far.agent.on('update_media_buy', () => {
      shows(50, 'canceled');
      return shown;
    });

    done(await cancel());

    expect(await statesOf()).toEqual(['confirmed', 'superseded']);
    expect(await committed()).toBe(0);
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
  });
});
