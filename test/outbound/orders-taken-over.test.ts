import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recover } from '../../adapters/process/recovery.ts';
import { longestOrderMs } from '../../tools/domain/buying/orders/order-sending.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { FailingWrites } from '../support/database/failing-writes.ts';
import { ScopeGuard } from '../support/database/scope-guard.ts';
import { gate } from '../support/run/gate.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const MINUTE_MS = 60_000;

const TAKEOVERS_MAX = 3;

describe('an order whose answer can never be stored', () => {
  const writes = new FailingWrites();
  let server: TestServer;
  let clock: SkippingClock;
  let far: FarSeller;
  let buyer: Person;
  let campaignId: string;
  beforeAll(async () => {
    clock = skippingClock();
    server = await startTestServer({
      clock,
      store: { plugins: [new ScopeGuard(), writes] },
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', ORDER_TAKEOVERS_MAX: `${TAKEOVERS_MAX}` },
    });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const orders = () => far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
  const execute = () => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  const recoverAfter = async (milliseconds: number) => {
    clock.skip(milliseconds);
    await recover(server.running.app.services);
  };
  const buy = () =>
    server.store.db
      .selectFrom('media_buys')
      .select(['submission', 'status', 'takeovers', 'source_message'])
      .where('organization_id', '=', buyer.organizationId)
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
  /** How long it rests before the next time: twice as long as before, from the second repeat on. */
  const restMs = (times: number) =>
    longestOrderMs(server.running.app.services.limits) * 2 ** Math.max(0, times - 1) + MINUTE_MS;

  test('is sent again a few times, each time later, and then left to a person', async () => {
    const taken = { media_buy_id: 'far_1', status: 'active', packages: [] };
    let failed = gate();
    far.agent.on('create_media_buy', () => {
      void writes.failNext().then(failed.open);
      return taken;
    });
    await execute();
    await failed.passed;

    for (let times = 0; times < TAKEOVERS_MAX; times += 1) {
      failed = gate();
      await recoverAfter(restMs(times) - MINUTE_MS);
      expect(orders()).toHaveLength(times + 1);
      await recoverAfter(MINUTE_MS);
      await failed.passed;
      expect(await buy()).toMatchObject({ submission: 'sending', takeovers: times + 1 });
    }
    await recoverAfter(restMs(TAKEOVERS_MAX));

    const left = await buy();
    expect(left).toMatchObject({ submission: 'unknown', status: 'FAILED' });
    expect(left.source_message).toContain('Ask the seller');
    await recoverAfter(24 * 60 * MINUTE_MS);
    expect(orders()).toHaveLength(TAKEOVERS_MAX + 1);

    far.agent.on('create_media_buy', () => taken);
    expect(done(await execute())).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    expect(new Set(orders().map(({ args }) => args['idempotency_key'])).size).toBe(1);
  });
});
