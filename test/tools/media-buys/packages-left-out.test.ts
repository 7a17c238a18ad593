import { beforeEach, describe, expect, test } from 'vitest';
import { worldOfTwo } from '../../support/buying/world-of-two.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater } from '../../support/sellers/changing-seller.ts';
import { done } from '../../support/sellers/market.ts';

/** Two packages of 100 each, in a campaign of 300. */
describe('a media buy whose seller lists or calls off packages in its own way', () => {
  const world = worldOfTwo();
  beforeEach(() => world.buys());

  const states = async () => (await world.read()).changes.map(({ state }: { state: string }) => state);
  const held = async () => [(await world.read()).budget, await world.committed()];
  const change = async (wanted: object) => done(await world.change(wanted));
  const give = (packageId: string, budget: number) => change({ packages: [{ packageId, budget }] });
  const callOff = (packageId: string) => change({ action: 'cancel', packageIds: [packageId] });
  const keeps = (packageId: string, said: object) => {
    world.seller.packages = world.seller.packages.map((part) =>
      part.package_id === packageId ? { ...part, ...said } : part,
    );
  };
  const listsLivingOnly = () => {
    world.seller.lists = (packages) => packages.filter(({ canceled }) => !canceled);
  };

  test('gets no package back that was called off, and left out since, with an older raise', async () => {
    listsLivingOnly();
    const task = decidesLater(world.seller.far);
    await give('pkg_1', 150);
    world.seller.takesChanges();
    await callOff('pkg_2');
    await world.refresh();
    await world.refresh();
    expect((await world.read()).pendingChange).toMatchObject({ differences: { budget: { proposed: 150 } } });

    keeps('pkg_1', { budget: 150 });
    task.decides({ status: 'completed', result: { media_buy_id: 'Far_1' } });
    await world.refresh();
    await world.refresh();

    expect(await states()).toEqual(['confirmed', 'confirmed']);
    expect(await held()).toEqual([150, 150]);
    expect(await world.read()).toMatchObject({
      packages: [
        { packageId: 'pkg_1', budget: 150 },
        { packageId: 'pkg_2', budget: 0, status: 'canceled' },
      ],
    });
    await world.isSound();
  });

  test('binds what its seller goes on counting of a package that it lists no more', async () => {
    listsLivingOnly();
    world.seller.delivers(50, { pkg_1: 10, pkg_2: 40 });
    await world.refresh();
    await callOff('pkg_2');
    await world.refresh();
    expect(await held()).toEqual([140, 140]);

    world.seller.delivers(80, { pkg_1: 10, pkg_2: 70 });
    await world.refresh();
    expect(await held()).toEqual([170, 170]);
    world.seller.delivers(90, { pkg_1: 20 });
    await world.refresh();

    expect(await held()).toEqual([170, 170]);
    await world.isSound();
  });

  test('releases a package that its seller has yet to call off once it lists it no more', async () => {
    world.seller.delivers(30, { pkg_1: 10, pkg_2: 20 });
    await world.refresh();
    decidesLater(world.seller.far);
    await callOff('pkg_2');
    expect(await held()).toEqual([200, 200]);
    world.seller.lists = ([one]) => [{ ...one }];

    await world.refresh();

    expect(await states()).toEqual(['confirmed']);
    expect(await held()).toEqual([120, 120]);
    await world.refresh();
    expect(await world.read()).toMatchObject({
      packages: [{}, { packageId: 'pkg_2', status: 'canceled', budget: 20 }],
    });
    await world.isSound();
  });

  test('keeps of a package that its seller calls off by itself what was delivered, and says so', async () => {
    world.seller.delivers(40, { pkg_1: 10, pkg_2: 30 });
    keeps('pkg_2', { canceled: true });
    await world.refresh();

    expect(await held()).toEqual([130, 130]);
    const { explanation, packages } = await world.read();
    expect(packages).toMatchObject([{ budget: 100 }, { budget: 30, status: 'canceled' }]);
    expect(explanation).toBe(
      'It runs. Agent called off pkg_2 by itself: 30.00 USD stay bound for what was delivered of that, and the rest is released.',
    );
    world.seller.delivers(60, { pkg_1: 10, pkg_2: 50 });
    await world.refresh();
    const task = decidesLater(world.seller.far);
    await give('pkg_1', 120);
    keeps('pkg_1', { budget: 120 });
    task.decides({ status: 'completed', result: { media_buy_id: 'Far_1' } });
    await world.refresh();

    expect(await held()).toEqual([170, 170]);
    expect((await world.read()).explanation).toContain(
      'Agent called off pkg_2 by itself: 50.00 USD stay bound',
    );
    await world.isSound();
  });

  test('is not raised by a list that leaves the package out', async () => {
    world.seller.far.agent.on('update_media_buy', world.seller.shown);
    await give('pkg_1', 150);
    expect(await states()).toEqual(['waiting']);
    const { source_message: said } = (await world.read()).changes[0];
    world.seller.lists = ([, other]) => [{ ...other }];

    await world.refresh();
    await world.refresh();

    expect(await states()).toEqual(['waiting']);
    expect((await world.read()).changes[0].source_message).toBe(said);
    expect(await held()).toEqual([200, 250]);
    await world.isSound();
  });

  test.each([
    ['no package at all', () => []],
    ['packages without budgets', () => [{ package_id: 'pkg_1' }, { package_id: 'pkg_2' }]],
  ])('is not lowered while a task for it is open, where its seller lists %s', async (_, lists) => {
    const task = decidesLater(world.seller.far);
    await give('pkg_1', 50);
    world.seller.lists = lists;
    await world.refresh();
    expect(await states()).toEqual(['waiting']);
    expect(await held()).toEqual([200, 200]);

    task.decides({ status: 'completed', result: { media_buy_id: 'Far_1' } });
    await world.refresh();

    expect(await states()).toEqual(['confirmed']);
    expect(await held()).toEqual([150, 150]);
    await world.isSound();
  });

  describe('which took the order without one of its products', () => {
    beforeEach(async () => {
      world.seller.lists = ([one]) => [{ ...one }];
      await world.refresh();
    });

    const giveUp = (beside: object = {}) =>
      world.buyer.patch(`/buyer/media-buys/${world.buy.mediaBuyId}`, {
        products: [{ productId: 'far-2', remove: true }],
        ...beside,
      });

    test('says so, and releases it once it is given up', async () => {
      expect((await world.read()).explanation).toMatch(
        /^It runs\. Agent lists no package for far-2, where 100\.00 USD stay bound\. Ask the seller, naming sf:\S+, to take what was ordered; or give it up with media_buy_update and products, each with its productId and remove true, which releases that\.$/,
      );
      const asked = world.seller.far.agent.calls.length;

      done(await giveUp());

      expect(world.seller.far.agent.calls).toHaveLength(asked);
      expect(await held()).toEqual([100, 100]);
      await world.refresh();
      expect((await world.read()).explanation).toBe('It runs: nothing is to be done.');
      await give('pkg_1', 150);
      expect(await held()).toEqual([150, 150]);
      await world.isSound();
    });

    test('keeps of it what may have been spent of it', async () => {
      world.seller.delivers(60, { pkg_1: 20 });
      await world.refresh();

      done(await giveUp());

      expect(await held()).toEqual([140, 140]);
      await world.isSound();
    });

    test('keeps it while a raise waits that has the budgets of before, and beside other changes', async () => {
      expectRefusal(await giveUp({ name: 'Spring' }), 422, {
        code: 'VALIDATION_ERROR',
        at: { products: 'Give up what its seller does not list in a call of its own, before or after.' },
      });
      // Taken, and not shown: another change would take its place.
      world.seller.far.agent.on('update_media_buy', world.seller.shown);
      await give('pkg_1', 150);

      expectRefusal(await giveUp(), 422, {
        code: 'VALIDATION_ERROR',
        at: {
          products: 'Another change of its budgets waits for its seller: ask again once that is answered.',
        },
      });

      expect(await held()).toEqual([200, 250]);
    });

    test('is refused other products, and what its seller lists, as ever', async () => {
      const path = `/buyer/media-buys/${world.buy.mediaBuyId}`;
      for (const product of [
        { productId: 'far-1', remove: true },
        { productId: 'far-2', budget: 50 },
      ]) {
        expectRefusal(await world.buyer.patch(path, { products: [product] }), 409, {
          code: 'CONFLICT',
          at: { media_buy_id: /is ACTIVE: its seller holds the order\.$/ },
        });
      }
    });
  });
});
