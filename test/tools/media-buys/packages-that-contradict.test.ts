import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type KeptPackage, type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two packages of 100 each, of which the seller reports. */
describe('a report of which the packages contradict themselves or the whole', () => {
  const clock = skippingClock();
  let server: TestServer;
  let buyer: Person;
  let buy: Bought;
  let seller: SellerOfTwo;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    seller = await sellerOfTwo(server, 100);
    const { far } = seller;
    far.agent.on('update_media_buy', ({ packages: asked = [] }) => {
      const updates = asked as readonly KeptPackage[];
      seller.packages = seller.packages.map((part) => ({
        ...part,
        ...updates.find(({ package_id }) => package_id === part.package_id),
      }));
      return seller.shown();
    });
    const advertiserId = await newAdvertiser(buyer);
    buy = await boughtIn({ server, clock, far, buyer, advertiserId }, { budget: 200, each: 100 });
    await reports(120, { spend: 50 }, { spend: 70 });
    return () => far.agent.stop();
  });

  async function reports(spend: number, ...parts: object[]): Promise<void> {
    const figures = { impressions: 1_000, clicks: 1 };
    seller.far.agent.on('get_media_buy_delivery', () => ({
      currency: 'USD',
      media_buy_deliveries: [
        {
          ...{ media_buy_id: 'Far_1', totals: { ...figures, spend } },
          by_package: parts.map((part, at) => ({ package_id: `pkg_${at + 1}`, ...figures, ...part })),
        },
      ],
    }));
    clock.skip(60_000);
    done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  }
  const read = async () => done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`)).mediaBuy;
  const lower = (packageId: string, budget: number) =>
    buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, { packages: [{ packageId, budget }] });
  const deliveries = async () =>
    (await read()).packages.map(({ delivery }: { delivery?: object }) => delivery !== undefined);

  test.each([
    [{ spend: -10 }, { spend: 90 }, 'Package pkg_1: The seller reports -10 as spend, which can be no figure'],
    [{ spend: 10 }, { spend: 'much' }, 'Package pkg_2: The seller reports as spend what is no number'],
    [{ spend: 9, clicks: -1 }, {}, 'Package pkg_1: The seller reports -1 as clicks, which can be no figure'],
    [
      { spend: 10, currency: 'EUR' },
      { spend: 70 },
      'Package pkg_1: The seller reports 10 EUR spent of a buy in USD',
    ],
    [
      { spend: 10 },
      { spend: 20, package_id: 'pkg_1' },
      'Package pkg_1: The seller reports on it more than once',
    ],
    [
      { spend: 10 },
      { spend: 150 },
      'The seller reports 160.00 USD spent of the packages, and 100.00 USD in all',
    ],
  ])('is taken for the whole alone, and says so until another comes: %j, %j', async (one, other, why) => {
    expect(await deliveries()).toEqual([true, true]);
    const said = `${why}: the report was taken for the whole alone.`;

    await reports(100, one, other);

    const told = await read();
    expect(told).toMatchObject({ sourceMessage: said, performance: { spend: 100 } });
    expect(told.explanation).toMatch(/ You: ask the seller, naming \S+, to report it right; until then no /);
    expect(told.explanation).toContain(`It runs. ${said} You: `);
    expect(await deliveries()).toEqual([false, false]);
    const { delivery } = done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/delivery`));
    expect(delivery.mediaBuys).toMatchObject([{ spend: 100, error: said }]);
    await reports(100, { spend: 30.004, currency: 'usd' }, { spend: 70.006 });
    expect((await read()).explanation).toBe('It runs: nothing is to be done.');
    expect(await deliveries()).toEqual([true, true]);
  });

  test('keeps no package from being lowered, and all together at what was delivered', async () => {
    expectRefusal(await lower('pkg_2', 60), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.budget': /^70\.00 USD of it is spent, / },
    });
    await reports(120, { spend: -10 }, { spend: 180 });

    done(await lower('pkg_2', 60));

    expect(await read()).toMatchObject({ budget: 160 });
    const refused = await lower('pkg_1', 50);
    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { packages: 'The budgets are 110 together, and 120.00 USD is spent, the fee with it.' },
    });
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('changes nothing of what a package keeps that was called off', async () => {
    const off = { mediaBuyId: buy.mediaBuyId, action: 'cancel', packageIds: ['pkg_1'] };
    done(await buyer.put(`/buyer/campaigns/${buy.campaignId}`, { mediaBuys: [off] }));
    const before = await read();

    await reports(120, { spend: -10 }, { spend: 70 });

    expect(await read()).toMatchObject({
      budget: before.budget,
      packages: [{ budget: 50 }, { budget: 100 }],
    });
  });
});
