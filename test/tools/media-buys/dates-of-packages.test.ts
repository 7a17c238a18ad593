import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const WITHIN = 'give it another one within the media buy, in packages of the same call.';

describe('a package of a media buy', () => {
  let server: TestServer;
  let ada: KeepingSeller;
  let buyer: Person;
  let mediaBuyId: string;
  let packageId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    ada = await keepingSeller(server, 'Ada');
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [ada.storefrontId] });
    mediaBuyId = await executed(buyer, campaignId);
    [{ packageId }] = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`)).packages;
    return () => ada.agent.stop();
  });
  afterAll(() => server.stop());

  const give = (fields: object) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, fields);

  test('tells in the compact form of its dates, and where it stands, what differs from its media buy', async () => {
    const compact = async () =>
      done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=compact`)).mediaBuy.packages;
    const [part] = await compact();
    expect(part).toEqual({ packageId, productId: 'ada-1', productName: 'Product ada-1', budget: 100 });
    const endTime = '2026-12-25T00:00:00.000Z';
    done(await give({ packages: [{ packageId, endTime }] }));
    expect(await compact()).toEqual([{ ...part, endTime }]);

    done(await buyer.post(`/buyer/media-buys/${mediaBuyId}/pause`, {}));

    expect(await compact()).toEqual([{ ...part, endTime, status: 'paused' }]);
  });

  test('stays within its media buy, whichever of the two is given other dates', async () => {
    const [from, until] = ['2026-12-12T00:00:00.000Z', '2026-12-25T00:00:00.000Z'];
    done(await give({ packages: [{ packageId, startTime: from, endTime: until }] }));
    const ends = `Package ${packageId} ends at ${until}: ${WITHIN}`;

    const ended = await give({ end_time: '2026-12-20T00:00:00Z' });
    const begun = await give({ start_time: '2026-12-14T00:00:00Z' });
    const behind = await give({ start_time: '2026-12-26T00:00:00Z' });

    expectRefusal(ended, 422, { code: 'VALIDATION_ERROR', at: { end_time: ends } });
    expectRefusal(begun, 422, {
      code: 'VALIDATION_ERROR',
      at: { start_time: `Package ${packageId} starts at ${from}: ${WITHIN}` },
    });
    expect(behind.status).toBe(422);
    const packages = [{ packageId, endTime: '2026-12-20T00:00:00Z' }];
    done(await give({ end_time: '2026-12-20T00:00:00Z', packages }));
  });
});

describe('the start of a media buy', () => {
  let server: TestServer;
  let ada: KeepingSeller;
  let buyer: Person;
  let path: string;
  let campaign: string;
  let mediaBuyId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await keepingSeller(server, 'Ada');
    buyer = await newPerson(server);
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      storefrontIds: [ada.storefrontId],
    });
    mediaBuyId = await executed(buyer, campaignId);
    path = `/buyer/media-buys/${mediaBuyId}`;
    campaign = `/buyer/campaigns/${campaignId}`;
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  const sent = () => ada.agent.calls.findLast(({ tool }) => tool === 'update_media_buy')?.args;

  test('may be a day, which begins at midnight UTC', async () => {
    done(await buyer.patch(path, { start_time: '2026-12-12' }));

    expect(sent()).toMatchObject({ start_time: '2026-12-12T00:00:00.000Z' });
  });

  test('may be asap, in whatever case, where the campaign has begun', async () => {
    const reply = await buyer.patch(path, { start_time: 'ASAP' });

    const words = 'The campaign starts at 2026-12-10T00:00:00.000Z.';
    expectRefusal(reply, 422, { code: 'VALIDATION_ERROR', at: { start_time: words } });
  });

  test.each(['next week', '', '2026-12-12T00:00', 5])(
    'is refused as %j in the words that every moment has',
    async (start_time) => {
      const words = 'Give a date and time with an offset, such as 2026-12-01T00:00:00Z, or a day.';

      const alone = await buyer.patch(path, { start_time });
      const among = await buyer.put(campaign, { mediaBuys: [{ mediaBuyId, start_time }] });

      expectRefusal(alone, 400, { code: 'VALIDATION_ERROR', at: { start_time: words } });
      expectRefusal(among, 400, { code: 'VALIDATION_ERROR', at: { 'mediaBuys.0.start_time': words } });
    },
  );
});
