import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('what deletes in the midst of a change', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  const writer = () => buyer.withKey(['buyer:read', 'buyer:write']);

  test('needs buyer:admin to archive an advertiser, as its deletion does', async () => {
    const path = `/buyer/advertisers/${advertiserId}`;

    const refused = await (await writer()).put(path, { status: 'ARCHIVED' });

    expectRefusal(refused, 403, { code: 'FORBIDDEN', words: 'This call needs the permission buyer:admin.' });
    expect(done(await buyer.get(path)).status).toBe('ACTIVE');
    expect(done(await buyer.put(path, { status: 'ARCHIVED' })).status).toBe('ARCHIVED');
    expect(done(await (await writer()).put(path, { status: 'ACTIVE' })).status).toBe('ACTIVE');
  });

  test('needs buyer:admin to put a media buy away, and not to call it off', async () => {
    const storefrontIds = [far.storefrontId];
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds });
    const path = `/buyer/campaigns/${campaignId}`;
    done(await buyer.post(`${path}/execute`, {}));
    const [{ mediaBuyId }] = done(await buyer.get(path)).campaign.mediaBuys;
    const ask = (action: string) => ({ mediaBuys: [{ mediaBuyId, action }] });

    expectRefusal(await (await writer()).put(path, ask('delete')), 403, {
      code: 'FORBIDDEN',
      words: 'This call needs the permission buyer:admin.',
    });

    expect(far.told).toEqual([]);
    const { mediaBuyResults } = done(await (await writer()).put(path, ask('cancel')));
    expect(mediaBuyResults).toMatchObject([{ newStatus: 'CANCELED' }]);
  });
});
