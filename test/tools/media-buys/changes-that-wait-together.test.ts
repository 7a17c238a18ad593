import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type KeepingSeller, keepingSeller } from '../../support/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/market.ts';
import { newPerson, type Person } from '../../support/people.ts';
import { startTestServer, type TestServer } from '../../support/server.ts';

/** A media buy of 100 USD, of which its seller has yet to decide on more than one change. */
describe('a media buy that waits for its seller with two changes', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  let mediaBuyId: string;
  let packageId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server);
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  const orders = async () => {
    const draft = { advertiserId: await newAdvertiser(buyer), storefrontIds: [far.storefrontId] };
    ({ campaignId } = await draftCampaign(buyer, draft));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`, {}));
    const buy = await inCampaign();
    ({ mediaBuyId } = buy);
    packageId = buy.packages[0]?.packageId;
  };
  const raises = async (budget = 200) =>
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget }] }));
  const asks = async (what: string) => done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/${what}`, {}));
  const inCampaign = async () =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys[0];
  const byItself = async () => done(await buyer.get(`/buyer/media-buys/${mediaBuyId}`)).mediaBuy;
  const status = async () =>
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];

  test.each([
    { what: 'pause', word: 'pause', isHeld: false, leads: 'PAUSED' },
    { what: 'reactivate', word: 'reactivation', isHeld: true, leads: 'ACTIVE' },
  ])(
    'shows a raise and a $word alike wherever it is read, and tells both',
    async ({ what, word, isHeld, leads }) => {
      await orders();
      if (isHeld) await asks('pause');
      far.undecided();
      await raises();
      await asks(what);

      const { pendingChange, explanation } = await byItself();

      expect(pendingChange).toEqual({
        status: leads,
        pendingAt: 'salesagent',
        differences: { budget: { live: 100, proposed: 200 } },
      });
      expect((await inCampaign()).pendingChange).toEqual(pendingChange);
      expect(explanation).toMatch(new RegExp(`The ${word} asked for at \\S+ waits for`));
      expect(explanation).toMatch(/The change asked for at \S+ waits for/);
    },
  );

  test('names the raise that waits where what was asked after it has come true', async () => {
    await orders();
    far.undecided();
    await raises();
    far.willing();
    await asks('pause');

    expect((await status()).change).toMatchObject({ action: 'update', state: 'waiting' });
  });

  test('tells a change that goes out after a pause which goes out once it runs', async () => {
    far.takes('pending_manual');
    await orders();
    far.undecided();
    await raises();
    await asks('pause');

    const { explanation } = await byItself();

    expect(explanation).toMatch(/The pause asked for at \S+ goes out as soon as the buy runs\./);
    expect(explanation).toMatch(/The change asked for at \S+ waits for/);
  });

  test('is to be what is left of both where one raises a package that another one calls off', async () => {
    await orders();
    far.undecided();
    await raises();
    const called = { mediaBuyId, action: 'cancel', packageIds: [packageId] };
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [called] }));

    const { pendingChange } = await byItself();

    expect(pendingChange).toMatchObject({
      status: 'PENDING_APPROVAL',
      differences: { budget: { live: 100, proposed: 0 } },
    });
    expect((await inCampaign()).pendingChange).toEqual(pendingChange);
  });
});
