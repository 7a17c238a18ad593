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
});
