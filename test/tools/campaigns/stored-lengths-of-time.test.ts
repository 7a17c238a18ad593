import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toJson } from '../../../store/engine/codec.ts';
import { inWholeUnits } from '../../../tools/domain/durations.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Earlier versions took lengths of time that are no whole units: sellers are told none. */
describe('a stored length of time', () => {
  test.each([
    [
      { interval: 1.5, unit: 'days' },
      { interval: 36, unit: 'hours' },
    ],
    [
      { interval: 0.1, unit: 'days' },
      { interval: 144, unit: 'minutes' },
    ],
    [
      { interval: 0.5, unit: 'minutes' },
      { interval: 30, unit: 'seconds' },
    ],
    [
      { interval: 2, unit: 'days' },
      { interval: 2, unit: 'days' },
    ],
    // A little longer, so that never more is shown.
    [
      { interval: 0.3, unit: 'seconds' },
      { interval: 1, unit: 'seconds' },
    ],
    [
      { interval: 1 / 7, unit: 'minutes' },
      { interval: 9, unit: 'seconds' },
    ],
    [
      { interval: 0.5, unit: 'campaign' },
      { interval: 1, unit: 'campaign' },
    ],
    [
      { interval: 2, unit: 'campaign' },
      { interval: 1, unit: 'campaign' },
    ],
  ])('of $interval $unit is told in whole units', (stored, told) => {
    expect(inWholeUnits(stored)).toEqual(told);
  });

  describe('of a cap', () => {
    let server: TestServer;
    let buyer: Person;
    let far: FarSeller;
    let advertiserId: string;
    let campaignId: string;
    beforeAll(async () => {
      server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
      buyer = await newPerson(server);
      far = await farSeller(server, 'Far');
      advertiserId = await newAdvertiser(buyer);
      campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
    });
    afterAll(async () => {
      await server.stop();
      await far.agent.stop();
    });

    const db = () => server.store.db.withoutPlugins();
    const window = { interval: 1.5, unit: 'days' } as const;
    const overlays = (tool: string) =>
      far.agent.calls
        .filter((call) => call.tool === tool)
        .flatMap(({ args }) => (args['packages'] as { targeting_overlay: object }[]) ?? [])
        .map(({ targeting_overlay: overlay }) => overlay);

    test('is in whole units in an order, in one that is sent anew, and in a change', async () => {
      const cap = { id: 'fcap_1', max_impressions: 3, window, created_at: '2026-01-01T00:00:00.000Z' };
      await db()
        .updateTable('advertisers')
        .set({ frequency_caps: toJson([cap]) })
        .where('id', '=', Number(advertiserId))
        .execute();
      far.agent.on('create_media_buy', () => ({ errors: [{ code: 'INVALID_REQUEST', message: 'No.' }] }));
      const whole = { max_impressions: 3, per: 'individuals', window: { interval: 36, unit: 'hours' } };

      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      expect(overlays('create_media_buy')).toEqual([{ frequency_cap: whole }]);

      far.agent.on('create_media_buy', () => ({
        media_buy_id: 'far_1',
        status: 'active',
        packages: [{ package_id: 'p1', product_id: 'far-1' }],
      }));
      // As an earlier version had sent it.
      const { order_payload } = await db()
        .selectFrom('media_buys')
        .select('order_payload')
        .where('campaign_id', '=', campaignId)
        .executeTakeFirstOrThrow();
      const payload = JSON.parse(order_payload);
      payload.party.frequencyCap.window = window;
      await db()
        .updateTable('media_buys')
        .set({ order_payload: JSON.stringify(payload) })
        .where('campaign_id', '=', campaignId)
        .execute();
      done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
      expect(overlays('create_media_buy').at(-1)).toEqual({ frequency_cap: whole });

      await db()
        .updateTable('media_buys')
        .set({ order_payload: JSON.stringify(payload) })
        .where('campaign_id', '=', campaignId)
        .execute();
      const [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
      far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));
      done(
        await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, {
          packages: [{ packageId: 'p1', targetingOverlay: { geo_countries: ['US'] } }],
        }),
      );
      expect(overlays('update_media_buy')).toMatchObject([{ frequency_cap: whole }]);
    });

    test('of a product that is chosen is in whole units too', async () => {
      const draft = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1' });
      const { discoveryId } = done(await buyer.get(`/buyer/campaigns/${draft}`)).campaign;
      const own = { max_impressions: 2, per: 'devices', window, suppress: { interval: 0.5, unit: 'hours' } };
      await db()
        .updateTable('discovery_selections')
        .set({ targeting_overlay: toJson({ frequency_cap: own }) })
        .where('session_id', '=', discoveryId)
        .execute();

      done(await buyer.post(`/buyer/campaigns/${draft}/execute`));

      expect(overlays('create_media_buy').at(-1)).toEqual({
        frequency_cap: {
          max_impressions: 2,
          per: 'devices',
          window: { interval: 36, unit: 'hours' },
          suppress: { interval: 30, unit: 'minutes' },
        },
      });
    });
  });
});
