import { describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { done } from '../../support/sellers/market.ts';

/** A day as an end is its last millisecond, and sellers keep seconds, minutes, the midnight after, or days. */
describe('an end that is asked for as a day', () => {
  const there = boughtThere('Far');

  async function changedTo(asked: string, shown: string) {
    await there.orders();
    const { agent } = there.seller;
    let end = '2026-12-31T00:00:00Z';
    const mediaBuy = () => ({
      media_buy_id: `${there.seller.agentId}_1`,
      status: 'active',
      end_time: end,
      packages: [{ package_id: there.packageId, product_id: 'far-1', budget: 100, end_time: end }],
    });
    agent.on('update_media_buy', () => {
      end = shown;
      return mediaBuy();
    });
    agent.on('get_media_buys', () => ({ media_buys: [mediaBuy()] }));
    done(await there.buyer.patch(there.buyPath(), { end_time: asked }));
    return there.mediaBuy();
  }

  test.each(['2026-12-20T23:59:59Z', '2026-12-20T23:59:00Z', '2026-12-21T00:00:00Z', '2026-12-20'])(
    'is taken by a seller that shows it as %s',
    async (shown) => {
      const { endTime, pendingChange, explanation } = await changedTo('2026-12-20', shown);

      expect({ endTime, pendingChange }).toEqual({ endTime: '2026-12-20T23:59:59.999Z' });
      expect(explanation).toBe('It runs: nothing is to be done.');
    },
  );

  test.each([
    ['2026-12-20T18:00:00.000Z', '2026-12-20'],
    ['2026-12-21T00:00:00.000Z', '2026-12-20'],
    ['2026-12-21T00:00:00.000Z', '2026-12-21'],
  ])('or as %s, is taken by a seller that keeps days and shows %s', async (asked, shown) => {
    const { endTime, pendingChange, explanation } = await changedTo(asked, shown);

    expect({ endTime, pendingChange }).toEqual({ endTime: asked });
    expect(explanation).toBe('It runs: nothing is to be done.');
  });

  test.each([
    ['2026-12-20', '2026-12-19'],
    ['2026-12-20', '2026-12-21'],
    ['2026-12-20T18:00:00Z', '2026-12-20T23:59:59.999Z'],
  ])('as %s waits while its seller shows %s', async (asked, shown) => {
    const { endTime, pendingChange } = await changedTo(asked, shown);

    expect(endTime).toBe('2026-12-31T00:00:00.000Z');
    expect(pendingChange).toBeDefined();
  });
});
