import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { decidesLater } from '../../support/sellers/changing-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two packages of 100 each, in a campaign of 300. */
describe('a media buy whose seller lists or calls off packages in its own way', () => {
  const clock = skippingClock();
  let server: TestServer;
  let buyer: Person;
  let buy: Bought;
  let seller: SellerOfTwo;
  let heldBefore: number;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    seller = await sellerOfTwo(server, 100);
    seller.takesChanges();
    heldBefore = await bound();
    const world = { server, clock, far: seller.far, buyer, advertiserId: await newAdvertiser(buyer) };
    buy = await boughtIn(world, { budget: 300, each: 100 });
    return () => seller.far.agent.stop();
  });

  const read = async () => done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`)).mediaBuy;
  const states = async () => (await read()).changes.map(({ state }: { state: string }) => state);
  const refresh = async () => {
    clock.skip(60_000);
    done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  };
  const bound = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  };
  const held = async () => [(await read()).budget, (await bound()) - heldBefore];
  const change = async (wanted: object) =>
    done(
      await buyer.put(`/buyer/campaigns/${buy.campaignId}`, {
        mediaBuys: [{ mediaBuyId: buy.mediaBuyId, ...wanted }],
      }),
    );
  const give = (packageId: string, budget: number) => change({ packages: [{ packageId, budget }] });
  const callOff = (packageId: string) => change({ action: 'cancel', packageIds: [packageId] });
  const keeps = (packageId: string, said: object) => {
    seller.packages = seller.packages.map((part) =>
      part.package_id === packageId ? { ...part, ...said } : part,
    );
  };
  const listsLivingOnly = () => {
    seller.lists = (packages) => packages.filter(({ canceled }) => !canceled);
  };
  const isSound = async () => expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);

  test('gets no package back that was called off, and left out since, with an older raise', async () => {
    listsLivingOnly();
    const task = decidesLater(seller.far);
    await give('pkg_1', 150);
    seller.takesChanges();
    await callOff('pkg_2');
    await refresh();
    await refresh();
    expect((await read()).pendingChange).toMatchObject({ differences: { budget: { proposed: 150 } } });

    keeps('pkg_1', { budget: 150 });
    task.decides({ status: 'completed', result: { media_buy_id: 'Far_1' } });
    await refresh();
    await refresh();

    expect(await states()).toEqual(['confirmed', 'confirmed']);
    expect(await held()).toEqual([150, 150]);
    expect(await read()).toMatchObject({
      packages: [
        { packageId: 'pkg_1', budget: 150 },
        { packageId: 'pkg_2', budget: 0, status: 'canceled' },
      ],
    });
    await isSound();
  });

  test('binds what its seller goes on counting of a package that it lists no more', async () => {
    listsLivingOnly();
    seller.delivers(50, { pkg_1: 10, pkg_2: 40 });
    await refresh();
    await callOff('pkg_2');
    await refresh();
    expect(await held()).toEqual([140, 140]);

    seller.delivers(80, { pkg_1: 10, pkg_2: 70 });
    await refresh();
    expect(await held()).toEqual([170, 170]);
    seller.delivers(90, { pkg_1: 20 });
    await refresh();

    expect(await held()).toEqual([170, 170]);
    await isSound();
  });

  test('releases a package that its seller has yet to call off once it lists it no more', async () => {
    seller.delivers(30, { pkg_1: 10, pkg_2: 20 });
    await refresh();
    decidesLater(seller.far);
    await callOff('pkg_2');
    expect(await held()).toEqual([200, 200]);
    seller.lists = ([one]) => [{ ...one }];

    await refresh();

    expect(await states()).toEqual(['confirmed']);
    expect(await held()).toEqual([120, 120]);
    await refresh();
    expect(await read()).toMatchObject({
      packages: [{}, { packageId: 'pkg_2', status: 'canceled', budget: 20 }],
    });
    await isSound();
  });

  test('keeps of a package that its seller calls off by itself what was delivered, and says so', async () => {
    seller.delivers(40, { pkg_1: 10, pkg_2: 30 });
    keeps('pkg_2', { canceled: true });
    await refresh();

    expect(await held()).toEqual([130, 130]);
    const { explanation, packages } = await read();
    expect(packages).toMatchObject([{ budget: 100 }, { budget: 30, status: 'canceled' }]);
    expect(explanation).toBe(
      'It runs. Agent called off pkg_2 by itself: 30.00 USD stay bound for what was delivered of that, and the rest is released.',
    );
    seller.delivers(60, { pkg_1: 10, pkg_2: 50 });
    await refresh();
    const task = decidesLater(seller.far);
    await give('pkg_1', 120);
    keeps('pkg_1', { budget: 120 });
    task.decides({ status: 'completed', result: { media_buy_id: 'Far_1' } });
    await refresh();

    expect(await held()).toEqual([170, 170]);
    expect((await read()).explanation).toContain('Agent called off pkg_2 by itself: 50.00 USD stay bound');
    await isSound();
  });

  test('is not raised by a list that leaves the package out', async () => {
    seller.far.agent.on('update_media_buy', seller.shown);
    await give('pkg_1', 150);
    expect(await states()).toEqual(['waiting']);
    const { source_message: said } = (await read()).changes[0];
    seller.lists = ([, other]) => [{ ...other }];

    await refresh();
    await refresh();

    expect(await states()).toEqual(['waiting']);
    expect((await read()).changes[0].source_message).toBe(said);
    expect(await held()).toEqual([200, 250]);
    await isSound();
  });

  test.each([
    ['no package at all', () => []],
    ['packages without budgets', () => [{ package_id: 'pkg_1' }, { package_id: 'pkg_2' }]],
  ])('is not lowered while a task for it is open, where its seller lists %s', async (_, lists) => {
    const task = decidesLater(seller.far);
    await give('pkg_1', 50);
    seller.lists = lists;
    await refresh();
    expect(await states()).toEqual(['waiting']);
    expect(await held()).toEqual([200, 200]);

    task.decides({ status: 'completed', result: { media_buy_id: 'Far_1' } });
    await refresh();

    expect(await states()).toEqual(['confirmed']);
    expect(await held()).toEqual([150, 150]);
    await isSound();
  });

  describe('which took the order without one of its products', () => {
    beforeEach(async () => {
      seller.lists = ([one]) => [{ ...one }];
      await refresh();
    });

    const giveUp = (beside: object = {}) =>
      buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, {
        products: [{ productId: 'far-2', remove: true }],
        ...beside,
      });

    test('says so, and releases it once it is given up', async () => {
      expect((await read()).explanation).toMatch(
        /^It runs\. Agent lists no package for far-2, where 100\.00 USD stay bound\. Ask the seller, naming sf:\S+, to take what was ordered; or give it up with media_buy_update and products, each with its productId and remove true, which releases that\.$/,
      );
      const asked = seller.far.agent.calls.length;

      done(await giveUp());

      expect(seller.far.agent.calls).toHaveLength(asked);
      expect(await held()).toEqual([100, 100]);
      await refresh();
      expect((await read()).explanation).toBe('It runs: nothing is to be done.');
      await give('pkg_1', 150);
      expect(await held()).toEqual([150, 150]);
      await isSound();
    });

    test('keeps of it what may have been spent of it', async () => {
      seller.delivers(60, { pkg_1: 20 });
      await refresh();

      done(await giveUp());

      expect(await held()).toEqual([140, 140]);
      await isSound();
    });

    test('keeps it while a raise waits that has the budgets of before, and beside other changes', async () => {
      expectRefusal(await giveUp({ name: 'Spring' }), 422, {
        code: 'VALIDATION_ERROR',
        at: { products: 'Give up what its seller does not list in a call of its own, before or after.' },
      });
      // Taken, and not shown: another change would take its place.
      seller.far.agent.on('update_media_buy', seller.shown);
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
      const path = `/buyer/media-buys/${buy.mediaBuyId}`;
      for (const product of [
        { productId: 'far-1', remove: true },
        { productId: 'far-2', budget: 50 },
      ]) {
        expectRefusal(await buyer.patch(path, { products: [product] }), 409, {
          code: 'CONFLICT',
          at: { media_buy_id: /is ACTIVE: its seller holds the order\.$/ },
        });
      }
    });
  });
});
