import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { recover } from '../../adapters/process/recovery.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';
import { type PausingClock, pausingClock } from '../support/run/pausing-clock.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUSY = { errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Busy.', recovery: 'transient' }] };
const SOLD_OUT = { errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.', recovery: 'correctable' }] };
const LEASE_MS = 15_000;
const TAKEN = { media_buy_id: 'far_1', status: 'active', packages: [] };

/** A machine that slept, or was stopped, wakes in a process that another one has taken for dead meanwhile. */
describe.runIf(engine === 'postgres')(
  'a process that was taken for dead while its seller put something off',
  () => {
    let database: TestDatabase;
    let clock: PausingClock;
    let sleeper: TestServer;
    let other: TestServer;
    let far: FarSeller;
    let buyer: Person;
    let campaignId: string;
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' };
    beforeEach(async () => {
      database = await freshDatabase();
      clock = pausingClock();
      sleeper = await startTestServer({ database, clock, settings });
      other = await startTestServer({ database, settings });
      far = await farSeller(sleeper, 'Far');
      buyer = await newPerson(sleeper);
      const advertiserId = await newAdvertiser(buyer);
      campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    });
    afterEach(async () => {
      await Promise.all([sleeper.stop(), other.stop()]);
      await far.agent.stop();
      await database.drop();
    });

    const sent = (tool: string) => far.agent.calls.filter((call) => call.tool === tool);
    /** Another process sees it no more, and does what it left under way. */
    const takeOver = async () => {
      const { db } = other.store;
      const { processId } = sleeper.running.app.services;
      await db.deleteFrom('processes').where('id', '=', processId).execute();
      await recover(other.running.app.services);
    };

    test('does not send an order once more that another process heard to be refused', async () => {
      far.agent.on('create_media_buy', () => BUSY);
      const paused = clock.pauses();
      const executing = buyer.post(`/buyer/campaigns/${campaignId}/execute`);
      await paused;
      far.agent.on('create_media_buy', () => SOLD_OUT);
      await takeOver();
      await eventually(async () => {
        const { media_buys } = done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
        expect(media_buys).toMatchObject([{ error_code: 'product_no_longer_available' }]);
      });
      far.agent.on('create_media_buy', () => TAKEN);

      clock.skip(LEASE_MS);
      const outcome = done(await executing);

      expect(sent('create_media_buy')).toHaveLength(2);
      expect(outcome).toMatchObject({ success: false, mediaBuysExecuted: 0 });
      expect(JSON.stringify(outcome)).toContain('Sold out');
    });

    test('does not send a change once more that another process heard to be refused', async () => {
      far.agent.on('create_media_buy', () => TAKEN);
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      const [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
      far.agent.on('update_media_buy', () => BUSY);
      const paused = clock.pauses();
      const changing = buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`);
      await paused;
      far.agent.on('update_media_buy', () => SOLD_OUT);
      await takeOver();
      await eventually(() => expect(sent('update_media_buy')).toHaveLength(2));
      await eventually(async () => {
        const rows = await other.store.db
          .withoutPlugins()
          .selectFrom('media_buy_changes')
          .selectAll()
          .execute();
        expect(rows).toMatchObject([{ state: 'refused' }]);
      });
      far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1', status: 'active' }));

      clock.skip(LEASE_MS);
      const { status, text } = await changing;

      expect(sent('update_media_buy')).toHaveLength(2);
      expect(status).toBe(200);
      expect(text).toContain('Sold out');
    });
  },
);
