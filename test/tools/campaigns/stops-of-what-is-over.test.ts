import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KeepingSeller, keepingSeller } from '../../support/keeping-seller.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** A seller whose media buy has ended, which nobody here knows yet, and which refuses to change it. */
describe('a media buy that is over at a seller which refuses to stop it', () => {
  let server: TestServer;
  let ada: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    ada = await keepingSeller(server, 'Ada');
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [ada.storefrontId] }));
    mediaBuyId = await executed(buyer, campaignId);
    ada.shows('completed');
    ada.refuses('INVALID_STATE');
    return () => ada.agent.stop();
  });
  afterAll(() => server.stop());

  const committed = async () =>
    done(await buyer.get('/buyer/accounts/current')).credit.find(
      ({ currency }: { currency: string }) => currency === 'USD',
    ).committed;
  const mediaBuy = async () => done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
  const campaign = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;

  test.each([
    { what: 'pause', status: 'COMPLETED' },
    { what: 'cancel', status: 'CANCELED' },
  ])('is over here too once its campaign was asked to $what, and binds no more', async ({ what, status }) => {
    expect(await committed()).toBe(100);

    const said = done(await buyer.post(`/buyer/campaigns/${campaignId}/${what}`, {}));

    expect(said.mediaBuyResults).toMatchObject([{ mediaBuyId, newStatus: 'COMPLETED' }]);
    expect([said.newStatus, (await campaign()).status]).toEqual([status, status]);
    expect(await committed()).toBe(0);
    const { explanation } = await mediaBuy();
    expect(explanation).toMatch(/^It is over/);
    expect(explanation).not.toMatch(/ask again|waits/);
    expect((await campaign()).warnings).toBeUndefined();
  });

  test.each(['pause', 'cancel'])('is told as it stands to who asks to %s it alone', async (what) => {
    const end = { mediaBuyId, action: 'cancel' };
    const said =
      what === 'pause'
        ? done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}))
        : done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [end] }));

    expect(JSON.stringify(said)).toContain('COMPLETED');
    expect((await mediaBuy()).status).toBe('COMPLETED');
    expect(await committed()).toBe(0);
  });

  test('is called off by who asks for it where the seller has done it already', async () => {
    ada.shows('canceled');

    const said = done(await buyer.post(`/buyer/campaigns/${campaignId}/cancel`, {}));

    expect(said).toMatchObject({ newStatus: 'CANCELED', successCount: 1, failureCount: 0 });
    expect((await mediaBuy()).status).toBe('CANCELED');
  });
});
