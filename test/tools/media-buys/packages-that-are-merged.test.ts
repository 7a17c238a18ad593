import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { callTool } from '../../support/mcp/mcp-call.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two products of 100 each, in a campaign of 300. */
describe('a media buy whose seller holds both products in one package', () => {
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
    return () => seller.far.agent.stop();
  });

  const read = async () => done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`)).mediaBuy;
  const refresh = async () => {
    clock.skip(60_000);
    done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  };
  const bound = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  };
  const held = async () => [(await read()).budget, Number(((await bound()) - heldBefore).toFixed(2))];
  const change = (wanted: object) =>
    buyer.put(`/buyer/campaigns/${buy.campaignId}`, {
      mediaBuys: [{ mediaBuyId: buy.mediaBuyId, ...wanted }],
    });
  const give = (budget: number, packageId = 'pkg_1') => change({ packages: [{ packageId, budget }] });
  const told = () => seller.far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
  const toldLast = () => told().at(-1)?.args['packages'];
  const isSound = async () => expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);

  const merges = (productId?: string) => {
    const named = productId === undefined ? {} : { product_id: productId };
    seller.packages = [
      { package_id: 'pkg_1', budget: 200, canceled: false, ...named } as (typeof seller.packages)[number],
    ];
  };
  async function buys(campaign: object = {}): Promise<void> {
    const advertiserId = await newAdvertiser(buyer);
    heldBefore = await bound();
    const world = { server, clock, far: seller.far, buyer, advertiserId };
    buy = await boughtIn(world, { budget: 300, each: 100, campaign });
    await refresh();
  }

  test.each([
    ['one of both', 'far-1'],
    ['a product of its own', 'bundle'],
    ['no product', undefined],
  ])('is given another budget as a whole, where the package is of %s', async (_, productId) => {
    merges(productId);
    await buys();
    expect(await held()).toEqual([200, 200]);
    expect((await read()).explanation).toBe('It runs: nothing is to be done.');

    done(await give(250));
    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: 250 })]);
    expect(await held()).toEqual([250, 250]);
    await refresh();
    done(await give(80.01));
    await refresh();

    expect(await held()).toEqual([80.01, 80.01]);
    expect(await read()).toMatchObject({
      products: [{ budget: 40 }, { budget: 40.01 }],
      packages: [{ packageId: 'pkg_1', budget: 80.01 }],
      explanation: 'It runs: nothing is to be done.',
    });
    expect(told()).toHaveLength(2);
    await isSound();
  });

  test('is given it too where its seller merged what it had listed apart', async () => {
    await buys();
    merges('far-1');
    await refresh();
    await refresh();

    done(await give(150));

    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: 150 })]);
    expect(await held()).toEqual([150, 150]);
    await isSound();
  });

  test.each(['pkg_1', 'pkg_2'])(
    'has taken a raise of %s that waited where it shows it with all',
    async (id) => {
      await buys();
      seller.far.agent.on('update_media_buy', seller.shown);
      done(await give(150, id));
      expect(await held()).toEqual([200, 250]);
      merges('far-1');
      seller.packages = seller.packages.map((part) => ({ ...part, budget: 250 }));
      await refresh();
      await refresh();

      expect(await held()).toEqual([250, 250]);
      expect(await read()).toMatchObject({
        packages: [{ packageId: 'pkg_1', budget: 250 }],
        explanation: 'It runs: nothing is to be done.',
      });
      seller.takesChanges();
      done(await give(150));
      expect(await held()).toEqual([150, 150]);
      await isSound();
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
    expect(told()).toHaveLength(0);
  });

  test('starts from what its seller shows where that took another budget than it was asked for', async () => {
    merges('far-1');
    await buys();
    seller.far.agent.on('update_media_buy', seller.shown);
    done(await give(260));
    expect(await held()).toEqual([200, 260]);
    seller.packages = seller.packages.map((part) => ({ ...part, budget: 230 }));
    await refresh();
    seller.takesChanges();

    done(await give(240));
    await refresh();

    expect(await held()).toEqual([240, 240]);
    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: 240 })]);
    await isSound();
  });

  test('is named where its seller shows less than was ordered, until that is asked for', async () => {
    merges('far-1');
    await buys();
    seller.packages = seller.packages.map((part) => ({ ...part, budget: 150 }));
    await refresh();

    expect((await read()).explanation).toMatch(
      /^It runs\. Agent shows 150\.00 USD for pkg_1, where 200\.00 USD were ordered, which stay bound\./,
    );
    done(await give(150));
    await refresh();

    expect(await held()).toEqual([150, 150]);
    expect(await read()).toMatchObject({
      products: [{ budget: 75 }, { budget: 75 }],
      explanation: 'It runs: nothing is to be done.',
    });
    await isSound();
  });

  test('keeps what was delivered of all of it once the package is called off', async () => {
    merges('far-1');
    await buys();
    seller.delivers(120, { pkg_1: 120 });
    await refresh();

    done(await change({ action: 'cancel', packageIds: ['pkg_1'] }));

    expect(await held()).toEqual([120, 120]);
    await isSound();
  });

  test.each([
    ['another budget', { productId: 'far-2', budget: 50 }],
    ['an end', { productId: 'far-2', remove: true }],
  ])('is refused %s of one of the products alone', async (_, product) => {
    merges('far-1');
    await buys();

    const refused = await change({ products: [product] });

    const message =
      /^Agent holds all products of the media buy in one package, pkg_1: .* Give packages with pkg_1, and the budget of all of them/;
    expectRefusal(refused, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { 'mediaBuys.0.products.0': message },
    });
    expect(told()).toHaveLength(0);
    expect(await held()).toEqual([200, 200]);
  });

  test('is refused packages of further periods, of which each product would have one', async () => {
    merges('far-1');
    const day = (from: number) => new Date(clock.now() + from * 86_400_000).toISOString().slice(0, 10);
    const periods = [
      { label: 'first', start: day(2), end: day(3), weight: 1 },
      { label: 'second', start: day(5), end: day(6), weight: 1 },
    ];
    const paced = (count: number) => ({ mode: 'weight', periods: periods.slice(0, count) });
    await buys({ pacingPeriods: paced(1) });

    const refused = await buyer.put(`/buyer/campaigns/${buy.campaignId}`, {
      pacingPeriods: paced(2),
      budget: { total: 500 },
    });

    const message =
      /^Agent holds all products of the media buy in one package, pkg_1: packages of further periods would stand beside it. Give the media buy a later endTime/;
    expectRefusal(refused, 422, { code: 'CAPABILITY_NOT_SUPPORTED', at: { pacingPeriods: message } });
    expect(told()).toHaveLength(0);
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
    seller.far.agent.on('get_products', () => ({ products }));
  };

  test.each([
    ['one of both', 'far-1'],
    ['a product of its own', 'bundle'],
  ])('is held against every product, where the package is of %s', async (_, productId) => {
    sells({ countries: ['US', 'CA'] }, { least: 90, countries: ['US'] });
    merges(productId);
    await buys();

    const targetingOverlay = { geo_countries: ['CA'] };
    const refused = await change({ packages: [{ packageId: 'pkg_1', budget: 80, targetingOverlay }] });

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'mediaBuys.0.packages.0.targetingOverlay.geo_countries': /^Product far-2/,
        'mediaBuys.0.packages.0.budget': 'Product far-2 starts at 90 USD; 80 USD of its budget fall to it.',
      },
    });
    expect(told()).toHaveLength(0);
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
      done(await change({ packages: [{ packageId: 'pkg_1', targetingOverlay }] }));
      await refresh();

      expect(await read()).toMatchObject({ products: [{ targetingOverlay }, { targetingOverlay }] });
      const all = ['far-1', 'far-2'];
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${buy.campaignId}`));
      expect(campaign.mediaBuys[0].packages).toMatchObject([{ productIds: all, targetingOverlay }]);
      const { products } = done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/products?detail=full`));
      expect(products).toMatchObject(
        all.map((id) => ({ productId: id, mediaBuys: [{ packageIds: ['pkg_1'] }] })),
      );
      const call = { name: 'media_buy_get', arguments: { media_buy_id: buy.mediaBuyId } };
      expect((await callTool(server, buyer, call)).structuredContent).toMatchObject({
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
    seller.packages = [...seller.packages, added];
    await refresh();

    done(await give(given));

    expect(toldLast()).toEqual([expect.objectContaining({ package_id: 'pkg_1', budget: given })]);
    expect(await held()).toEqual([after, after]);
    await refresh();
    expect(await held()).toEqual([after, after]);
    await isSound();
  });

  test('goes on product by product once its seller lists each again', async () => {
    merges('bundle');
    await buys();
    seller.packages = [
      { package_id: 'pkg_1', product_id: 'far-1', budget: 100, canceled: false },
      { package_id: 'pkg_2', product_id: 'far-2', budget: 100, canceled: false },
    ];
    await refresh();

    done(await give(150, 'pkg_2'));

    expect(await read()).toMatchObject({ budget: 250, products: [{ budget: 100 }, { budget: 150 }] });
    await isSound();
  });
});
