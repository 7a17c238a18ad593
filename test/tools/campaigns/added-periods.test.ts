import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recover } from '../../../adapters/process/recovery.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { eventually } from '../../support/run/eventually.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { draftOf } from '../../support/sellers/discovery.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;

const first = { label: 'first', start: '2026-12-10', end: '2026-12-12', weight: 1 };
const second = { label: 'second', start: '2026-12-20', end: '2026-12-21', weight: 2 };
const third = { label: 'third', start: '2026-12-25', end: '2026-12-27', weight: 1 };
const weighted = (...periods: object[]) => ({ mode: 'weight', periods });

/** A campaign that runs keeps the periods it was ordered with; others may follow them (contract: pacingPeriods). */
describe('periods that are added to a campaign that runs', () => {
  const clock = skippingClock();
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  let campaignId: string;
  /** Has the seller add what it is asked to. */
  let takes: (args: Record<string, unknown>) => object;
  let packages: { package_id: string; product_id: string; budget: number; canceled?: boolean }[];
  beforeAll(async () => {
    server = await startTestServer({
      clock,
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', ORDER_TAKEOVERS_MAX: '1' },
    });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    far = await farSeller(server, 'Far');
    packages = [
      { package_id: 'pkg_1', product_id: 'far-1', budget: 900 },
      { package_id: 'pkg_2', product_id: 'far-1', budget: 1_200 },
    ];
    const shown = () => ({ media_buy_id: 'far_1', status: 'active', packages });
    far.agent.on('create_media_buy', shown);
    far.agent.on('get_media_buys', () => ({ media_buys: [shown()] }));
    takes = ({ new_packages }) => {
      const added = Array.isArray(new_packages) ? new_packages : [];
      packages = [...packages, ...added.map(({ budget }) => ({ ...packageAfter(packages), budget }))];
      return shown();
    };
    far.agent.on('update_media_buy', takes);
    campaignId = await draftOf(buyer, { ...far, advertiserId, productId: 'far-1', budget: 2_100 });
    done(await put({ pacingPeriods: weighted(first, second) }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    return () => far.agent.stop();
  });

  const packageAfter = (known: typeof packages) => ({
    package_id: `pkg_${known.length + 1}`,
    product_id: 'far-1',
  });
  const put = (changes: object) => buyer.put(`/buyer/campaigns/${campaignId}`, changes);
  const get = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const updates = () => far.agent.calls.filter(({ tool }) => tool === 'update_media_buy');
  const added = { pacingPeriods: weighted(first, second, third), budget: { total: 3_000 } };

  test('reach its sellers as a package each, with as much for its share as those before', async () => {
    const answer = done(await put(added));

    expect(answer).toMatchObject({
      campaign: { pacingPeriods: added.pacingPeriods, budget: { total: 3_000 } },
      mediaBuyResults: [{ success: true, pending: false }],
      pacingCascadeResult: { totalMediaBuys: 1, successCount: 1, failureCount: 0 },
    });
    const [order] = far.agent.calls.filter(({ tool }) => tool === 'create_media_buy');
    const [like] = (order?.args['packages'] ?? []) as object[];
    expect(updates().map(({ args }) => args)).toMatchObject([
      {
        media_buy_id: 'far_1',
        new_packages: [
          {
            ...like,
            budget: 900,
            start_time: '2026-12-25T00:00:00.000Z',
            end_time: '2026-12-28T00:00:00.000Z',
          },
        ],
      },
    ]);
    expect(updates()[0]?.args).not.toHaveProperty('packages');
    const { mediaBuys, allocatedBudget } = await get();
    expect(mediaBuys).toMatchObject([{ budget: 3_000, packages: [{}, {}, { packageId: 'pkg_3' }] }]);
    expect(allocatedBudget).toBe(3_000);
    const shown = done(await buyer.get(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}/packages`));
    expect(shown.packages[2]).toMatchObject({
      pacingPeriod: { index: 3, label: 'third' },
      startTime: '2026-12-25T00:00:00.000Z',
    });
  });

  test('hold the flight, with those that were ordered: media buys end sooner, or packages are called off', async () => {
    const endDate = '2026-12-15T00:00:00.000Z';
    const outside = 'Must be inside the flight.';

    const refused = await put({ flightDates: { endDate } });

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'pacingPeriods.periods.1.start': outside, 'pacingPeriods.periods.1.end': outside },
    });
    const { suggestion } = refused.body.error.details;
    expect(suggestion).toMatch(/leave these as they are\..* an earlier end_time, .* less budget or a cancel/);
    const [{ mediaBuyId }] = (await get()).mediaBuys;
    const change = async (changes: object) =>
      done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, changes));
    far.agent.on('update_media_buy', ({ packages: asked = [], ...terms }) => {
      packages = packages.map((part) => ({
        ...part,
        ...(asked as typeof packages).find(({ package_id }) => package_id === part.package_id),
      }));
      return takes(terms);
    });
    await change({ packages: [{ packageId: 'pkg_1', budget: 800 }] });
    done(await put({ mediaBuys: [{ mediaBuyId, action: 'cancel', packageIds: ['pkg_2'] }] }));
    await change({ end_time: endDate });
    expect(updates().map(({ args }) => args)).toMatchObject([
      { packages: [{ package_id: 'pkg_1', budget: 800 }] },
      { packages: [{ package_id: 'pkg_2', canceled: true }] },
      { end_time: endDate },
    ]);
  });

  test('are paced as the packages that are there by now', async () => {
    const [{ mediaBuyId }] = (await get()).mediaBuys;
    const paced = ['pkg_1', 'pkg_2'].map((packageId) => ({ packageId, pacing: 'front_loaded' }));
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: paced }));

    done(await put(added));

    expect(updates().at(-1)?.args['new_packages']).toMatchObject([{ budget: 900, pacing: 'front_loaded' }]);
  });

  test('can be added again, and change nothing when they are there already', async () => {
    done(await put(added));
    done(await put({ pacingPeriods: added.pacingPeriods }));
    expect(updates()).toHaveLength(1);

    const fourth = { label: 'fourth', start: '2026-12-29', end: '2026-12-29', weight: 1 };
    const longer = { pacingPeriods: weighted(first, second, third, fourth), budget: { total: 3_300 } };
    expect(done(await put(longer))).toMatchObject({ pacingCascadeResult: { successCount: 1 } });
    expect(updates()[1]?.args['new_packages']).toMatchObject([
      { budget: 300, start_time: '2026-12-29T00:00:00.000Z' },
    ]);
  });

  test('wait for a seller that does not show them yet, and count against the budget meanwhile', async () => {
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'far_1' }));

    const { mediaBuyResults } = done(await put(added));
    expect(mediaBuyResults).toMatchObject([
      { success: true, pending: true, error: expect.stringContaining('its new packages are not there') },
    ]);
    packages = [...packages, { ...packageAfter(packages), budget: 900 }];
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    expect((await get()).mediaBuys).toMatchObject([{ budget: 3_000, packages: [{}, {}, {}] }]);
  });

  test('409 INSUFFICIENT_MEDIA_BUDGET where the budget has no room for them, and no seller hears of it', async () => {
    const refused = await put({ pacingPeriods: added.pacingPeriods });

    expectRefusal(refused, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 2100.00 USD (budget.total); with this change the media buys take 3000.00 USD.',
      },
    });
    expect(updates()).toEqual([]);
    expect((await get()).pacingPeriods).toEqual(weighted(first, second));
  });

  test('422 CAPABILITY_NOT_SUPPORTED where a seller takes no new packages, and nothing is changed', async () => {
    far.agent.declares('update_media_buy', { media_buy_id: {}, packages: {} });

    const refused = await put(added);

    expectRefusal(refused, 422, {
      code: 'CAPABILITY_NOT_SUPPORTED',
      at: { pacingPeriods: 'The seller declares no “new_packages” for changes of a media buy.' },
    });
    expect(refused.body.error.details.unsupported).toMatchObject([
      { salesAgentId: far.agentId, field: 'pacingPeriods', reason: expect.stringContaining('new_packages') },
    ]);
    expect((await get()).pacingPeriods).toEqual(weighted(first, second));
  });

  test.each([
    ['one that is there is another', weighted({ ...first, weight: 2 }, second, third)],
    ['one that is there is left out', weighted(first)],
    ['all are taken away', null],
    ['they are told otherwise', { mode: 'budget', periods: [{ ...first, weight: undefined, budget: 1 }] }],
    ['one comes between', weighted(first, second, { ...third, start: '2026-12-15', end: '2026-12-16' })],
  ])('409 CONFLICT where %s, and nothing is changed', async (_, pacingPeriods) => {
    expectRefusal(await put({ pacingPeriods }), 409, {
      code: 'CONFLICT',
      at: {
        pacingPeriods: 'The orders of this campaign were made with what is there, and it is ACTIVE.',
      },
    });
    expect(updates()).toEqual([]);
  });

  test('give way to no other change while nobody knows whether the seller has them', async () => {
    const [{ mediaBuyId }] = (await get()).mediaBuys;
    far.agent.on('update_media_buy', () => {
      throw new Error('out of order');
    });
    await put(added);
    const before = updates().length;

    const refused = await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, {
      packages: [{ packageId: 'pkg_1', budget: 950 }],
    });

    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      at: { media_buy_id: /a change was asked for at \S+, and its seller has not confirmed it/ },
    });
    expect(updates()).toHaveLength(before);
  });

  test('are asked for once by a call that breaks off at a seller that keeps no keys', async () => {
    far.agent.declares('update_media_buy', { media_buy_id: {}, new_packages: {} });
    far.agent.on('update_media_buy', (args) => {
      takes(args);
      throw new Error('out of order');
    });

    await put(added);

    expect(updates()).toHaveLength(1);
    expect(updates()[0]?.args).not.toHaveProperty('idempotency_key');
  });

  test.each([
    ['are not asked for again where the seller shows them', true, 0],
    ['are asked for again where the seller shows what it had before', false, 1],
  ])('%s, after nobody stored what it answered', async (_, isTaken, asked) => {
    far.agent.on('update_media_buy', (args) => {
      if (isTaken && packages.length === 2) takes(args);
      throw new Error('out of order');
    });
    await put(added);
    far.agent.on('update_media_buy', takes);
    const before = updates().length;

    clock.skip(HOUR_MS);
    await recover(server.running.app.services);

    await eventually(async () => expect((await get()).mediaBuys[0].packages).toHaveLength(3));
    expect(updates()).toHaveLength(before + asked);
    expect((await get()).mediaBuys).toMatchObject([{ budget: 3_000 }]);
  });

  test('are not asked for again of a seller that keeps no keys and does not show what it has', async () => {
    far.agent.declares('update_media_buy', { media_buy_id: {}, new_packages: {} });
    far.agent.on('update_media_buy', (args) => {
      takes(args);
      throw new Error('out of order');
    });
    await put(added);
    far.agent.on('get_media_buys', () => ({ errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'No.' }] }));

    clock.skip(HOUR_MS);
    await recover(server.running.app.services);

    const [{ mediaBuyId }] = (await get()).mediaBuys;
    await eventually(async () => {
      const { changes } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
      expect(changes).toMatchObject([{ state: 'unknown', message: expect.stringMatching(/keeps no keys/) }]);
    });
    expect(updates()).toHaveLength(1);
  });

  test('are told from those that were there by their names, whichever are called off meanwhile', async () => {
    const [{ mediaBuyId }] = (await get()).mediaBuys;
    far.agent.on('update_media_buy', (args) => {
      if (packages.length === 2) takes(args);
      throw new Error('out of order');
    });
    await put(added);
    far.agent.on('update_media_buy', () => {
      packages = packages.map((part) => (part.package_id === 'pkg_1' ? { ...part, canceled: true } : part));
      return { media_buy_id: 'far_1', status: 'active', packages };
    });
    done(await put({ mediaBuys: [{ mediaBuyId, action: 'cancel', packageIds: ['pkg_1'] }] }));
    const before = updates().length;

    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

    const { changes } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy;
    expect(changes.map(({ state }: { state: string }) => state)).toEqual(['confirmed', 'confirmed']);
    expect(updates()).toHaveLength(before);
  });

  test('give way to no raise of which nobody knows, and say what to do first', async () => {
    const [{ mediaBuyId }] = (await get()).mediaBuys;
    far.agent.on('update_media_buy', () => {
      throw new Error('out of order');
    });
    done(
      await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, {
        packages: [{ packageId: 'pkg_1', budget: 850 }],
      }),
    );

    const refused = await put(added);

    expectRefusal(refused, 409, {
      code: 'CONFLICT',
      at: { pacingPeriods: /a change was asked for at \S+, and its seller has not confirmed it/ },
    });
    expect(refused.body.error.details.suggestion).toMatch(
      /^Nobody knows whether its seller took it: ask for it once more/,
    );
  });

  test('are given up where its seller never answers and never shows them, and stand in the way of nothing then', async () => {
    const [{ mediaBuyId }] = (await get()).mediaBuys;
    far.agent.on('update_media_buy', () => {
      throw new Error('out of order');
    });
    await put(added);
    const status = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    const state = async () =>
      done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy.changes[0].state;
    await status();
    expect(await state()).toBe('unknown');
    const before = updates().length;
    clock.skip(HOUR_MS);
    await recover(server.running.app.services);
    await eventually(async () => {
      expect(updates().length).toBeGreaterThan(before);
      expect(await state()).toBe('unknown');
    });

    await status();
    expect(await state()).toBe('unknown');
    clock.skip(HOUR_MS);

    await status();

    expect(await state()).toBe('refused');
    expect((await get()).mediaBuys).toMatchObject([{ budget: 2_100 }]);
    far.agent.on('update_media_buy', takes);
    done(
      await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, {
        packages: [{ packageId: 'pkg_1', budget: 950 }],
      }),
    );
  });

  test('400 for other changes of media buys in the same call', async () => {
    const [{ mediaBuyId }] = (await get()).mediaBuys;
    const refused = await put({ ...added, mediaBuys: [{ mediaBuyId, name: 'New' }] });
    expectRefusal(refused, 400, {
      code: 'VALIDATION_ERROR',
      at: { mediaBuys: 'Add periods in a call of its own.' },
    });
  });

  test('are taken by an embedded seller, each with a budget of its own', async () => {
    const open = await openStorefront(await newPerson(server), { name: 'Corner' });
    const [one, two] = [
      { label: 'one', start: '2026-12-10', end: '2026-12-12', budget: 100 },
      { label: 'two', start: '2026-12-14', end: '2026-12-15', budget: 50 },
    ];
    const drafted = await draftCampaign(buyer, {
      advertiserId,
      budget: 150,
      each: 100,
      storefrontIds: [open.storefrontId],
      campaign: { pacingPeriods: { mode: 'budget', periods: [one] } },
    });
    const at = `/buyer/campaigns/${drafted.campaignId}`;
    done(await buyer.post(`${at}/execute`));

    const answer = done(await buyer.put(at, { pacingPeriods: { mode: 'budget', periods: [one, two] } }));

    expect(answer).toMatchObject({ pacingCascadeResult: { totalMediaBuys: 1, successCount: 1 } });
    expect(done(await buyer.get(at)).campaign.mediaBuys).toMatchObject([
      { budget: 150, packages: [{ budget: 100 }, { budget: 50 }] },
    ]);
  });

  test('are given away to the cent, at however many products and sellers', async () => {
    const products = ['one', 'two'].map((name) => productFields({ name }));
    const corner = await openStorefront(await newPerson(server), { name: 'Corner', products });
    const kiosk = await openStorefront(await newPerson(server), { name: 'Kiosk' });
    const [one, two] = [
      { label: 'one', start: '2026-12-10', end: '2026-12-12', budget: 300 },
      { label: 'two', start: '2026-12-14', end: '2026-12-15', budget: 100 },
    ];
    const drafted = await draftCampaign(buyer, {
      advertiserId,
      budget: 400,
      each: 100,
      storefrontIds: [corner.storefrontId, kiosk.storefrontId],
      campaign: { pacingPeriods: { mode: 'budget', periods: [one] } },
    });
    const at = `/buyer/campaigns/${drafted.campaignId}`;
    done(await buyer.post(`${at}/execute`));

    done(await buyer.put(at, { pacingPeriods: { mode: 'budget', periods: [one, two] } }));

    const { campaign } = done(await buyer.get(at));
    expect(campaign).toMatchObject({ allocatedBudget: 400, unallocatedBudget: 0 });
    const added = campaign.mediaBuys.flatMap(({ packages }: { packages: { budget: number }[] }) =>
      packages.map(({ budget }) => budget).filter((budget) => budget !== 100),
    );
    expect(added.sort()).toEqual([33.33, 33.33, 33.34]);
  });
});
