import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Clock } from '../../tools/core/ports.ts';
import { faultsOf } from '../support/buying/ledger.ts';
import {
  type Bought,
  boughtIn,
  DAY_MS,
  draftIn,
  type MoneyWorld,
  moneyWorld,
  tenDays,
} from '../support/buying/money-world.ts';
import { type Client, clientFor } from '../support/callers/client.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { impatientClock } from '../support/run/clock.ts';
import { eventually } from '../support/run/eventually.ts';
import { type PausingClock, pausingClock } from '../support/run/pausing-clock.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUSY = { errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Busy.', recovery: 'transient' }] };
/** The seller has seen the key before. */
const IN_FLIGHT = {
  errors: [{ code: 'IDEMPOTENCY_IN_FLIGHT', message: 'In a moment.', recovery: 'transient' }],
};
const TAKEN = { media_buy_id: 'Far_1', status: 'active', packages: [] };

/** Ten days at most 10 a day: what fits on the first day does not on the ninth. */
describe('a stop', () => {
  let database: TestDatabase;
  let clock: PausingClock;
  let server: TestServer;
  let world: MoneyWorld;
  let buyer: Client;
  let begins: number;
  const campaign = { budget: { total: 1_000, dailyCap: 10 } };
  const start = async (now: Clock) => {
    server = await startTestServer({
      database,
      clock: now,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
  };
  beforeEach(async () => {
    database = await freshDatabase();
    clock = pausingClock();
    await start(clock);
    world = await moneyWorld({ server, clock });
    world.far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    buyer = world.buyer;
    begins = tenDays(world).begins;
  });
  afterEach(async () => {
    await server.stop();
    await world.far.agent.stop();
    await database.drop();
  });

  const keysOf = (tool: string) =>
    world.far.agent.calls.filter((call) => call.tool === tool).map(({ args }) => args['idempotency_key']);
  const answers = (tool: string, ...said: object[]) =>
    world.far.agent.on(tool, () => (said.length > 1 ? said.shift() : said[0]));
  const buyOf = async (campaignId: string) => {
    const [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
    return done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
  };
  const committed = async () => done(await buyer.get('/buyer/accounts/current')).credit[0].committed;
  const faults = () => faultsOf(server.store.db, world.buyer.organizationId);

  /** Asks for something, stops the service once that was put off, and starts it so many days into the flight. */
  async function stoppedUntil(
    days: number,
    asked: () => Promise<unknown>,
    answer: () => void,
  ): Promise<void> {
    const paused = clock.pauses();
    const asking = asked();
    await paused;
    const stopped = server.running.stop();
    await Promise.all([asking, stopped]);
    answer();
    await startAgain(days);
  }

  async function startAgain(days: number): Promise<void> {
    await start(impatientClock(begins + days * DAY_MS));
    buyer = clientFor(server.url, world.buyer.key);
  }

  describe('that comes while an order was put off by its seller', () => {
    let campaignId: string;
    const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    beforeEach(async () => {
      campaignId = await draftIn(world, { campaign });
      answers('create_media_buy', BUSY);
    });
    const takes = () => answers('create_media_buy', TAKEN);

    test('leaves it to the next process, which keeps it back where it does not fit the daily cap any more', async () => {
      await stoppedUntil(8, execute, takes);

      await eventually(async () =>
        expect(await buyOf(campaignId)).toMatchObject({
          status: 'FAILED',
          errorCode: 'invalid_request',
          errorOwner: 'buyer_input',
          sourceMessage: expect.stringMatching(
            /^The order was kept back: the media buys take 50.0\d USD a day with it by now/,
          ),
        }),
      );
      expect(keysOf('create_media_buy')).toHaveLength(1);
      expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.status).toBe('DRAFT');
      expect(await committed()).toBe(0);
      expect(await faults()).toEqual([]);
    });

    test('leaves it to the next process, which sends it under its key where it fits', async () => {
      await stoppedUntil(0, execute, takes);

      await eventually(async () => expect(await buyOf(campaignId)).toMatchObject({ status: 'ACTIVE' }));
      const keys = keysOf('create_media_buy');
      expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
      expect(await committed()).toBe(100);
    });

    test('leaves it to the next process, which gives it up where its seller puts it off for good', async () => {
      await stoppedUntil(0, execute, () => {});

      await eventually(async () =>
        expect(await buyOf(campaignId)).toMatchObject({
          status: 'FAILED',
          explanation: expect.stringMatching(/could not take the order/),
        }),
      );
      expect(keysOf('create_media_buy')).toHaveLength(4);
      expect(await committed()).toBe(0);
    });

    test('leaves it to the next process, which keeps it back once its time is over', async () => {
      await stoppedUntil(11, execute, takes);

      await eventually(async () =>
        expect(await buyOf(campaignId)).toMatchObject({
          status: 'FAILED',
          sourceMessage: expect.stringMatching(/^The order was kept back: its time was over at /),
        }),
      );
      expect(keysOf('create_media_buy')).toHaveLength(1);
      expect(await committed()).toBe(0);
    });

    test('leaves it to the next process, which sends it however late where its seller may have it', async () => {
      answers('create_media_buy', IN_FLIGHT);

      await stoppedUntil(8, execute, takes);

      await eventually(async () => expect(await buyOf(campaignId)).toMatchObject({ status: 'ACTIVE' }));
      expect(new Set(keysOf('create_media_buy')).size).toBe(1);
      expect(await committed()).toBe(100);
    });
  });

  describe('that comes while a change was put off by its seller', () => {
    let bought: Bought;
    const raise = () =>
      buyer.patch(`/buyer/media-buys/${bought.mediaBuyId}`, {
        packages: [{ packageId: bought.packageId, budget: 100 }],
      });
    const pause = () => buyer.post(`/buyer/media-buys/${bought.mediaBuyId}/pause`);
    const changed = async () => (await buyOf(bought.campaignId)).changes[0];
    beforeEach(async () => {
      bought = await boughtIn(world, { each: 50, campaign });
      answers('update_media_buy', BUSY);
    });
    const takes = () => answers('update_media_buy', { media_buy_id: 'Far_1', status: 'active' });

    test('leaves it to the next process, which does not send it where it does not fit the daily cap any more', async () => {
      await stoppedUntil(8, raise, takes);

      await eventually(async () =>
        expect(await changed()).toMatchObject({
          state: 'refused',
          message: expect.stringMatching(/^It was not sent: the media buys take \d\d.\d\d USD a day with it/),
        }),
      );
      expect(keysOf('update_media_buy')).toHaveLength(1);
      expect(await committed()).toBe(50);
      expect(await faults()).toEqual([]);
    });

    test('leaves it to the next process, which gives it up where its seller puts it off for good', async () => {
      await stoppedUntil(0, raise, () => {});

      await eventually(async () => expect(await changed()).toMatchObject({ state: 'refused' }));
      const keys = keysOf('update_media_buy');
      expect([keys.length, new Set(keys).size]).toEqual([4, 1]);
      expect(await committed()).toBe(50);
    });

    test('leaves it to the next process, which does not send it again where its seller may have it', async () => {
      answers('update_media_buy', IN_FLIGHT);

      await stoppedUntil(8, raise, takes);

      await eventually(async () =>
        expect(await changed()).toMatchObject({
          state: 'unknown',
          message: expect.stringMatching(/^it is not sent again: /),
        }),
      );
      expect(await committed()).toBe(100);
    });

    test('leaves a pause to the next process, which sends it until its seller has it', async () => {
      const held = { media_buy_id: 'Far_1', status: 'paused' };
      await stoppedUntil(8, pause, () => {
        answers('update_media_buy', held);
        answers('get_media_buys', { media_buys: [held] });
      });

      await eventually(async () => expect(await changed()).toMatchObject({ state: 'confirmed' }));
      expect(new Set(keysOf('update_media_buy')).size).toBe(1);
    });
  });
});
