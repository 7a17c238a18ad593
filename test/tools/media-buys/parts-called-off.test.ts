import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import type { FarSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two packages of 100 each, in a campaign of 200. */
describe('a media buy of which a package has spent', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
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
    ({ far } = seller);
    seller.takesChanges();
    heldBefore = await bound();
    buy = await boughtIn(
      { server, clock, far, buyer, advertiserId: await newAdvertiser(buyer) },
      { budget: 200, each: 100 },
    );
    return () => far.agent.stop();
  });

  const read = async () => done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`)).mediaBuy;
  const campaign = async () => done(await buyer.get(`/buyer/campaigns/${buy.campaignId}`)).campaign;
  const bound = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  };
  const committed = async () => (await bound()) - heldBefore;
  const budgets = async () => (await read()).packages.map(({ budget }: { budget: number }) => budget);

  /** What the seller reports: of the whole, and of each package that it lists. */
  async function delivers(spend: number, parts: Record<string, number> = {}): Promise<void> {
    seller.delivers(spend, parts);
    clock.skip(60_000);
    done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  }
  const change = (wanted: object) =>
    buyer.put(`/buyer/campaigns/${buy.campaignId}`, {
      mediaBuys: [{ mediaBuyId: buy.mediaBuyId, ...wanted }],
    });
  const callOff = (packageId: string) => change({ action: 'cancel', packageIds: [packageId] });
  const give = (packageId: string, budget: number) => change({ packages: [{ packageId, budget }] });
  const isSound = async () => expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);

  test('says that its seller shows a package as going on although it was called off, until it does not', async () => {
    await delivers(60, { pkg_1: 50, pkg_2: 10 });
    done(await callOff('pkg_1'));
    const { packages } = seller;
    seller.packages = packages.map((part) => ({ ...part, canceled: false }));

    await delivers(80, { pkg_1: 70, pkg_2: 10 });

    const { explanation } = await read();
    expect(explanation).toMatch(
      /Agent shows pkg_1 as going on, although called off: what it spends there counts as it is told\. Ask the seller, naming \S+, to end that, or call it off once more with mediaBuys, action cancel and packageIds of campaign_update\./,
    );
    expect(await budgets()).toEqual([70, 100]);
    seller.packages = packages;
    await delivers(80, { pkg_1: 70, pkg_2: 10 });
    expect((await read()).explanation).not.toContain('going on');
    await isSound();
  });

  test('keeps that bound where the package is called off, and gives the rest alone to the others', async () => {
    await delivers(60, { pkg_1: 50, pkg_2: 10 });

    done(await callOff('pkg_1'));

    expect(await committed()).toBe(150);
    expect(await campaign()).toMatchObject({ allocatedBudget: 150, unallocatedBudget: 50 });
    expect(await budgets()).toEqual([50, 100]);
    expect(await read()).toMatchObject({
      budget: 150,
      products: [{ budget: 50 }, { budget: 100 }],
      packages: [{ status: 'canceled' }, { status: 'active' }],
    });
    expectRefusal(await give('pkg_2', 200), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 200.00 USD (budget.total); with this change the media buys take 250.00 USD.',
      },
    });
    done(await give('pkg_2', 150));
    expect(await committed()).toBe(200);
    await delivers(200, { pkg_1: 50, pkg_2: 150 });
    done(await change({ action: 'cancel' }));
    expect(await committed()).toBe(200);
    await isSound();
  });

  test('owes what its seller still counts of a package that was called off, and no more than it had', async () => {
    await delivers(60, { pkg_1: 50, pkg_2: 10 });
    done(await callOff('pkg_1'));

    await delivers(75, { pkg_1: 55, pkg_2: 20 });

    expect(await committed()).toBe(155);
    expect(await budgets()).toEqual([55, 100]);
    done(await give('pkg_2', 90));
    expect(await committed()).toBe(145);
    await delivers(180, { pkg_1: 130, pkg_2: 50 });
    expect(await committed()).toBe(190);
    expect(await budgets()).toEqual([100, 90]);
    await isSound();
  });

  test('keeps what its seller counts once the cancellation was asked, be the budget shown as nothing', async () => {
    far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));
    await delivers(30, { pkg_1: 20, pkg_2: 10 });
    await callOff('pkg_1');
    expect(await committed()).toBe(200);
    seller.packages = seller.packages.map((part) =>
      part.package_id === 'pkg_1' ? { ...part, canceled: true, budget: 0 } : part,
    );

    await delivers(60, { pkg_1: 45, pkg_2: 15 });

    expect(await budgets()).toEqual([45, 100]);
    expect(await committed()).toBe(145);
    await delivers(80, { pkg_1: 47, pkg_2: 33 });
    expect(await budgets()).toEqual([47, 100]);
    await isSound();
  });

  test('keeps what may be of a package where its seller tells of the whole alone', async () => {
    await delivers(60);

    done(await callOff('pkg_1'));

    expect(await budgets()).toEqual([60, 100]);
    expect(await committed()).toBe(160);
    await delivers(90);
    expect(await committed()).toBe(160);
    done(await callOff('pkg_2'));
    expect(await budgets()).toEqual([60, 30]);
    expect(await committed()).toBe(90);
    await isSound();
  });

  test('cannot have less for a package than that spent, and just that', async () => {
    await delivers(60, { pkg_1: 50, pkg_2: 10 });

    expectRefusal(await give('pkg_1', 49), 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'mediaBuys.0.packages.0.budget': '50.00 USD of it is spent, the fee with it: give at least that.',
      },
    });
    expect(await committed()).toBe(200);
    done(await give('pkg_1', 50));
    expect(await committed()).toBe(150);
    done(await give('pkg_2', 10));
    expect(await committed()).toBe(60);
    await isSound();
  });
});
