import { beforeEach, describe, expect, test } from 'vitest';
import { worldOfTwo } from '../../support/buying/world-of-two.ts';
import { done } from '../../support/sellers/market.ts';

const CALLS = 12;

/** A media buy of 200 whose seller says yes to every stop, does none of them, and has two changes kept. */
describe('stops that are asked for again and again', () => {
  const world = worldOfTwo({ VERSIONS_PER_MEDIA_BUY: '2' });
  beforeEach(async () => {
    await world.buys({ budget: { total: 600 } });
    world.seller.far.agent.on('update_media_buy', () => world.seller.shown());
  });

  const asks = (stop: 'pause' | 'cancel') =>
    world.buyer.post(`/buyer/campaigns/${world.buy.campaignId}/${stop}`, {});
  const alone = () => world.buyer.post(`/buyer/media-buys/${world.buy.mediaBuyId}/pause`, {});
  const kept = () =>
    world.server.store.db
      .withoutPlugins()
      .selectFrom('media_buy_changes')
      .select(['id', 'action', 'state', 'gave_way_to'])
      .where('media_buy_id', '=', world.buy.mediaBuyId)
      .orderBy('created_at')
      .execute();
  const refuses = () =>
    world.seller.far.agent.on('update_media_buy', () => ({
      errors: [{ code: 'NOT_CANCELLABLE', message: 'No.', recovery: 'correctable' }],
    }));
  const states = async () =>
    (await world.read()).changes.map(({ action, state }: { action: string; state: string }) =>
      [action, state].join(' '),
    );

  test('leave no more rows as cancellations than as pauses, with their money bound', async () => {
    for (let call = 0; call < CALLS; call += 1) done(await asks('pause'));
    const pauses = (await kept()).length;
    await world.buys();
    for (let call = 0; call < CALLS; call += 1) done(await asks('cancel'));

    expect(world.told()).toHaveLength(2 * CALLS);
    expect((await kept()).length).toBeLessThanOrEqual(pauses);
    expect(await world.committed()).toBe(200);
    await world.isSound();
  });

  test('leave the last pause alone to stand again where pauses and cancellations take turns', async () => {
    for (let call = 0; call < CALLS; call += 1) {
      done(await alone());
      done(await asks('cancel'));
    }

    const rows = await kept();
    expect(rows.length).toBeLessThanOrEqual(4);
    const last = rows.find(({ state }) => state === 'waiting');
    expect(rows.filter(({ gave_way_to }) => gave_way_to === last?.id)).toMatchObject([{ action: 'pause' }]);
    refuses();
    done(await asks('cancel'));
    expect(await states()).toContain('pause waiting');
    expect(await world.committed()).toBe(200);
    await world.isSound();
  });

  test('keep a raise bound that nobody answered, until the last of them is refused', async () => {
    const { agent } = world.seller.far;
    agent.on('update_media_buy', (_, request) => {
      request.socket.destroy();
      return new Promise(() => {});
    });
    await world.change({ packages: [{ packageId: 'pkg_1', budget: 200 }] });
    agent.on('update_media_buy', () => world.seller.shown());
    for (let call = 0; call < CALLS; call += 1) done(await asks('cancel'));
    expect(await world.committed()).toBe(300);
    await world.isSound();
    refuses();

    done(await asks('cancel'));

    expect(await states()).toContain('update unknown');
    expect(await world.committed()).toBe(300);
    await world.isSound();
  });
});
