import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { faultsOf } from '../../support/buying/ledger.ts';
import { type Bought, boughtIn } from '../../support/buying/money-world.ts';
import { type SellerOfTwo, sellerOfTwo } from '../../support/buying/two-packages.ts';
import { auditOf } from '../../support/callers/answers.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import type { FarSeller } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Two packages of 50 each. */
describe('a media buy of which a package is called off while something else was asked for', () => {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let buy: Bought;
  let seller: SellerOfTwo;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    buyer = await newPerson(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    seller = await sellerOfTwo(server, 50);
    ({ far } = seller);
    far.agent.on('update_media_buy', () => ({ media_buy_id: 'Far_1', status: 'active' }));
    buy = await boughtIn(
      { server, clock, far, buyer, advertiserId: await newAdvertiser(buyer) },
      { each: 50 },
    );
    return () => far.agent.stop();
  });

  const path = () => `/buyer/media-buys/${buy.mediaBuyId}`;
  const read = async () => done(await buyer.get(`${path()}?detail=full`)).mediaBuy;
  const states = async () => (await read()).changes.map(({ state }: { state: string }) => state);
  const refresh = async () => done(await buyer.get(`/buyer/campaigns/${buy.campaignId}/media-buy-status`));
  const committed = async () => {
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    return credit.find(({ currency }: { currency: string }) => currency === 'USD').committed;
  };
  const raise = (packageId: string) => buyer.patch(path(), { packages: [{ packageId, budget: 100 }] });
  const callOff = (packageId: string) =>
    buyer.put(`/buyer/campaigns/${buy.campaignId}`, {
      mediaBuys: [{ mediaBuyId: buy.mediaBuyId, action: 'cancel', packageIds: [packageId] }],
    });
  const takesEnd = () => {
    calledOff();
    return seller.shown();
  };
  const breaksOff = () => {
    throw new Error('out of order');
  };
  const raised = () => {
    seller.packages = seller.packages.map((part) =>
      part.package_id === 'pkg_1' ? { ...part, budget: 100 } : part,
    );
  };
  const calledOff = () => {
    seller.packages = seller.packages.map((part) =>
      part.package_id === 'pkg_2' ? { ...part, canceled: true } : part,
    );
  };

  test.each([
    ['first', [raised, calledOff]],
    ['last', [calledOff, raised]],
  ])('counts for the raise alone, where its seller shows that %s', async (_, [one, other]) => {
    await raise('pkg_1');
    await callOff('pkg_2');
    expect(await states()).toEqual(['waiting', 'waiting']);
    one?.();
    await refresh();
    expect([...(await states())].sort()).toEqual(['confirmed', 'waiting']);
    other?.();
    await refresh();

    expect(await states()).toEqual(['confirmed', 'confirmed']);
    expect(await read()).toMatchObject({ budget: 100, packages: [{ budget: 100 }, { status: 'canceled' }] });
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is asked no more for what nobody knows of a package that was called off since', async () => {
    far.agent.on('update_media_buy', breaksOff);
    await raise('pkg_2');
    await raise('pkg_1');
    expect(await states()).toEqual(['unknown', 'superseded']);
    far.agent.on('update_media_buy', takesEnd);
    done(await callOff('pkg_2'));
    expect(await states()).toEqual(['confirmed', 'unknown', 'superseded']);
    raised();

    done(await buyer.patch(path(), { packages: [{ packageId: 'pkg_1', pacing: 'asap' }] }));

    const last = far.agent.calls.filter(({ tool }) => tool === 'update_media_buy').at(-1)?.args;
    expect(last).toMatchObject({ packages: [{ package_id: 'pkg_1', budget: 100, pacing: 'asap' }] });
    expect(last?.['packages']).toHaveLength(1);
    expect(await read()).toMatchObject({ budget: 100, packages: [{ budget: 100 }, { status: 'canceled' }] });
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('binds no more what nobody knows of that package alone', async () => {
    far.agent.on('update_media_buy', breaksOff);
    const before = await committed();
    await raise('pkg_2');
    expect((await committed()) - before).toBe(50);
    far.agent.on('update_media_buy', takesEnd);

    done(await callOff('pkg_2'));

    await refresh();
    expect(await states()).toEqual(['confirmed', 'superseded']);
    expect((await committed()) - before).toBe(-50);
  });

  test('shows a raise of others that nobody answered, whatever it shows of a package called off since', async () => {
    far.agent.on('update_media_buy', breaksOff);
    await buyer.patch(path(), {
      packages: [
        { packageId: 'pkg_1', budget: 100 },
        { packageId: 'pkg_2', budget: 70 },
      ],
    });
    far.agent.on('update_media_buy', takesEnd);
    done(await callOff('pkg_2'));
    expect(await states()).toEqual(['confirmed', 'unknown']);
    raised();

    await refresh();

    expect(await states()).toEqual(['confirmed', 'confirmed']);
    expect((await read()).budget).toBe(100);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is to end whole, and reads so, where nobody knows of the package called off before', async () => {
    far.agent.on('update_media_buy', breaksOff);
    await callOff('pkg_2');
    far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));

    done(await buyer.post(`/buyer/campaigns/${buy.campaignId}/cancel`, {}));

    const told = far.agent.calls.findLast(({ tool }) => tool === 'update_media_buy')?.args;
    expect(told).toMatchObject({ canceled: true });
    expect(told).not.toHaveProperty('packages');
    expect(await states()).toEqual(['waiting', 'superseded']);
    expect((await read()).explanation).toMatch(
      /^It runs\. The cancellation asked for at \S+ waits for Agent/,
    );
    expect((await read()).pendingChange).toMatchObject({ status: 'CANCELED' });
  });

  test('names the package wherever the change is told, for the media buy goes on', async () => {
    far.agent.on('update_media_buy', () => ({ status: 'submitted', task_id: 'task_1' }));
    far.agent.on('get_task_status', () => ({ task_id: 'task_1', status: 'working' }));

    done(await callOff('pkg_2'));

    const asked = { action: 'cancel', package_ids: ['pkg_2'] };
    expect(await read()).toMatchObject({
      status: 'ACTIVE',
      changes: [asked],
      explanation: expect.stringMatching(
        /^It runs\. The cancellation of package pkg_2 asked for at \S+ waits for Agent/,
      ),
    });
    expect((await refresh()).media_buys).toMatchObject([{ change: asked }]);
    expect((await callOff('pkg_2')).text).toContain('the same was asked for');
    const log = await auditOf(server, buyer, 'campaign_update');
    const changes = log.map(({ changes }) => JSON.parse(changes ?? '{}'));
    expect(changes).toContainEqual({
      [`mediaBuys.${buy.mediaBuyId}.packages.pkg_2.cancel`]: { from: null, to: 'asked' },
    });
    expect(changes).toContainEqual(expect.objectContaining({ asked: { from: null, to: 'cancel of pkg_2' } }));
    done(await buyer.post(`/buyer/campaigns/${buy.campaignId}/cancel`, {}));
    const [whole] = (await read()).changes;
    expect(whole).not.toHaveProperty('package_ids');
  });

  test('can have it called off once more, with others, while nobody knows of the first time', async () => {
    far.agent.on('update_media_buy', breaksOff);
    await callOff('pkg_2');
    expect(await states()).toEqual(['unknown']);
    far.agent.on('update_media_buy', takesEnd);

    done(await callOff('pkg_2'));

    expect(await states()).toEqual(['confirmed', 'superseded']);
    expect((await read()).budget).toBe(50);
  });
});
