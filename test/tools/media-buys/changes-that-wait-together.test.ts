import { describe, expect, test } from 'vitest';
import { boughtThere } from '../../support/buying/bought-there.ts';
import { done } from '../../support/sellers/market.ts';

/** A media buy of 100 USD, of which its seller has yet to decide on more than one change. */
describe('a media buy that waits for its seller with two changes', () => {
  const there = boughtThere('Far');
  const { orders, raises, asks, inCampaign, mediaBuy, status } = there;

  test.each([
    { what: 'pause', word: 'pause', isHeld: false, leads: 'PAUSED' },
    { what: 'reactivate', word: 'reactivation', isHeld: true, leads: 'ACTIVE' },
  ])(
    'shows a raise and a $word alike wherever it is read, and tells both',
    async ({ what, word, isHeld, leads }) => {
      await orders();
      if (isHeld) await asks('pause');
      there.seller.undecided();
      await raises();
      await asks(what);

      const { pendingChange, explanation } = await mediaBuy();

      expect(pendingChange).toEqual({
        status: leads,
        pendingAt: 'salesagent',
        differences: { budget: { live: 100, proposed: 200 } },
      });
      expect((await inCampaign()).pendingChange).toEqual(pendingChange);
      expect(explanation).toMatch(new RegExp(`The ${word} asked for at \\S+ waits for`));
      expect(explanation).toMatch(/The change asked for at \S+ waits for/);
    },
  );

  test('names the raise that waits where what was asked after it has come true', async () => {
    await orders();
    there.seller.undecided();
    await raises();
    there.seller.willing();
    await asks('pause');

    expect((await status()).media_buys[0].change).toMatchObject({ action: 'update', state: 'waiting' });
  });

  test('tells a change that goes out after a pause which goes out once it runs', async () => {
    there.seller.takes('pending_manual');
    await orders();
    there.seller.undecided();
    await raises();
    await asks('pause');

    const { explanation } = await mediaBuy();

    expect(explanation).toMatch(/The pause asked for at \S+ goes out as soon as the buy runs\./);
    expect(explanation).toMatch(/The change asked for at \S+ waits for/);
  });

  test('is to be what is left of both where one raises a package that another one calls off', async () => {
    await orders();
    there.seller.undecided();
    await raises();
    const { mediaBuyId, packageId } = there;
    const called = { mediaBuyId, action: 'cancel', packageIds: [packageId] };
    done(await there.buyer.put(there.path(), { mediaBuys: [called] }));

    const { pendingChange } = await mediaBuy();

    expect(pendingChange).toMatchObject({
      status: 'PENDING_APPROVAL',
      differences: { budget: { live: 100, proposed: 0 } },
    });
    expect((await inCampaign()).pendingChange).toEqual(pendingChange);
  });
});
