import { describe, expect, test } from 'vitest';
import { worldOfTwo } from '../../support/buying/world-of-two.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { done } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';

/** Two products of 100 each, in a campaign of 300. */
describe('a media buy whose seller holds both products in one package', () => {
  const world = worldOfTwo();
  const held = async () => [(await world.read()).budget, await world.committed()];
  const give = (budget: number, packageId = 'pkg_1') => world.change({ packages: [{ packageId, budget }] });
  const toldLast = () => world.told().at(-1)?.args['packages'];

  const merges = (productId?: string) => {
    const named = productId === undefined ? {} : { product_id: productId };
    world.seller.packages = [
      {
        package_id: 'pkg_1',
        budget: 200,
        canceled: false,
        ...named,
      } as (typeof world.seller.packages)[number],
    ];
  };
  const buys = async (campaign?: object) => {
    await world.buys(campaign);
    await world.refresh();
  };

  test.each([
    ['one of both', 'far-1'],
    ['a product of its own', 'bundle'],
    ['no product', undefined],
  ])('is given another budget as a whole, where the package is of %s', async (_, productId) => {
    merges(productId);
    await buys();
    expect(await held()).toEqual([200, 200]);
    expect((await world.read()).explanation).toBe('It runs: nothing is to be done.');

    done(await give(250));
    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: 250 })]);
    expect(await held()).toEqual([250, 250]);
    await world.refresh();
    done(await give(80.01));
    await world.refresh();

    expect(await held()).toEqual([80.01, 80.01]);
    expect(await world.read()).toMatchObject({
      products: [{ budget: 40 }, { budget: 40.01 }],
      packages: [{ packageId: 'pkg_1', budget: 80.01 }],
      explanation: 'It runs: nothing is to be done.',
    });
    expect(world.told()).toHaveLength(2);
    await world.isSound();
  });

  test('is given it too where its seller merged what it had listed apart', async () => {
    await buys();
    merges('far-1');
    await world.refresh();
    await world.refresh();

    done(await give(150));

    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: 150 })]);
    expect(await held()).toEqual([150, 150]);
    await world.isSound();
  });

  test.each(['pkg_1', 'pkg_2'])(
    'has taken a raise of %s that waited where it shows it with all',
    async (id) => {
      await buys();
      world.seller.far.agent.on('update_media_buy', world.seller.shown);
      done(await give(150, id));
      expect(await held()).toEqual([200, 250]);
      merges('far-1');
      world.seller.packages = world.seller.packages.map((part) => ({ ...part, budget: 250 }));
      await world.refresh();
      await world.refresh();

      expect(await held()).toEqual([250, 250]);
      expect(await world.read()).toMatchObject({
        packages: [{ packageId: 'pkg_1', budget: 250 }],
        explanation: 'It runs: nothing is to be done.',
      });
      world.seller.takesChanges();
      done(await give(150));
      expect(await held()).toEqual([150, 150]);
      await world.isSound();
    },
  );

  test('binds no raise beyond the campaign', async () => {
    merges('bundle');
    await buys();

    expectRefusal(await give(300.01), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 300.00 USD (budget.total); with this change the media buys take 300.01 USD.',
      },
    });
    expect(world.told()).toHaveLength(0);
  });

  test('starts from what its seller shows where that took another budget than it was asked for', async () => {
    merges('far-1');
    await buys();
    world.seller.far.agent.on('update_media_buy', world.seller.shown);
    done(await give(260));
    expect(await held()).toEqual([200, 260]);
    world.seller.packages = world.seller.packages.map((part) => ({ ...part, budget: 230 }));
    await world.refresh();
    world.seller.takesChanges();

    done(await give(240));
    await world.refresh();

    expect(await held()).toEqual([240, 240]);
    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: 240 })]);
    await world.isSound();
  });

  test('is named where its seller shows less than was ordered, until that is asked for', async () => {
    merges('far-1');
    await buys();
    world.seller.packages = world.seller.packages.map((part) => ({ ...part, budget: 150 }));
    await world.refresh();

    expect((await world.read()).explanation).toMatch(
      /^It runs\. Agent shows 150\.00 USD for pkg_1, where 200\.00 USD were ordered, which stay bound\./,
    );
    done(await give(150));
    await world.refresh();

    expect(await held()).toEqual([150, 150]);
    expect(await world.read()).toMatchObject({
      products: [{ budget: 75 }, { budget: 75 }],
      explanation: 'It runs: nothing is to be done.',
    });
    await world.isSound();
  });

  test('keeps what was delivered of all of it once the package is called off', async () => {
    merges('far-1');
    await buys();
    world.seller.delivers(120, { pkg_1: 120 });
    await world.refresh();

    done(await world.change({ action: 'cancel', packageIds: ['pkg_1'] }));

    expect(await held()).toEqual([120, 120]);
    await world.isSound();
  });

  test.each([
    ['another budget', { productId: 'far-2', budget: 50 }],
    ['an end', { productId: 'far-2', remove: true }],
  ])('is refused %s of one of the products alone', async (_, product) => {
    merges('far-1');
    await buys();

    const refused = await world.change({ products: [product] });

    const message =
      /^Agent holds all products of the media buy in one package, pkg_1: .* Give packages with pkg_1, and the budget of all of them/;
    expectRefusal(refused, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { 'mediaBuys.0.products.0': message },
    });
    expect(world.told()).toHaveLength(0);
    expect(await held()).toEqual([200, 200]);
  });

  const day = (from: number) => new Date(world.clock.now() + from * 86_400_000).toISOString().slice(0, 10);
  const startOf = (from: number) => `${day(from)}T00:00:00.000Z`;
  /** The first of two periods, or both. */
  const paced = (count: number) => {
    const periods = [
      { label: 'first', start: day(2), end: day(3), weight: 1 },
      { label: 'second', start: day(5), end: day(6), weight: 1 },
    ];
    return { mode: 'weight', periods: periods.slice(0, count) };
  };
  const addPeriod = () =>
    world.buyer.put(`/buyer/campaigns/${world.buy.campaignId}`, {
      pacingPeriods: paced(2),
      budget: { total: 500 },
    });

  test('is given another budget as a whole where its seller merged the packages of two periods', async () => {
    await buys({ pacingPeriods: paced(1) });
    const [first, second] = world.seller.packages;
    done(await addPeriod());
    world.seller.packages = [first, second, first, second].flatMap((part, index) =>
      part === undefined ? [] : [{ ...part, package_id: `pkg_${index + 1}` }],
    );
    await world.refresh();
    expect(await held()).toEqual([400, 400]);
    merges('far-1');
    world.seller.packages = world.seller.packages.map((part) => ({ ...part, budget: 400 }));
    await world.refresh();

    done(await give(350));
    await world.refresh();

    expect(await held()).toEqual([350, 350]);
    expect(await world.read()).toMatchObject({
      products: [{ budget: 175 }, { budget: 175 }],
      packages: [{ packageId: 'pkg_1', budget: 350, startTime: startOf(2), endTime: startOf(7) }],
      explanation: 'It runs: nothing is to be done.',
    });
    const listed = done(await world.buyer.get(`/buyer/media-buys/${world.buy.mediaBuyId}/packages`));
    expect(listed).toMatchObject({
      isPaced: false,
      packages: [{ startTime: startOf(2), endTime: startOf(7) }],
    });
    await world.isSound();
  });

  test('is refused packages of further periods, of which each product would have one', async () => {
    merges('far-1');
    await buys({ pacingPeriods: paced(1) });

    const refused = await addPeriod();

    const message =
      /^Agent holds all products of the media buy in one package, pkg_1: packages of further periods would stand beside it. Give the media buy a later endTime/;
    expectRefusal(refused, 422, { code: 'CAPABILITY_NOT_SUPPORTED', at: { pacingPeriods: message } });
    expect(world.told()).toHaveLength(0);
    expect(await held()).toEqual([200, 200]);
  });

  const sells = (first: object, second: object) => {
    const option = { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: 5 };
    const products = [first, second].map(({ least, ...fields }: { least?: number }, index) =>
      adcpProduct(`far-${index + 1}`, {
        pricing_options: [{ ...option, ...(least === undefined ? {} : { min_spend_per_package: least }) }],
        ...fields,
      }),
    );
    world.seller.far.agent.on('get_products', () => ({ products }));
  };

  test.each([
    ['one of both', 'far-1'],
    ['a product of its own', 'bundle'],
  ])('is held against every product, where the package is of %s', async (_, productId) => {
    sells({ countries: ['US', 'CA'] }, { least: 90, countries: ['US'] });
    merges(productId);
    await buys();

    const targetingOverlay = { geo_countries: ['CA'] };
    const refused = await world.change({ packages: [{ packageId: 'pkg_1', budget: 80, targetingOverlay }] });

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'mediaBuys.0.packages.0.targetingOverlay.geo_countries': /^Product far-2/,
        'mediaBuys.0.packages.0.budget': 'Product far-2 starts at 90 USD; 80 USD of its budget fall to it.',
      },
    });
    expect(world.told()).toHaveLength(0);
  });

  test.each([
    ['one of both', 'far-1'],
    ['a product of its own', 'bundle'],
  ])(
    'shows all products in it, and reaches whom it is to for all, where it is of %s',
    async (_, productId) => {
      merges(productId);
      await buys();
      const targetingOverlay = { language: ['es'] };
      done(await world.change({ packages: [{ packageId: 'pkg_1', targetingOverlay }] }));
      await world.refresh();

      expect(await world.read()).toMatchObject({ products: [{ targetingOverlay }, { targetingOverlay }] });
      const all = ['far-1', 'far-2'];
      const { campaign } = done(await world.buyer.get(`/buyer/campaigns/${world.buy.campaignId}`));
      expect(campaign.mediaBuys[0].packages).toMatchObject([{ productIds: all, targetingOverlay }]);
      const { products } = done(
        await world.buyer.get(`/buyer/campaigns/${world.buy.campaignId}/products?detail=full`),
      );
      expect(products).toMatchObject(
        all.map((id) => ({ productId: id, mediaBuys: [{ packageIds: ['pkg_1'] }] })),
      );
      const call = { name: 'media_buy_get', arguments: { media_buy_id: world.buy.mediaBuyId } };
      expect((await callTool(world.server, world.buyer, call)).structuredContent).toMatchObject({
        packages: [{ product_ids: all }],
      });
    },
  );

  test('says so where a package is named that it has no more', async () => {
    merges('far-1');
    await buys();

    expectRefusal(await give(50, 'pkg_2'), 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'mediaBuys.0.packages.0.packageId':
          'The media buy has no such package. It has pkg_1 alone, in which its seller holds all of its products.',
      },
    });
  });

  test.each([
    [150, 160],
    [195, 200],
  ])('binds no more for a lowering where its seller adds a package beside it: %i', async (given, after) => {
    merges('far-1');
    await buys();
    const added = { package_id: 'pkg_9', product_id: 'far-2', budget: 10, canceled: false };
    world.seller.packages = [...world.seller.packages, added];
    await world.refresh();

    done(await give(given));

    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: given })]);
    expect(await held()).toEqual([after, after]);
    await world.refresh();
    expect(await held()).toEqual([after, after]);
    await world.isSound();
  });

  test('goes on product by product once its seller lists each again', async () => {
    merges('bundle');
    await buys();
    world.seller.packages = [
      { package_id: 'pkg_1', product_id: 'far-1', budget: 100, canceled: false },
      { package_id: 'pkg_2', product_id: 'far-2', budget: 100, canceled: false },
    ];
    await world.refresh();

    done(await give(150, 'pkg_2'));

    expect(await world.read()).toMatchObject({ budget: 250, products: [{ budget: 100 }, { budget: 150 }] });
    await world.isSound();
  });
});
