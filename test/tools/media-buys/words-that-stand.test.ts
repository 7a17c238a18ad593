import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('why a media buy waits, in the words of its seller,', () => {
  const WORDS = 'Our lawyers read it until Friday.';
  let server: TestServer;
  let seller: FarSeller;
  let buyer: Person;
  let campaignId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    seller = await farSeller(server, 'Far');
    seller.agent.on('create_media_buy', () => ({
      ...{ media_buy_id: 'far_1', status: 'pending_approval', packages: [] },
      message: WORDS,
    }));
    buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer);
    const chosen = { advertiserId, storefrontIds: [seller.storefrontId] };
    campaignId = (await draftCampaign(buyer, chosen)).campaignId;
    await buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  });
  afterAll(async () => {
    await server.stop();
    await seller.agent.stop();
  });

  const newsOf = async (status: string) => {
    seller.agent.on('get_media_buys', () => ({
      media_buys: [{ media_buy_id: 'far_1', status, packages: [] }],
    }));
    return done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`)).media_buys[0];
  };

  test('stands while a list shows it waiting for the same', async () => {
    const first = await newsOf('pending_approval');
    const second = await newsOf('pending_approval');

    for (const news of [first, second]) {
      expect(news).toMatchObject({ internal_status: 'PENDING_APPROVAL', source_message: WORDS });
    }
  });

  test('is gone once it waits no more', async () => {
    expect(await newsOf('active')).not.toHaveProperty('source_message');
    expect(await newsOf('pending_approval')).not.toHaveProperty('source_message');
  });
});
