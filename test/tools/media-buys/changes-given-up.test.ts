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
import { FailingWrites } from '../../support/database/failing-writes.ts';
import { ScopeGuard } from '../../support/database/scope-guard.ts';
import { eventually } from '../../support/run/eventually.ts';
import { gate } from '../../support/run/gate.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { done } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const TAKEOVERS_MAX = 2;

const GIVEN_UP =
  /The change asked for at \S+ was not answered by Agent, and is given up \(source_unavailable, see sourceMessage\)\. What Agent shows of the buy decides\. You: read it with campaign_get_media_buy_status, and ask for the change once more if it is not there\.$/;

describe('a change of which nobody knows whether its seller took it', () => {
  const clock = skippingClock();
  const writes = new FailingWrites();
  let server: TestServer;
  let world: MoneyWorld;
  let buy: Bought;
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      store: { plugins: [new ScopeGuard(), writes] },
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', ORDER_TAKEOVERS_MAX: `${TAKEOVERS_MAX}` },
    });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    world = await moneyWorld({ server, clock });
    buy = await boughtIn(world, { each: 50 });
    return () => world.far.agent.stop();
  });

  const changes = () => world.far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
  const raise = () =>
    world.buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, {
      packages: [{ packageId: buy.packageId, budget: 60 }],
    });
  const pause = () => world.buyer.post(`/buyer/media-buys/${buy.mediaBuyId}/pause`);
  const read = async () =>
    done(await world.buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`)).mediaBuy;
  const refresh = async () =>
    done(await world.buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  const neverAnswers = () => {
    const unclear = { media_buy_id: 'Far_1', errors: [{ code: 'BUSY', message: 'No.' }] };
    world.far.agent.on('update_media_buy', () => unclear);
    world.far.agent.on('get_media_buys', () => ({ errors: [{ code: 'SERVICE_UNAVAILABLE' }] }));
  };
  /** Long enough for every patience, once for each time that it is sent again. */
  async function untilGivenUp(): Promise<void> {
    for (let times = 1; times <= TAKEOVERS_MAX; times += 1) {
      clock.skip(DAY_MS / 24);
      await recover(server.running.app.services);
      await eventually(async () => {
        expect(changes()).toHaveLength(times + 1);
        expect((await read()).changes[0].state).toBe('unknown');
      });
    }
  }

  test('is sent again by itself, and says so until it is given up', async () => {
    neverAnswers();
    await raise();
    expect((await read()).explanation).toMatch(/: it is sent again by itself, under the same key\.$/);

    await untilGivenUp();

    const { explanation, errorCode, sourceMessage } = await read();
    expect(explanation).toMatch(GIVEN_UP);
    expect({ errorCode, sourceMessage }).toEqual({
      errorCode: 'source_unavailable',
      sourceMessage: 'BUSY: No.',
    });
    clock.skip(DAY_MS);
    await recover(server.running.app.services);
    expect(changes()).toHaveLength(TAKEOVERS_MAX + 1);
  });

  test('stays as it is, and bound, where the buy is called otherwise', async () => {
    neverAnswers();
    await raise();

    done(await world.buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, { name: 'Spring' }));

    const states = (await read()).changes.map(({ state }: { state: string }) => state);
    expect(states.sort()).toEqual(['confirmed', 'unknown']);
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
    takesChanges(world.far);
    world.far.agent.on('get_media_buys', () => ({
      media_buys: [
        { media_buy_id: 'Far_1', status: 'active', packages: [{ package_id: buy.packageId, budget: 60 }] },
      ],
    }));
    await refresh();
    expect((await read()).changes.map(({ state }: { state: string }) => state)).toEqual([
      'confirmed',
      'confirmed',
    ]);
    expect(done(await world.buyer.get('/buyer/accounts/current')).credit[0].committed).toBe(60);
  });

  test('is over, and binds nothing, where it is a raise and its seller shows the budget of before to the end', async () => {
    const committed = async () => done(await world.buyer.get('/buyer/accounts/current')).credit[0].committed;
    const shows = (budget: number, currency = 'USD') =>
      world.far.agent.on('get_media_buys', () => {
        const packages = [{ package_id: buy.packageId, budget }];
        return { media_buys: [{ media_buy_id: 'Far_1', status: 'active', currency, packages }] };
      });
    neverAnswers();
    await raise();
    await untilGivenUp();
    shows(50);
    await refresh();
    expect([(await read()).changes[0].state, await committed()]).toEqual(['unknown', 60]);
    clock.skip(DAY_MS / 24);

    shows(55);
    await refresh();
    expect([(await read()).changes[0].state, await committed()]).toEqual(['unknown', 60]);
    shows(50, 'EUR');
    await refresh();
    expect([(await read()).changes[0].state, await committed()]).toEqual(['unknown', 60]);
    shows(50);
    await refresh();

    expect([(await read()).changes[0].state, await committed()]).toEqual(['refused', 50]);
    expect((await read()).explanation).toContain('was refused for reasons of the seller, see sourceMessage.');
    expect((await read()).sourceMessage).toBe(
      'The seller did not answer, and shows the media buy with the budgets of before.',
    );
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
    shows(60);
    await refresh();
    expect((await read()).explanation).toContain('no more than 50.00 USD is owed');
    expect(await committed()).toBe(50);
  });

  test('is given up where its answer could never be stored', async () => {
    let failed = gate();
    world.far.agent.on('update_media_buy', () => {
      void writes.failNext().then(failed.open);
      return { media_buy_id: 'Far_1', status: 'active' };
    });
    await raise();
    await failed.passed;
    for (let times = 1; times <= TAKEOVERS_MAX; times += 1) {
      failed = gate();
      clock.skip(DAY_MS / 24);
      await recover(server.running.app.services);
      await failed.passed;
    }
    clock.skip(DAY_MS / 24);
    await recover(server.running.app.services);

    await eventually(async () => expect((await read()).explanation).toMatch(GIVEN_UP));
    expect((await read()).sourceMessage).toMatch(/^The change was sent several times/);
    expect(changes()).toHaveLength(TAKEOVERS_MAX + 1);
  });

  test('goes out once more with the next news where it is to stop what is spent', async () => {
    neverAnswers();
    await pause();
    await untilGivenUp();

    expect((await read()).explanation).toMatch(
      /The pause asked for at \S+ was not answered by Agent \(source_unavailable, see sourceMessage\): it is sent again by itself, under the same key, as soon as Agent tells of the buy\. Ask the seller, naming sf:\S+, if it takes too long\.$/,
    );
    world.far.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'Far_1', status: 'active', packages: [] }],
    }));
    const before = changes().length;
    await refresh();
    expect(changes()).toHaveLength(before + 1);
  });
});
