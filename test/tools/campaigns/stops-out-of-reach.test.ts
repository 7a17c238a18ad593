import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('a campaign that is stopped while its seller cannot hear of it', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [far.storefrontId] }));
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  const path = () => `/buyer/campaigns/${campaignId}`;
  const act = async (what: string) => done(await buyer.post(`${path()}/${what}`, {}));
  const refreshed = async () => void done(await buyer.get(`${path()}/media-buy-status`));
  const statuses = async () => {
    const { status, mediaBuys } = done(await buyer.get(path())).campaign;
    return [status, ...mediaBuys.map((buy: { status: string }) => buy.status)];
  };
  const explained = async () => {
    const { mediaBuys } = done(await buyer.get(path())).campaign;
    return done(await buyer.get(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}`)).mediaBuy.explanation;
  };
  const committed = async () =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;

  test.each([
    { what: 'pause', status: 'PAUSED', why: 'ends its connections', fails: () => far.unreachable() },
    { what: 'cancel', status: 'CANCELED', why: 'ends its connections', fails: () => far.unreachable() },
    {
      what: 'cancel',
      status: 'CANCELED',
      why: 'cannot just then',
      fails: () => far.refuses('SERVICE_UNAVAILABLE'),
    },
  ])(
    'is asked to $what once more by itself, under the same key, where the seller $why',
    async ({ what, status, fails }) => {
      await act('execute');
      fails();
      const { mediaBuyResults } = await act(what);
      expect(mediaBuyResults).toMatchObject([{ success: false, pending: true, newStatus: 'ACTIVE' }]);
      expect(await explained()).toMatch(/sent again by itself/);

      far.willing();
      await refreshed();

      expect(await statuses()).toEqual([status, status]);
      const keys = far.told.map((one) => ('idempotency_key' in one ? one.idempotency_key : undefined));
      expect(new Set(keys).size).toBe(1);
    },
  );

  test('pauses what its seller has yet to take as soon as it runs', async () => {
    far.takes('pending_approval');
    await act('execute');
    const { mediaBuyResults } = await act('pause');
    expect(mediaBuyResults).toMatchObject([{ success: true, pending: true, newStatus: 'PENDING_APPROVAL' }]);
    expect(await explained()).toMatch(/goes out as soon as the buy runs/);
    await refreshed();
    expect(far.told).toEqual([]);

    far.shows('active');
    await refreshed();

    expect(far.told).toMatchObject([{ paused: true }]);
    expect(await statuses()).toEqual(['PAUSED', 'PAUSED']);
  });

  test('takes such a pause back where it is reactivated before, and tells nobody', async () => {
    far.takes('pending_approval');
    await act('execute');
    await act('pause');

    await act('reactivate');
    far.shows('active');
    await refreshed();

    expect(far.told).toEqual([]);
    expect(await statuses()).toEqual(['ACTIVE', 'ACTIVE']);
  });

  test('says of an order of which nobody knows what to do, and calls off what comes of it', async () => {
    const { agent } = far;
    let isLost = true;
    const making = agent.calls.length;
    far.answersOrders((answer, request) => {
      if (!isLost) return answer;
      request.socket.destroy();
      return new Promise(() => {});
    });
    await act('execute');
    const { newStatus, mediaBuyResults } = await act('cancel');
    expect(newStatus).toBe('CANCELED');
    expect(mediaBuyResults).toMatchObject([
      { success: false, pending: true, error: expect.stringMatching(/Call campaign_execute again/) },
    ]);
    expect([await statuses(), await committed()]).toEqual([['CANCELED', 'FAILED'], 100]);
    expect(await explained()).toMatch(/call campaign_execute again.*cancellation.*named the buy/);

    isLost = false;
    await act('execute');

    expect([await statuses(), await committed()]).toEqual([['CANCELED', 'CANCELED'], 0]);
    const orders = agent.calls.slice(making).filter(({ tool }) => tool === 'create_media_buy');
    expect(new Set(orders.map(({ args }) => args['idempotency_key'])).size).toBe(1);
    expectRefusal(await buyer.post(`${path()}/execute`, {}), 409, {
      code: 'CONFLICT',
      words: 'A campaign that is CANCELED cannot be executed.',
    });
  });

  test('says the same of such an order at every further stop, and wherever its campaign is read', async () => {
    far.agent.on('create_media_buy', (_args, request) => {
      request.socket.destroy();
      return new Promise(() => {});
    });
    await act('execute');
    await act('cancel');
    const what =
      'Nobody knows whether its seller took the order. Call campaign_execute again, which asks for the same order once more under its key: what comes of it is called off at once. If its seller never answers, the operator of this installation can settle it.';
    const { mediaBuyId } = done(await buyer.get(path())).campaign.mediaBuys[0];

    const again = await act('cancel');
    const deleted = done(await buyer.delete(path()));
    const once = await act('cancel');

    expect(deleted).toMatchObject({ success: false });
    for (const { mediaBuyResults } of [again, deleted, once]) {
      expect(mediaBuyResults).toMatchObject([{ mediaBuyId, success: false, pending: true, error: what }]);
    }
    const { warnings } = done(await buyer.get(path())).campaign;
    expect(warnings).toEqual([
      'The campaign is CANCELED, and of its media buys 1 may live (Winter – Agent): nobody knows whether their sellers took the orders. campaign_execute asks for the same orders once more, and what comes of them is called off at once. It is archived by itself once none does.',
    ]);
  });

  test('is archived once such an order turns out never to have been taken', async () => {
    let answer: 'lost' | 'refused' = 'lost';
    far.agent.on('create_media_buy', (_args, request) => {
      if (answer === 'refused') return { errors: [{ code: 'BUDGET_TOO_LOW', message: 'More.' }] };
      request.socket.destroy();
      return new Promise(() => {});
    });
    await act('execute');
    const taken = await buyer.delete(path());
    expect([taken.status, taken.body.data.success]).toEqual([202, false]);

    answer = 'refused';
    await act('execute');

    expect([await statuses(), await committed()]).toEqual([['ARCHIVED', 'ARCHIVED'], 0]);
  });
});
