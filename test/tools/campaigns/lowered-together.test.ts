import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keptEvents } from '../../support/callers/event-follower.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater, type KeptBuys, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A campaign of 300 with a buy of 100, whose seller looks at each change before it says anything of it. */
describe('a campaign that is lowered together with its media buy', () => {
  let server: TestServer;
  let far: FarSeller;
  let kept: KeptBuys;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  let packageId: string;
  let decides: (answer: object) => void;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });
  beforeEach(async () => {
    kept = takesChanges(far);
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const draft = { advertiserId, budget: 300, storefrontIds: [far.storefrontId] };
    ({ campaignId } = await draftCampaign(buyer, draft));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const [buy] = (await read()).mediaBuys;
    mediaBuyId = buy.mediaBuyId;
    packageId = buy.packages[0].packageId;
    ({ decides } = decidesLater(far));
  });

  const path = () => `/buyer/campaigns/${campaignId}`;
  const read = async () => done(await buyer.get(path())).campaign;
  const refresh = async () => done(await buyer.get(`${path()}/media-buy-status`));
  const put = (body: object) => buyer.put(path(), body);
  const lowered = (budget: number) => [{ mediaBuyId, packages: [{ packageId, budget }] }];
  const UNASKED = [expect.stringContaining('no seller is asked for less')];
  const NO = { status: 'rejected', error: { code: 'POLICY_VIOLATION', message: 'No.' } };

  /** The seller carries out what it was asked for last. */
  async function confirms(changes: object): Promise<void> {
    for (const [id, buy] of kept) kept.set(id, { ...buy, ...changes });
    decides({ status: 'completed', result: {} });
    await refresh();
  }
  const partsAt = (budget: number) => ({
    packages: [...kept.values()].at(-1)?.packages.map((part) => ({ ...part, budget })) ?? [],
  });

  test('keeps its total while the seller has yet to confirm, and has the lower one from then on', async () => {
    const { campaign } = done(await put({ name: 'Less', budget: { total: 50 }, mediaBuys: lowered(50) }));

    expect(campaign).toMatchObject({
      name: 'Less',
      budget: { total: 300 },
      unallocatedBudget: 200,
      pendingUpdate: { budget: { total: 50 } },
    });

    await confirms(partsAt(50));

    const after = await read();
    expect(after).toMatchObject({ budget: { total: 50 }, allocatedBudget: 50, unallocatedBudget: 0 });
    expect(after).not.toHaveProperty('pendingUpdate');
    const { logs } = done(await buyer.get(`/buyer/audit-logs?resourceId=${campaignId}`));
    expect(logs.map(({ changes }: { changes: object }) => changes)).toContainEqual({
      'budget.total': { from: 300, to: 50 },
      pendingUpdate: { from: { budget: { total: 50 } }, to: null },
    });
  });

  test('keeps its total where the seller refuses, and has the lower one with whatever change makes room for it', async () => {
    done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));

    decides(NO);
    await refresh();

    const refused = await read();
    expect(refused).toMatchObject({ budget: { total: 300 }, allocatedBudget: 100, unallocatedBudget: 200 });
    expect(refused).toMatchObject({ pendingUpdate: { budget: { total: 50 } }, warnings: UNASKED });

    takesChanges(far, kept);
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget: 40 }] }));

    const after = await read();
    expect(after).toMatchObject({ budget: { total: 50 }, allocatedBudget: 40 });
    expect(after).not.toHaveProperty('pendingUpdate');
    expect(after).not.toHaveProperty('warnings');
  });

  test('says what waits where the seller refuses at once', async () => {
    far.agent.on('update_media_buy', () => ({ errors: [{ code: 'POLICY_VIOLATION', message: 'No.' }] }));

    const { success, campaign } = done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));

    expect(success).toBe(false);
    expect(campaign).toMatchObject({
      budget: { total: 300 },
      pendingUpdate: { budget: { total: 50 } },
      warnings: UNASKED,
    });
  });

  test('waits no more where the total that holds is given after the seller has refused', async () => {
    done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));
    decides(NO);
    await refresh();

    const { campaign } = done(await put({ budget: { total: 300 } }));

    expect(campaign).toMatchObject({ budget: { total: 300 } });
    expect(campaign).not.toHaveProperty('pendingUpdate');
  });

  test('is told as campaign.updated when a total waits, is given up, and is taken', async () => {
    done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));
    done(await put({ budget: { total: 300 } }));
    decides(NO);
    await refresh();
    ({ decides } = decidesLater(far));
    done(await put({ budget: { total: 60 }, mediaBuys: lowered(60) }));
    await confirms(partsAt(60));

    const events = (await keptEvents(server.url, buyer.key)).map(({ payload }) => payload);
    const told = events.flatMap(({ event, changes }) => (event === 'campaign.updated' ? [changes] : []));
    expect(told.filter((changes) => 'pendingUpdate.budget' in changes)).toEqual([
      { 'pendingUpdate.budget': { from: null, to: 50 } },
      { 'pendingUpdate.budget': { from: 50, to: null } },
      { 'pendingUpdate.budget': { from: null, to: 60 } },
      { budget: { from: 300, to: 60 }, 'pendingUpdate.budget': { from: 60, to: null } },
    ]);
  });

  test('has the total that was given last, where that was after it was lowered', async () => {
    done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));
    done(await put({ budget: { total: 250 } }));
    expect(await read()).not.toHaveProperty('pendingUpdate');

    await confirms(partsAt(50));

    expect(await read()).toMatchObject({ budget: { total: 250 }, allocatedBudget: 50 });
  });

  test('has its lower total at once where that is enough for what its media buys have', async () => {
    const { campaign } = done(await put({ budget: { total: 100 }, mediaBuys: lowered(50) }));

    expect(campaign).toMatchObject({ budget: { total: 100 }, unallocatedBudget: 0 });
    expect(campaign).not.toHaveProperty('pendingUpdate');
  });

  test('keeps its total while the media buy that is to make room for it may not be called off', async () => {
    const call = { budget: { total: 50 }, mediaBuys: [{ mediaBuyId, action: 'cancel' }] };
    expect(done(await put(call)).campaign).toMatchObject({ budget: { total: 300 } });

    decides(NO);
    await refresh();

    expect(await read()).toMatchObject({ budget: { total: 300 }, unallocatedBudget: 200 });
  });

  test('keeps its flight until the seller has shortened the media buy', async () => {
    const end = '2026-12-20T00:00:00.000Z';
    const flightDates = { endDate: end };
    const { campaign } = done(await put({ flightDates, mediaBuys: [{ mediaBuyId, end_time: end }] }));
    expect(campaign).toMatchObject({
      flightDates: { endDate: '2026-12-31T00:00:00.000Z' },
      pendingUpdate: { flightDates: { endDate: end } },
    });

    await confirms({ end_time: end });

    expect(await read()).toMatchObject({ flightDates: { endDate: end }, mediaBuys: [{ endTime: end }] });
  });

  test('has its lower total once the media buy is over, where that is called off before it is lowered', async () => {
    done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));

    const { campaign } = done(await put({ mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));

    expect(campaign).toMatchObject({ budget: { total: 300 }, pendingUpdate: { budget: { total: 50 } } });
    await confirms({ status: 'canceled' });
    expect(await read()).toMatchObject({ budget: { total: 50 }, allocatedBudget: 0 });
  });

  test('keeps all that waits for its media buy to be called off, by whichever call', async () => {
    done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));
    const end = '2026-12-20T00:00:00.000Z';

    const mediaBuys = [{ mediaBuyId, action: 'cancel' }];
    const { campaign } = done(await put({ flightDates: { endDate: end }, mediaBuys }));

    expect(campaign.pendingUpdate).toEqual({ budget: { total: 50 }, flightDates: { endDate: end } });
    await confirms({ status: 'canceled' });
    expect(await read()).toMatchObject({ budget: { total: 50 }, flightDates: { endDate: end } });
  });

  test('has the total that was given last, where its media buy is called off after that', async () => {
    done(await put({ budget: { total: 50 }, mediaBuys: lowered(50) }));
    done(await put({ budget: { total: 250 } }));

    done(await put({ mediaBuys: [{ mediaBuyId, action: 'cancel' }] }));
    await confirms({ status: 'canceled' });

    expect(await read()).toMatchObject({ budget: { total: 250 } });
  });

  test('409 CONFLICT for a flight that ends before a media buy does of which only packages are called off', async () => {
    const mediaBuys = [{ mediaBuyId, action: 'cancel', packageIds: [packageId] }];

    const reply = await put({ flightDates: { endDate: '2026-12-20T00:00:00Z' }, mediaBuys });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'flightDates.endDate': 'Winter – Agent runs until 2026-12-31T00:00:00.000Z.' },
    });
  });

  test('409 CONFLICT for a flight that starts after a media buy does', async () => {
    const reply = await put({ flightDates: { startDate: '2026-12-20T00:00:00Z' } });

    expectRefusal(reply, 409, {
      code: 'CONFLICT',
      at: { 'flightDates.startDate': 'Winter – Agent runs from 2026-12-10T00:00:00.000Z.' },
    });
    expect(await read()).toMatchObject({ flightDates: { startDate: '2026-12-10T00:00:00.000Z' } });
  });
});
