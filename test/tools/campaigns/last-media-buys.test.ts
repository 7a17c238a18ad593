import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endedBuysFollowed } from '../../../tools/domain/buying/flight-ends.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Whoever stored the end of a media buy died before its campaign followed. */
describe('a campaign whose last media buy ended with the process that heard of it', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  const clock = skippingClock();
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const executed = async (name: string) => {
    const fields = { advertiserId, storefrontIds: [far.storefrontId], campaign: { name } };
    const { campaignId } = await draftCampaign(buyer, fields);
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    return campaignId;
  };
  const ends = async (campaignId: string, status: 'COMPLETED' | 'REJECTED') => {
    const open = server.store.db.withoutPlugins();
    const updated_at = new Date(clock.now()).toISOString();
    const set = { status, updated_at };
    await open.updateTable('media_buys').set(set).where('campaign_id', '=', campaignId).execute();
  };
  const listed = async () => {
    const query = `advertiserId=${advertiserId}&status=DRAFT&status=ACTIVE&status=COMPLETED`;
    const { campaigns } = done(await buyer.get(`/buyer/campaigns?${query}`));
    return Object.fromEntries(
      campaigns.map(({ name, status }: { name: string; status: string }) => [name, status]),
    );
  };
  const followed = (limit: number) => endedBuysFollowed(server.running.app.services, limit);

  test('is listed as it stands once housekeeping has come by, and those that live are left', async () => {
    const campaignId = await executed('Ran');
    await ends(campaignId, 'COMPLETED');
    await ends(await executed('Refused'), 'REJECTED');
    await executed('Lives');
    const follow = followed(2);
    const stands = { Ran: 'COMPLETED', Refused: 'DRAFT', Lives: 'ACTIVE' };

    await follow();
    await follow();
    expect(await listed(), 'its process may be about to move it on').toEqual({
      Ran: 'ACTIVE',
      Refused: 'ACTIVE',
      Lives: 'ACTIVE',
    });
    clock.skip(61_000);
    for (let look = 0; look < 4; look += 1) await follow();

    expect(await listed()).toEqual(stands);
    const [entry] = done(await buyer.get(`/buyer/audit-logs?resourceId=${campaignId}`)).logs;
    expect(entry).toMatchObject({
      actorOrigin: 'system',
      changes: { status: { from: 'ACTIVE', to: 'COMPLETED' } },
    });
  });
});
