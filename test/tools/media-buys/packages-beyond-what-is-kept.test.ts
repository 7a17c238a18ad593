import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** So many are kept of one that was ordered. */
const KEPT = 62;

describe('that a seller lists more packages than are kept', () => {
  let server: TestServer;
  let seller: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  let orders = 0;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    seller = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await seller.agent.stop();
  });

  const listed = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ package_id: `pkg_${at}`, product_id: 'far_product' }));

  /** What is said of a buy wherever it is shown, after each list of its seller in turn. */
  async function saidOf(order: object, lists: readonly object[]): Promise<unknown[]> {
    orders += 1;
    const id = `far_${orders}`;
    seller.agent.on('create_media_buy', () => ({ media_buy_id: id, ...order }));
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [seller.storefrontId] });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const said: unknown[] = [];
    for (const list of lists) {
      seller.agent.on('get_media_buys', () => ({ media_buys: [{ media_buy_id: id, ...list }] }));
      const asked = done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
      const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
      const { mediaBuy } = done(await buyer.get(`/buyer/media-buys/${asked.media_buys[0].media_buy_id}`));
      const places = [asked, campaign, mediaBuy].map((place) => wordsIn(place));
      expect(new Set(places).size, JSON.stringify(places)).toBe(1);
      said.push(places[0]);
    }
    return said;
  }

  const wordsIn = (place: unknown) => /tells of (\d+) packages? more/.exec(JSON.stringify(place))?.[1];

  const WAITING = { status: 'pending_approval' };
  test('is said of a buy that waits by the last list, and no more once that is short', async () => {
    const said = await saidOf({ ...WAITING, packages: [] }, [
      { ...WAITING, packages: listed(KEPT + 3) },
      { ...WAITING, packages: listed(KEPT + 7) },
      { ...WAITING, packages: listed(1) },
      { ...WAITING, packages: listed(KEPT + 2) },
      { ...WAITING, packages: listed(KEPT) },
    ]);

    expect(said).toEqual(['3', '7', undefined, '2', undefined]);
  });

  test.each([
    ['says a status that nobody knows', { status: 'thinking' }],
    ['says no status', {}],
    ['runs', { status: 'active' }],
  ])('is said by the last list of a buy whose seller %s', async (_what, status) => {
    const said = await saidOf({ status: 'active', packages: [] }, [
      { ...status, packages: listed(KEPT + 3) },
      { ...status, packages: listed(KEPT + 7) },
      { ...status, packages: listed(1) },
    ]);

    expect(said).toEqual(['3', '7', undefined]);
  });

  test.each([
    ['that it waits still', WAITING],
    ['no status', {}],
  ])(
    'takes nothing of why the seller of a buy that waits says so, where its list says %s',
    async (_what, status) => {
      const words = 'Our lawyers read it until Friday.';

      const said = await saidOf({ ...WAITING, message: words, packages: [] }, [
        { ...status, packages: listed(KEPT + 3) },
        { ...status, packages: listed(1) },
      ]);

      const { campaigns } = done(await buyer.get('/buyer/campaigns?take=1'));
      const { media_buys } = done(
        await buyer.get(`/buyer/campaigns/${campaigns[0].campaignId}/media-buy-status`),
      );
      expect(said).toEqual([undefined, undefined]);
      expect(media_buys[0].source_message).toBe(words);
    },
  );
});
