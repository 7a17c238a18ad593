import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { completeEnded } from '../../../tools/domain/buying/flight-ends.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const TWO_HOURS_MS = 7_200_000;

describe('a campaign whose flight is over', () => {
  let server: TestServer;
  let buyer: Person;
  let far: FarSeller;
  let advertiserId: string;
  const clock = skippingClock();
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    far.agent.on('create_media_buy', ({ idempotency_key }) => ({
      media_buy_id: idempotency_key,
      status: 'active',
      packages: [],
    }));
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  /** A campaign that ran for an hour, an hour ago. */
  const ended = async () => {
    const flightDates = {
      startDate: new Date(clock.now()).toISOString(),
      endDate: new Date(clock.now() + TWO_HOURS_MS / 2).toISOString(),
    };
    const campaign = { flightDates };
    const fields = { advertiserId, storefrontIds: [far.storefrontId], campaign };
    const { campaignId } = await draftCampaign(buyer, fields);
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    return campaignId;
  };
  const stored = async (campaignId: string) => {
    const open = server.store.db.withoutPlugins();
    const { status } = await open
      .selectFrom('campaigns')
      .select('status')
      .where('id', '=', campaignId)
      .executeTakeFirstOrThrow();
    return status;
  };
  const entriesOf = async (campaignId: string) =>
    done(await buyer.get(`/buyer/audit-logs?resourceId=${campaignId}`)).logs;

  test('is COMPLETED by housekeeping, all of them, however many, and the log says that the service did it', async () => {
    const ids = [await ended(), await ended()];
    clock.skip(TWO_HOURS_MS);

    while (await completeEnded(server.running.app.services));

    expect(await Promise.all(ids.map(stored))).toEqual(['COMPLETED', 'COMPLETED']);
    const [newest] = await entriesOf(ids[0] ?? '');
    expect(newest).toMatchObject({
      actorOrigin: 'system',
      actorName: null,
      userId: null,
      credentialId: null,
      description: 'Flight is over',
      changes: { status: { from: 'ACTIVE', to: 'COMPLETED' } },
    });
  });

  test('is COMPLETED for whoever reads it first, and for two readers at once', async () => {
    const campaignId = await ended();
    clock.skip(TWO_HOURS_MS);
    const read = async () => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;

    const both = await Promise.all([read(), read()]);

    expect(both.map(({ status }) => status)).toEqual(['COMPLETED', 'COMPLETED']);
    expect(await read()).toMatchObject({ revision: both[0].revision });
    const late = await buyer.put(`/buyer/campaigns/${campaignId}`, { name: 'Late' });
    expect(late.status).toBe(409);
  });
});
