import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type KeptPackage, type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two packages of 100 each, in a campaign of 200. */
describe('a package that was called off, and that its seller', () => {
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
    heldBefore = await bound();
    buy = await boughtIn(
      { server, clock, far: seller.far, buyer, advertiserId: await newAdvertiser(buyer) },
      { budget: 200, each: 100 },
    );
    seller.lists = (packages) => packages.map(silent);
    return () => seller.far.agent.stop();
  });

  /** As one shows it that leaves out what is false by default. */
  const silent = ({ canceled, ...part }: KeptPackage) => ({ ...part, ...(canceled ? { canceled } : {}) });
  /** It says that it took a change, and did nothing. */
  const onlySaysSo = () => seller.far.agent.on('update_media_buy', () => seller.shown());
  const read = async () => done(await buyer.get(`/buyer/media-buys/${buy.mediaBuyId}?detail=full`)).mediaBuy;
  const campaign = async () => done(await buyer.get(`/buyer/campaigns/${buy.campaignId}`)).campaign;
  const bound = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  };
  const committed = async () => (await bound()) - heldBefore;
  const refresh = async () => {
    clock.skip(60_000);
    return done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  };
  const change = (wanted: object) =>
    buyer.put(`/buyer/campaigns/${buy.campaignId}`, {
      mediaBuys: [{ mediaBuyId: buy.mediaBuyId, ...wanted }],
    });
  const callOff = (...packageIds: string[]) => change({ action: 'cancel', packageIds });
  const give = (packageId: string, budget: number) => change({ packages: [{ packageId, budget }] });
  const ended = () => seller.far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
  const isSound = async () => expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);

  test('goes on listing without a word of its end stays bound, and frees nothing for others', async () => {
    onlySaysSo();

    done(await callOff('pkg_1'));

    expect(await committed()).toBe(200);
    expect((await read()).explanation).toContain('package pkg_1 is not canceled');
    expectRefusal(await give('pkg_2', 190), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 200.00 USD (budget.total); with this change the media buys take 290.00 USD.',
      },
    });
    seller.packages = seller.packages.map((part) => ({ ...part, canceled: part.package_id === 'pkg_1' }));
    await refresh();
    expect(await committed()).toBe(100);
    expect((await read()).explanation).toBe('It runs: nothing is to be done.');
    await isSound();
  });

  test.each([
    ['who called it off', { cancellation: { canceled_at: '2026-12-11T00:00:00Z', canceled_by: 'buyer' } }],
    ['a status of its own', { status: 'canceled' }],
    ['a status of its own, in British', { status: 'Cancelled' }],
  ])('shows as over by %s alone is called off', async (_what, shown) => {
    seller.takesChanges();
    seller.lists = (packages) =>
      packages.map(({ canceled, ...part }) => ({ ...part, ...(canceled ? shown : {}) }));

    done(await callOff('pkg_1'));

    expect(await committed()).toBe(100);
    expect((await read()).packages).toMatchObject([{ status: 'canceled' }, { status: 'active' }]);
    await isSound();
  });

  test('shows as going on can be called off once more, under a key of its own', async () => {
    seller.takesChanges();
    done(await callOff('pkg_1', 'pkg_2'));
    expect((await read()).explanation).toContain('nothing of it runs any more');
    seller.packages = seller.packages.map((part) => ({ ...part, canceled: false }));
    await refresh();
    expect((await read()).explanation).toMatch(
      /^It runs\. Agent shows pkg_1, pkg_2 as going on, although called off: .*, or call it off once more with mediaBuys, action cancel and packageIds of campaign_update/,
    );
    expectRefusal(await give('pkg_1', 50), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.0.packages.0.packageId': 'The package is canceled.' },
    });

    done(await callOff('pkg_1'));

    expect(seller.packages.map(({ canceled }) => canceled)).toEqual([true, false]);
    const keys = ended().map(({ args }) => args['idempotency_key']);
    expect(new Set(keys).size).toBe(2);
    expect((await read()).explanation).toMatch(/^It runs\. Agent shows pkg_2 as going on/);
    await isSound();
  });

  test('lists by its id alone can be called off once more, and by what it shows as over cannot', async () => {
    seller.takesChanges();
    seller.lists = (packages) => packages.map(({ package_id }) => ({ package_id }));
    done(await callOff('pkg_1'));
    expect(await committed()).toBe(100);
    seller.packages = seller.packages.map((part) => ({ ...part, canceled: false }));
    seller.delivers(30, { pkg_1: 30, pkg_2: 0 });
    await refresh();
    expect(await committed()).toBe(130);

    done(await callOff('pkg_1'));

    expect(seller.packages.map(({ canceled }) => canceled)).toEqual([true, false]);
    const keys = ended().map(({ args }) => args['idempotency_key']);
    expect(new Set(keys).size).toBe(2);
    expect(await committed()).toBe(130);
    expect((await read()).packages).toMatchObject([{ status: 'canceled' }, { status: 'active' }]);
    seller.lists = (packages) => packages;
    await refresh();
    expectRefusal(await callOff('pkg_1'), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'mediaBuys.0.packageIds.0': 'The package is canceled.' },
    });
    await isSound();
  });

  test('lets spend on beyond the total of its campaign is told of there', async () => {
    seller.takesChanges();
    done(await callOff('pkg_1'));
    done(await give('pkg_2', 190));
    expect((await campaign()).warnings).toBeUndefined();
    seller.delivers(245, { pkg_1: 95, pkg_2: 150 });

    await refresh();

    expect(await campaign()).toMatchObject({
      allocatedBudget: 285,
      unallocatedBudget: -85,
      warnings: [
        'The media buys take 285.00 USD, and budget.total is 200.00 USD: nothing more is ordered, raised or let go on until it ' +
          'is higher, or packages have less.',
      ],
    });
    await isSound();
  });

  test('lets spend on beyond the total keeps what is held from going on, until there is room for it', async () => {
    seller.takesChanges();
    done(await callOff('pkg_1'));
    done(await give('pkg_2', 190));
    let status = 'active';
    const shown = () => ({ ...seller.shown(), status });
    seller.far.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    seller.far.agent.on('update_media_buy', ({ paused }) => {
      status = paused === true ? 'paused' : 'active';
      return shown();
    });
    done(await buyer.post(`/buyer/campaigns/${buy.campaignId}/pause`));
    seller.delivers(245, { pkg_1: 95, pkg_2: 150 });
    await refresh();
    expect((await campaign()).unallocatedBudget).toBe(-85);
    const calls = ended().length;

    const refused = {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total': 'The campaign has 200.00 USD (budget.total); the media buys take 285.00 USD.',
      },
    } as const;
    const one = await buyer.post(`/buyer/media-buys/${buy.mediaBuyId}/reactivate`);
    expectRefusal(one, 409, refused);
    expect(one.body.error.details.suggestion).toMatch(/^Lower packages first, or raise budget\.total/);
    expectRefusal(await buyer.post(`/buyer/campaigns/${buy.campaignId}/reactivate`), 409, refused);
    expect(ended()).toHaveLength(calls);

    done(await buyer.put(`/buyer/campaigns/${buy.campaignId}`, { budget: { total: 285 } }));
    done(await buyer.post(`/buyer/campaigns/${buy.campaignId}/reactivate`));
    expect(await campaign()).toMatchObject({ status: 'ACTIVE', unallocatedBudget: 0 });
    await isSound();
  });
});
