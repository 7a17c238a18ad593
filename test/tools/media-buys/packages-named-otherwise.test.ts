import { describe, expect, test } from 'vitest';
import type { KeptPackage } from '../../support/buying/two-packages.ts';
import { worldOfTwo } from '../../support/buying/world-of-two.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { done } from '../../support/sellers/market.ts';

type Listing = (packages: readonly KeptPackage[]) => readonly object[];

/** Two packages of 100 each, in a campaign of 300. */
describe('a media buy whose seller names products in its own way', () => {
  const world = worldOfTwo();
  const give = (budgets: Record<string, number>) =>
    world.change({ packages: Object.entries(budgets).map(([packageId, budget]) => ({ packageId, budget })) });

  const buys = async (lists: Listing) => {
    world.seller.lists = lists;
    await world.buys();
    await world.refresh();
  };

  const asLineItems: Listing = (packages) =>
    packages.map((part) => ({ ...part, product_id: `line_item_${part.package_id}` }));
  const unnamed = ({ product_id: _, ...part }: KeptPackage) => part;
  const beyond = (total: string) => ({
    code: 'INSUFFICIENT_MEDIA_BUDGET' as const,
    at: {
      'budget.total': `The campaign has 300.00 USD (budget.total); with this change the media buys take ${total} USD.`,
    },
  });

  test.each<[string, Listing]>([
    ['by ids of its own', asLineItems],
    ['by none', (packages) => packages.map(unnamed)],
    ['by ids of its own for some', ([one, other]) => [{ ...one, product_id: 'line_item' }, { ...other }]],
  ])('is bound with each raise and lowering where it names them %s', async (_, lists) => {
    await buys(lists);
    expect(await world.read()).toMatchObject({
      packages: [
        { packageId: 'pkg_1', productId: 'far-1', budget: 100 },
        { packageId: 'pkg_2', productId: 'far-2', budget: 100 },
      ],
    });

    expectRefusal(await give({ pkg_1: 2_000_000 }), 409, beyond('2000100.00'));
    expect(world.told()).toHaveLength(0);
    done(await give({ pkg_1: 150 }));
    expect([(await world.read()).budget, await world.committed()]).toEqual([250, 250]);
    done(await give({ pkg_2: 40 }));
    expect([(await world.read()).budget, await world.committed()]).toEqual([190, 190]);
    await world.isSound();
  });

  test('keeps the products it was ordered for, whatever its seller calls them later', async () => {
    await buys((packages) => packages);
    world.seller.lists = ([one, other]) => [
      { ...one, product_id: 'far-2' },
      { ...other, product_id: 'other' },
    ];
    await world.refresh();

    done(await give({ pkg_2: 150 }));

    expect(await world.read()).toMatchObject({
      budget: 250,
      products: [{ budget: 100 }, { budget: 150 }],
      packages: [{ productId: 'far-1' }, { productId: 'far-2' }],
    });
    expect(await world.committed()).toBe(250);
  });

  test('is bound with a raise after a package that its seller leaves out since it was called off', async () => {
    await buys((packages) => packages.filter(({ canceled }) => !canceled).map(unnamed));
    done(await world.change({ action: 'cancel', packageIds: ['pkg_2'] }));
    expect(await world.committed()).toBe(100);
    await world.refresh();

    expectRefusal(await give({ pkg_1: 5_000 }), 409, beyond('5000.00'));
    done(await give({ pkg_1: 150 }));

    expect([(await world.read()).budget, await world.committed()]).toEqual([150, 150]);
    await world.isSound();
  });

  test('is refused another budget of a package that may be of either product', async () => {
    await buys(([one, other]) => [
      { package_id: 'pkg_1', budget: one?.budget },
      { package_id: 'pkg_1b', budget: 0 },
      { package_id: 'pkg_2', budget: other?.budget },
    ]);

    const at = { code: 'VALIDATION_ERROR', at: { 'mediaBuys.0.packages.0.budget': NOT_TOLD } } as const;
    expectRefusal(await give({ pkg_1: 150 }), 422, at);
    expectRefusal(await give({ pkg_1: 50 }), 422, at);

    expect(world.told()).toHaveLength(0);
    expect([(await world.read()).budget, await world.committed()]).toEqual([200, 200]);
    // What is no matter of money is asked for as ever.
    done(await world.change({ packages: [{ packageId: 'pkg_1', pacing: 'even' }] }));
    expect(world.told()).toHaveLength(1);
  });

  test('is refused a raise with which its seller would have more than is bound', async () => {
    await buys(([one, other]) => [
      { ...one },
      { ...other, budget: other?.budget === 100 ? 180 : other?.budget },
    ]);

    expectRefusal(await give({ pkg_1: 120 }), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.0.packages': WOULD_HAVE },
    });
    expect(world.told()).toHaveLength(0);
    done(await give({ pkg_1: 120, pkg_2: 90 }));

    expect([(await world.read()).budget, await world.committed()]).toEqual([210, 210]);
    await world.isSound();
  });
});

const NOT_TOLD =
  /^Agent does not say which of the products that were ordered it is of, so nothing could be bound for it\. Ask the seller, naming sf:\S+, to show that, or cancel the media buy and order anew with other budgets\.$/;
const WOULD_HAVE =
  /^Agent would have 300\.00 USD for its packages, as it shows them, and 220\.00 USD would be bound\. Lower in the same call those that it shows with more than was ordered, or raise less\./;
