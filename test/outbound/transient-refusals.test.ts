import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../support/callers/people.ts';
import { impatientClock } from '../support/run/clock.ts';
import { connectAgent, done, draftCampaign, newAdvertiser } from '../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const busy = { errors: [{ code: 'SERVICE_UNAVAILABLE', message: 'Busy.', recovery: 'transient' }] };

describe('a seller that cannot take an order just now', () => {
  let server: TestServer;
  let far: SellerAgent;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({
      settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' },
      clock: impatientClock(),
    });
    far = await startSellerAgent();
    await connectAgent(await newPerson(server), far.url);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.stop();
  });

  const ordersSince = (start: number) =>
    far.calls.slice(start).filter(({ tool }) => tool === 'create_media_buy');

  test('gets the same order again, under the same key, until it takes it', async () => {
    const before = far.calls.length;
    const answers: object[] = [busy, busy, { media_buy_id: 'far_1', status: 'active', packages: [] }];
    far.on('create_media_buy', () => answers.shift());
    const { campaignId } = await draftCampaign(buyer, { advertiserId });

    const { body } = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

    expect(body.data).toMatchObject({ success: true, mediaBuysExecuted: 1 });
    const keys = ordersSince(before).map(({ args }) => args['idempotency_key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
  });

  test('is given up after the third time, and the buy says that the seller is the one to wait for', async () => {
    const before = far.calls.length;
    far.on('create_media_buy', () => busy);
    const { campaignId } = await draftCampaign(buyer, { advertiserId });

    const { body } = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

    expect(body.data).toMatchObject({ success: false, mediaBuysExecuted: 0 });
    expect(ordersSince(before)).toHaveLength(3);
    const status = await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`);
    expect(status.body.data.media_buys).toMatchObject([
      {
        error_code: 'source_unavailable',
        error_owner: 'seller',
        source_message: 'SERVICE_UNAVAILABLE: Busy.',
      },
    ]);
  });

  test('gets an order once that it refuses for good', async () => {
    const before = far.calls.length;
    const never = { code: 'TERMS_REJECTED', message: 'Never.', recovery: 'terminal' };
    far.on('create_media_buy', () => ({ errors: [never] }));
    const { campaignId } = await draftCampaign(buyer, { advertiserId });

    await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

    expect(ordersSince(before)).toHaveLength(1);
  });

  test('is asked what became of a change that it put off beside the media buy, whatever it says after that', async () => {
    let budget = 0;
    const bought = () => ({
      media_buy_id: 'far_2',
      status: 'active',
      packages: [{ package_id: 'pkg_1', product_id: 'far-1', budget }],
    });
    far.on('create_media_buy', ({ packages }) => {
      [{ budget }] = packages as [{ budget: number }];
      return bought();
    });
    far.on('get_media_buys', () => ({ media_buys: [bought()] }));
    const { campaignId } = await draftCampaign(buyer, { advertiserId });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
    const lower = budget - 1;
    let said: object = { ...bought(), ...busy };
    far.on('update_media_buy', () => {
      budget = lower;
      const answer = said;
      said = busy;
      return answer;
    });

    const packages = [{ packageId: 'pkg_1', budget: lower }];
    expect(done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages })).success).toBe(true);

    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys).toMatchObject([
      { budget: lower },
    ]);
    expect(far.calls.filter(({ tool }) => tool === 'update_media_buy')).toHaveLength(3);
  });
});
