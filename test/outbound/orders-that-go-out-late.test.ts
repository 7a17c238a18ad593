import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recover } from '../../adapters/process/recovery.ts';
import { faultsOf } from '../support/buying/ledger.ts';
import { DAY_MS, draftIn, type MoneyWorld, moneyWorld, tenDays } from '../support/buying/money-world.ts';
import { expectRefusal } from '../support/callers/refusals.ts';
import { FailingWrites } from '../support/database/failing-writes.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';
import { eventually } from '../support/run/eventually.ts';
import { pausingClock } from '../support/run/pausing-clock.ts';
import { done } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUSY = { errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Busy.', recovery: 'transient' }] };
const TAKEN = { media_buy_id: 'Far_1', status: 'active', packages: [] };
/** Ten days for 100 at most 10 a day, of which eight are gone before the order arrives. */
describe('an order that goes out when days of the flight are gone', () => {
  const clock = pausingClock();
  const writes = new FailingWrites();
  let server: TestServer;
  let world: MoneyWorld;
  let campaign: string;
  let later: () => void;
  beforeEach(async () => {
    server = await startTestServer({
      clock,
      store: { plugins: [new ScopeGuard(), writes] },
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
    });
    world = await moneyWorld({ server, clock });
    world.far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
    const { begins } = tenDays(world);
    campaign = `/buyer/campaigns/${await draftIn(world, { campaign: { budget: { total: 1_000, dailyCap: 10 } } })}`;
    later = () => clock.skip(begins + 8 * DAY_MS - clock.now());
  });
  afterEach(async () => {
    await server.stop();
    await world.far.agent.stop();
  });

  const orders = () => world.far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
  const keys = () => orders().map(({ args }) => args['idempotency_key']);
  const execute = () => world.buyer.post(`${campaign}/execute`);
  const buy = async () => {
    const [{ mediaBuyId }] = done(await world.buyer.get(campaign)).campaign.mediaBuys;
    return done(await world.buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
  };
  const committed = async () => done(await world.buyer.get('/buyer/accounts/current')).credit[0].committed;
  const raisesCap = async () => void done(await world.buyer.put(campaign, { budget: { dailyCap: 60 } }));

  async function putOff() {
    world.far.agent.on('create_media_buy', () => BUSY);
    const paused = clock.pauses();
    const executed = execute();
    await paused;
    world.far.agent.on('create_media_buy', () => TAKEN);
    later();
    return done(await executed);
  }

  test('is kept back where its seller has put it off, and binds nothing any more', async () => {
    const { success, errors } = await putOff();

    expect(success).toBe(false);
    expect(errors[0].message).toMatch(
      /^The order was kept back: the media buys take 50.0\d USD a day with it by now, and budget.dailyCap is 10.00 USD. You: give them less budget/,
    );
    expect(orders()).toHaveLength(1);
    expect(await buy()).toMatchObject({
      status: 'FAILED',
      errorCode: 'invalid_request',
      errorOwner: 'buyer_input',
      explanation:
        'The order was kept back. You: change what sourceMessage names. Then execute the campaign again.',
    });
    expect(await committed()).toBe(0);
    expect(await faultsOf(server.store.db, world.buyer.organizationId)).toEqual([]);
  });

  test('goes out under another key once there is room for it', async () => {
    await putOff();
    expectRefusal(await execute(), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.dailyCap': /^Within budget.dailyCap 19.9\d USD can be spent in all/,
      },
    });

    await raisesCap();

    expect(done(await execute())).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(new Set(keys()).size).toBe(2);
    expect(await committed()).toBe(100);
  });

  test('is sent again under its key where its seller may have it, and told to the buyer', async () => {
    const failed = writes.failNext();
    world.far.agent.on('create_media_buy', () => TAKEN);
    done(await execute());
    await failed;

    later();
    await recover(server.running.app.services);

    await eventually(async () => {
      expect(await buy()).toMatchObject({
        status: 'ACTIVE',
        explanation: expect.stringMatching(
          /^It began later than it was reckoned with: .* take 50.0\d USD a day/,
        ),
      });
    });
    expect(new Set(keys()).size).toBe(1);
    expect(orders().length).toBeGreaterThan(1);
    expect(await committed()).toBe(100);
  });
});
