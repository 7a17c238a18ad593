import { beforeEach, describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { done } from '../../support/sellers/market.ts';

/** A seller whose media buy has ended, which nobody here knows yet, and which refuses to change it. */
describe('a media buy that is over at a seller which refuses to stop it', () => {
  const there = boughtThere('Ada');
  const { act, campaign, mediaBuy, committed } = there;
  beforeEach(async () => {
    await there.orders();
    there.seller.shows('completed');
    there.seller.refuses('INVALID_STATE');
  });

  test.each([
    { what: 'pause', status: 'COMPLETED' },
    { what: 'cancel', status: 'CANCELED' },
  ])('is over here too once its campaign was asked to $what, and binds no more', async ({ what, status }) => {
    expect(await committed()).toBe(100);

    const said = done(await act(what));

    expect(said.mediaBuyResults).toMatchObject([{ mediaBuyId: there.mediaBuyId, newStatus: 'COMPLETED' }]);
    expect([said.newStatus, (await campaign()).status]).toEqual([status, status]);
    expect(await committed()).toBe(0);
    const { explanation } = await mediaBuy();
    expect(explanation).toMatch(/^It is over/);
    expect(explanation).not.toMatch(/ask again|waits/);
    expect((await campaign()).warnings).toBeUndefined();
  });

  test.each(['pause', 'cancel'])('is told as it stands to who asks to %s it alone', async (what) => {
    const end = { mediaBuyId: there.mediaBuyId, action: 'cancel' };
    const said =
      what === 'pause'
        ? await there.asks('pause')
        : done(await there.buyer.put(there.path(), { mediaBuys: [end] }));

    expect(JSON.stringify(said)).toContain('COMPLETED');
    expect((await mediaBuy()).status).toBe('COMPLETED');
    expect(await committed()).toBe(0);
  });

  test('is called off by who asks for it where the seller has done it already', async () => {
    there.seller.shows('canceled');

    const said = done(await act('cancel'));

    expect(said).toMatchObject({ newStatus: 'CANCELED', successCount: 1, failureCount: 0 });
    expect((await mediaBuy()).status).toBe('CANCELED');
  });
});
