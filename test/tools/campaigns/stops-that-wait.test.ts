import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('a campaign whose sellers have yet to confirm what was asked before', () => {
  let server: TestServer;
  let ada: KeepingSeller;
  let bea: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    ada = await keepingSeller(server, 'Ada');
    bea = await keepingSeller(server, 'Bea');
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const storefrontIds = [ada.storefrontId, bea.storefrontId];
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds }));
    done(await act('execute'));
    return () => Promise.all([ada.agent.stop(), bea.agent.stop()]);
  });
  afterAll(() => server.stop());

  const act = (what: string) => buyer.post(`/buyer/campaigns/${campaignId}/${what}`, {});
  const campaign = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const idAt = async ({ agentId }: KeepingSeller) => {
    const { mediaBuys } = await campaign();
    return mediaBuys.find((buy: { salesAgentId: string }) => buy.salesAgentId === agentId).mediaBuyId;
  };
  const of = (results: { mediaBuyId: string }[], id: string) =>
    results.find(({ mediaBuyId }) => mediaBuyId === id);

  test('is paused where it is to go on again: the pause takes the place of the reactivation that waits', async () => {
    done(await act('pause'));
    ada.undecided();
    done(await act('reactivate'));
    const before = ada.told.length;

    const { mediaBuyResults } = done(await act('pause'));

    expect(mediaBuyResults).toHaveLength(2);
    expect(ada.told.slice(before)).toMatchObject([{ paused: true }]);
  });

  test('goes on where it is to be held: the reactivation takes the place of the pause that waits', async () => {
    ada.undecided();
    done(await act('pause'));
    const before = ada.told.length;

    const { mediaBuyResults } = done(await act('reactivate'));

    expect(mediaBuyResults).toHaveLength(2);
    expect(ada.told.slice(before)).toMatchObject([{ paused: false }]);
  });

  test.each([
    { first: 'cancel', next: 'pause', status: 'PAUSED' },
    { first: 'delete', next: 'pause', status: 'PAUSED' },
    { first: 'delete', next: 'cancel', status: 'CANCELED' },
  ])(
    'stops as a whole with $next where one $first waits, which it tells',
    async ({ first, next, status }) => {
      ada.undecided();
      const mediaBuyId = await idAt(ada);
      done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [{ mediaBuyId, action: first }] }));

      const answer = done(await act(next));

      expect(answer.newStatus).toBe(status);
      expect(of(answer.mediaBuyResults, await idAt(bea))).toMatchObject({ newStatus: status, success: true });
      expect(of(answer.mediaBuyResults, mediaBuyId)).toMatchObject({
        newStatus: 'ACTIVE',
        success: true,
        pending: true,
        error: expect.stringMatching(/called off before/),
      });
    },
  );

  test('is called off as a whole where a package of one media buy is to be called off', async () => {
    ada.undecided();
    const mediaBuyId = await idAt(ada);
    const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
    const packageIds = [packages[0].packageId];
    done(
      await buyer.put(`/buyer/campaigns/${campaignId}`, {
        mediaBuys: [{ mediaBuyId, action: 'cancel', packageIds }],
      }),
    );

    const answer = done(await act('cancel'));

    expect(answer.newStatus).toBe('CANCELED');
    expect(of(answer.mediaBuyResults, await idAt(bea))).toMatchObject({
      newStatus: 'CANCELED',
      success: true,
    });
    expect(ada.told.at(-1)).toMatchObject({ canceled: true });
  });
});
