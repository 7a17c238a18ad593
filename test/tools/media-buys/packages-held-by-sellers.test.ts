import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type KeptPackage, type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two packages of 100 each, in a campaign of 200. */
describe('a live media buy of which its seller holds packages', () => {
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
    seller.takesChanges();
    const world = { server, clock, far: seller.far, buyer, advertiserId: await newAdvertiser(buyer) };
    buy = await boughtIn(world, { budget: 200, each: 100 });
    return () => seller.far.agent.stop();
  });

  const read = async () => done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`)).mediaBuy;
  const explained = async (): Promise<string> => (await read()).explanation;
  const status = async () => {
    clock.skip(60_000);
    return done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status?detail=full`));
  };
  const holds = (...ids: readonly string[]) => {
    seller.packages = seller.packages.map((part) => ({ ...part, paused: ids.includes(part.package_id) }));
    return status();
  };
  const reactivate = () => buyer.post(`/buyer/media-buys/${buy.mediaBuyId}/reactivate`, {});
  const sent = () =>
    seller.far.agent.calls
      .filter(({ tool }) => tool === 'update_media_buy')
      .map(({ args: { packages, paused } }) => ({ packages, paused }));

  test('says which, and whom to ask, and needs attention where nothing of it runs', async () => {
    expect(await holds('pkg_2')).toMatchObject({
      operational_status: 'active',
      blockers: [{ code: 'packages_held' }],
      media_buys: [
        { blockers: ['packages_held'], source_message: expect.stringContaining('Agent holds pkg_2') },
      ],
    });
    expect(await explained()).toMatch(
      /^It runs\. Agent holds pkg_2: nothing is to be spent there\. Ask the seller, naming sf:\d+:mb_\w+, or call media_buy_reactivate, which asks it to go on\.$/,
    );

    expect(await holds('pkg_1', 'pkg_2')).toMatchObject({
      operational_status: 'attention_required',
      media_buys: [{ internal_status: 'ACTIVE', operational_status: 'attention_required' }],
    });
    expect(await explained()).toMatch(
      /^It does not run\. Agent holds all that is left of it \(pkg_1, pkg_2\): nothing is to be spent there\./,
    );
  });

  test('lets them go on with media_buy_reactivate, which asks for these alone', async () => {
    await holds('pkg_2');

    const { status: code, body } = await reactivate();

    expect([code, body.data]).toMatchObject([
      200,
      { previousStatus: 'ACTIVE', newStatus: 'ACTIVE', success: true },
    ]);
    expect(body.data).not.toHaveProperty('error');
    expect(sent()).toEqual([{ packages: [{ package_id: 'pkg_2', paused: false }] }]);
    expect((await read()).packages.map((part: { status: string }) => part.status)).toEqual([
      'active',
      'active',
    ]);
    expect(await explained()).toBe('It runs: nothing is to be done.');
    expectRefusal(await reactivate(), 409, {
      code: 'CONFLICT',
      at: {
        media_buy_id:
          'Winter – Agent is ACTIVE: only one that is PAUSED, or packages that its seller holds, can go on.',
      },
    });
  });

  test('counts as held no longer than its seller shows: a package that it does not call paused is not', async () => {
    await holds('pkg_1', 'pkg_2');
    const shows = (...names: readonly (keyof KeptPackage)[]) => {
      seller.lists = (packages) =>
        packages.map((part) => Object.fromEntries(names.map((name) => [name, part[name]])));
      return status();
    };

    // The id by itself shows nothing of a package.
    expect(await shows('package_id')).toMatchObject({ operational_status: 'attention_required' });
    expect(await shows('package_id', 'product_id', 'budget')).toMatchObject({
      operational_status: 'active',
      blockers: [],
    });
    expect(await explained()).toBe('It runs: nothing is to be done.');
    expectRefusal(await reactivate(), 409, {
      code: 'CONFLICT',
      at: {
        media_buy_id:
          'Winter – Agent is ACTIVE: only one that is PAUSED, or packages that its seller holds, can go on.',
      },
    });
  });

  test('goes on held where an answer to a change of it has only what was changed', async () => {
    await holds('pkg_2');
    seller.far.agent.on('update_media_buy', () => ({
      media_buy_id: 'Far_1',
      affected_packages: [{ package_id: 'pkg_2', budget: 90 }],
    }));

    const lower = { packages: [{ package_id: 'pkg_2', budget: 90 }] };
    done(await buyer.patch(`/buyer/media-buys/${buy.mediaBuyId}`, lower));

    expect(await explained()).toContain('Agent holds pkg_2');
  });

  test('is read back: where its seller goes on holding them, that is said, until it shows otherwise', async () => {
    await holds('pkg_1', 'pkg_2');
    seller.far.agent.on('update_media_buy', () => seller.shown());

    const { data } = (await reactivate()).body;

    expect(data.error).toBe(
      'The seller took the change, and does not show it yet: package pkg_1 is paused, package pkg_2 is paused.',
    );
    expect(await status()).toMatchObject({
      media_buys: [
        { change: { action: 'resume', state: 'waiting' }, operational_status: 'attention_required' },
      ],
    });
    expect(await explained()).toMatch(
      /The reactivation of packages pkg_1, pkg_2 asked for at .+ pkg_2 is paused\. You: if it is still to/,
    );
    await holds();
    expect((await status()).media_buys).toMatchObject([{ operational_status: 'active', blockers: [] }]);
    expect(await explained()).toBe('It runs: nothing is to be done.');
  });

  test('says what its seller made of a refused reactivation, for as long as it holds them', async () => {
    await holds('pkg_2');
    seller.far.agent.on('update_media_buy', () => ({
      errors: [{ code: 'POLICY_VIOLATION', message: 'The creative is under review.' }],
    }));

    expect((await reactivate()).body.data).toMatchObject({
      success: false,
      error: expect.stringContaining('The creative is under review.'),
    });
    expect(await explained()).toMatch(/The reactivation of package pkg_2 asked for at .+ was refused/);
    await holds();
    expect(await explained()).toBe('It runs: nothing is to be done.');
  });
});
