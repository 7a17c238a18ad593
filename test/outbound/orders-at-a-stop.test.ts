import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { lanes } from '../support/callers/tool-lanes.ts';
import { freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import { type SkippingClock, skippingClock } from '../support/run/skipping-clock.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUSY = { errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Busy.', recovery: 'transient' }] };
const TAKEN = { media_buy_id: 'far_1', status: 'active', packages: [] };
/** Pauses between two sendings of an order are no longer. */
const PAUSE_MAX_MS = 2_000;
/** Of SHUTDOWN_GRACE_MS sellers have all but the last two seconds. */
const GRACE_MS = 40_000;

/** A clock by which nothing that is waited for between two sendings ever comes. */
function patientClock(): SkippingClock {
  const clock = skippingClock();
  return {
    ...clock,
    after: (milliseconds, callback) =>
      milliseconds <= PAUSE_MAX_MS ? () => {} : clock.after(milliseconds, callback),
  };
}

describe('a stop', () => {
  let database: TestDatabase;
  let clock: SkippingClock;
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  const settings = {
    SELLER_ALLOWED_CIDRS: '127.0.0.0/8',
    SHUTDOWN_GRACE_MS: String(GRACE_MS),
    // Longer than a stop waits, so that it is the stop that ends the call.
    SELLER_TIMEOUT_MS: '60000',
  };
  beforeEach(async () => {
    database = await freshDatabase();
    clock = patientClock();
    server = await startTestServer({ database, clock, settings });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(async () => {
    await server.stop();
    await far.agent.stop();
    await database.drop();
  });

  const draft = () => draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
  const callsOf = (tool: string) => far.agent.calls.filter((call) => call.tool === tool);
  /** The service once more, on the same database: its first round takes over what was left. */
  const startAgain = async () => {
    server = await startTestServer({ database, settings: { ...settings, SELLER_TIMEOUT_MS: '30000' } });
  };
  const buyOf = (campaignId: string) =>
    server.store.db
      .withoutPlugins()
      .selectFrom('media_buys')
      .select(['submission', 'status', 'adcp_media_buy_id'])
      .where('campaign_id', '=', campaignId)
      .executeTakeFirstOrThrow();
  const changes = () =>
    server.store.db.withoutPlugins().selectFrom('media_buy_changes').select(['state']).execute();

  const laterAndLater = () => far.agent.on('create_media_buy', () => BUSY);
  const never = () => far.agent.on('create_media_buy', () => new Promise(() => {}));

  test.each([
    ['that its seller keeps putting off', laterAndLater, 0],
    ['whose seller does not answer', never, GRACE_MS],
  ])(
    'tells the caller of an order %s that it is on its way, however it was called',
    async (_, answers, skipped) => {
      answers();
      const tool = server.running.app.tools.find(({ name }) => name === 'campaign_execute');
      if (tool === undefined) throw new Error('campaign_execute is gone.');
      const campaigns: string[] = [];
      const calls = [];
      for (const lane of Object.values(lanes)) {
        const campaignId = await draft();
        campaigns.push(campaignId);
        calls.push(lane({ url: server.url, key: buyer.key, tool, args: { campaignId } }));
      }
      await far.agent.called('create_media_buy', calls.length);

      const stopped = server.running.stop();
      clock.skip(skipped);
      const outcomes = await Promise.all(calls);
      await stopped;

      for (const { status, content } of outcomes) {
        expect(status).toBe(200);
        expect(content).toMatchObject({
          success: false,
          newStatus: 'ACTIVE',
          mediaBuys: [{ unresolved: true }],
          errors: [{ message: expect.stringContaining('on its way') }],
          nextStep: expect.stringContaining('sent again by itself'),
        });
      }
      const sent = callsOf('create_media_buy').map(({ args }) => args['idempotency_key']);
      far.agent.on('create_media_buy', ({ idempotency_key }) => ({
        ...TAKEN,
        media_buy_id: idempotency_key,
      }));
      await startAgain();
      for (const campaignId of campaigns) {
        await eventually(async () => {
          expect(await buyOf(campaignId)).toEqual({
            submission: 'answered',
            status: 'ACTIVE',
            adcp_media_buy_id: expect.stringContaining('.attempt-1'),
          });
        });
      }
      const again = callsOf('create_media_buy').slice(sent.length);
      expect(again.map(({ args }) => args['idempotency_key']).sort()).toEqual(sent.sort());
    },
  );

  test.each([
    ['that its seller keeps putting off', () => BUSY, 0],
    ['whose seller does not answer', () => new Promise<never>(() => {}), GRACE_MS],
  ])('tells the caller of a change %s that it is on its way', async (_, answer, skipped) => {
    far.agent.on('create_media_buy', () => TAKEN);
    far.agent.on('update_media_buy', answer);
    const campaignId = await draft();
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const { mediaBuys } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
    const pausing = buyer.post(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}/pause`);
    await far.agent.called('update_media_buy');

    const stopped = server.running.stop();
    clock.skip(skipped);
    const { status, text } = await pausing;
    await stopped;

    expect(status).toBe(200);
    expect(text).toContain('on its way');
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1', status: 'paused' }));
    await startAgain();
    await eventually(async () => expect(await changes()).toEqual([{ state: 'confirmed' }]));
    const keys = callsOf('update_media_buy').map(({ args }) => args['idempotency_key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  test('that comes while an order is taken over leaves it to the next process again', async () => {
    never();
    const campaignId = await draft();
    const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    await far.agent.called('create_media_buy');
    const stopped = server.running.stop();
    clock.skip(GRACE_MS);
    await Promise.all([executing, stopped]);

    await startAgain();
    await far.agent.called('create_media_buy', 2);
    await server.running.stop();

    far.agent.on('create_media_buy', () => TAKEN);
    await startAgain();
    await eventually(async () =>
      expect(await buyOf(campaignId)).toMatchObject({ submission: 'answered', status: 'ACTIVE' }),
    );
    expect(callsOf('create_media_buy')).toHaveLength(3);
  });
});
