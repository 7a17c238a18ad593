import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A media buy of two packages of 100, at a seller that adds a package of 400 by itself and spends in it. */
describe('a package that was never ordered', () => {
  let server: TestServer;
  let seller: SellerOfTwo;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    seller = await sellerOfTwo(server, 100);
    buyer = await newPerson(server);
    seller.takesChanges();
    return () => seller.far.agent.stop();
  });

  const extra = (product_id: string) => ({ package_id: 'extra', product_id, budget: 400, canceled: false });

  async function runs(product_id: string, products = 2): Promise<void> {
    const { campaignId: id, discoveryId } = await draftCampaign(buyer, {
      ...{ advertiserId: await newAdvertiser(buyer), budget: 200 },
      storefrontIds: [seller.far.storefrontId],
    });
    campaignId = id;
    if (products === 1) {
      seller.packages = seller.packages.slice(0, 1);
      done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: ['far-2'] }));
    }
    mediaBuyId = await executed(buyer, campaignId);
    seller.packages = [...seller.packages, extra(product_id)];
    seller.delivers(90, { pkg_1: 10, extra: 80 });
    await read();
  }

  async function read() {
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    done(await buyer.get(`/buyer/campaigns/${campaignId}/delivery`));
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`));
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return {
      budget: mediaBuy.budget,
      budgets: mediaBuy.packages.map(({ budget }: { budget: number }) => budget),
      bound: credit.find(({ currency }: { currency: string }) => currency === 'USD').committed,
      explanation: mediaBuy.explanation as string,
    };
  }
  const callOff = async (packageId: string) =>
    done(
      await buyer.put(`/buyer/campaigns/${campaignId}`, {
        mediaBuys: [{ mediaBuyId, action: 'cancel', packageIds: [packageId] }],
      }),
    );

  test('keeps nothing once it is called off, and what was delivered in it is told', async () => {
    await runs('zz');
    await callOff('pkg_1');

    await callOff('extra');

    const told = await read();
    expect(told).toMatchObject({ budget: 110, budgets: [10, 100, 0], bound: 110 });
    expect(told.explanation).toContain(
      'Agent delivered for 80.00 USD in extra, never ordered and called off: no more than 110.00 USD is owed of it all.',
    );
    seller.delivers(110, { pkg_1: 10, extra: 100 });
    expect(await read()).toMatchObject({ budget: 110, budgets: [10, 100, 0], bound: 110 });
  });

  test('is not bound beside the only product that was ordered', async () => {
    await runs('far-1', 1);

    await callOff('extra');

    const told = await read();
    expect(told).toMatchObject({ budget: 100, budgets: [100, 0], bound: 100 });
    expect(told.explanation).toContain('80.00 USD in extra');
  });

  const runsWith = async (packages: typeof seller.packages, parts: Record<string, number>) => {
    const spent = Object.values(parts).reduce((sum, one) => sum + one, 0);
    const { campaignId: id, discoveryId } = await draftCampaign(buyer, {
      ...{ advertiserId: await newAdvertiser(buyer), budget: 200 },
      storefrontIds: [seller.far.storefrontId],
    });
    campaignId = id;
    if (packages.every(({ product_id }) => product_id === 'far-1'))
      done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: ['far-2'] }));
    seller.packages = packages;
    mediaBuyId = await executed(buyer, campaignId);
    seller.delivers(spent, parts);
    await read();
  };
  const part = (package_id: string, product_id: string, budget: number) => ({
    ...{ package_id, product_id, budget },
    canceled: false,
  });

  test.each([['when its order is answered'], ['later']])(
    'is told from what was ordered wherever its seller lists it, %s',
    async (when) => {
      const ordered = part('pkg_1', 'far-1', 100);
      const listed = [extra('far-1'), ordered];
      await runsWith(when === 'later' ? [ordered] : listed, { extra: 80, pkg_1: 50 });
      seller.packages = listed;
      await read();

      await callOff('extra');

      expect(await read()).toMatchObject({ budget: 100, budgets: [0, 100], bound: 100 });
      await callOff('pkg_1');
      expect((await read()).budgets).toEqual([0, 50]);
    },
  );

  test('gets nothing of what is called off beside it', async () => {
    await runsWith([extra('far-1'), part('pkg_1', 'far-1', 100)], { extra: 80, pkg_1: 50 });

    await callOff('pkg_1');

    expect(await read()).toMatchObject({ budget: 100, bound: 100 });
    await callOff('extra');
    expect((await read()).budgets).toEqual([0, 50]);
  });

  test('is none of which nobody can tell the product: what was told of that is kept', async () => {
    const names = (a: string, c: string) => [part('a', a, 50), part('b', a, 50), part('c', c, 100)];
    await runsWith(names('own-1', 'own-2'), { a: 30, b: 0, c: 0 });

    await callOff('a');

    const told = await read();
    expect(told.budgets[0]).toBe(30);
    expect(told.explanation).not.toContain('never ordered');
    seller.packages = names('far-1', 'far-2').map((one) => ({ ...one, canceled: one.package_id === 'a' }));
    await read();
    await callOff('b');
    expect(await read()).toMatchObject({ budget: 130, budgets: [30, 0, 100], bound: 130 });
  });
});
