import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two packages of 100 each, in a campaign of 300. */
describe('a package that spent more than its budget while the media buy did not', () => {
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
    buy = await boughtIn(
      { server, clock, far: seller.far, buyer, advertiserId: await newAdvertiser(buyer) },
      { budget: 300, each: 100 },
    );
    return () => seller.far.agent.stop();
  });

  /** What the two places say that tell of a media buy. */
  async function said() {
    clock.skip(60_000);
    const { media_buys } = done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
    const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`));
    return { told: media_buys[0].source_message, explanation: mediaBuy.explanation };
  }
  const NOTHING = { told: undefined, explanation: 'It runs: nothing is to be done.' };
  const OF_FIRST =
    /^Agent delivered beyond the budget of pkg_1 \(120\.00 USD, where 100\.00 USD were ordered\): no more than 200\.00 USD is owed of it all\. Ask the seller, naming sf:\S+\.$/;

  test('is named with both sums for as long as it is so', async () => {
    seller.delivers(130, { pkg_1: 120, pkg_2: 10 });

    const { told, explanation } = await said();

    expect(told).toMatch(OF_FIRST);
    expect(explanation).toBe(`It runs. ${told}`);
    seller.delivers(140, { pkg_1: 100.5, pkg_2: 39.5 });
    expect(await said()).toEqual(NOTHING);
  });

  test('is named of a seller that shows no budgets of its packages', async () => {
    seller.lists = (packages) => packages.map(({ budget: _, ...part }) => part);
    seller.delivers(130, { pkg_1: 120, pkg_2: 10 });

    expect((await said()).told).toMatch(OF_FIRST);
  });

  test('is named once the media buy is over, with nobody to be asked', async () => {
    seller.delivers(130, { pkg_1: 120, pkg_2: 10 });
    seller.shown = () => ({ media_buy_id: 'Far_1', status: 'completed', packages: seller.packages });

    const { told, explanation } = await said();

    expect(told).toMatch(/pkg_1 \(120\.00 USD, where 100\.00 USD were ordered\): .* is owed of it all\.$/);
    expect(explanation).toMatch(/^It is over/);
    expect(explanation).toContain(told);
  });

  test('is not where a raise of it waits that pays for it', async () => {
    seller.far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    done(
      await buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, {
        packages: [{ packageId: 'pkg_1', budget: 130 }],
      }),
    );
    seller.delivers(130, { pkg_1: 120, pkg_2: 10 });

    const { told, explanation } = await said();

    expect(told).toBeUndefined();
    expect(explanation).not.toContain('delivered beyond');
  });

  test('is held against what was ordered where its seller shows less by now', async () => {
    seller.takesChanges();
    const packages = [{ packageId: 'pkg_1', budget: 190 }];
    done(await buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, { packages }));
    seller.packages = seller.packages.map((part) => ({ ...part, budget: 100 }));
    seller.delivers(160, { pkg_1: 150, pkg_2: 10 });

    expect((await said()).explanation).not.toContain('delivered beyond');
    seller.delivers(210, { pkg_1: 200, pkg_2: 10 });
    expect((await said()).told).toContain('pkg_1 (200.00 USD, where 190.00 USD were ordered)');
  });

  test('gives way to the sums of the whole where that spent more than its budget as well', async () => {
    seller.delivers(230, { pkg_1: 150, pkg_2: 80 });

    expect((await said()).told).toMatch(/^Agent delivered for 230\.00 USD, where 200\.00 USD were ordered/);
  });
});
