import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { completeEnded } from '../../../tools/domain/buying/flight-ends.ts';
import { faultsOf } from '../../support/buying/ledger.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { skippingClock } from '../../support/run/skipping-clock.ts';
import { type KeepingSeller, keepingSeller } from '../../support/sellers/keeping-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const HOUR_MS = 3_600_000;
const GRACE_MS = 10 * HOUR_MS;

describe('a media buy whose time is over, of which its seller tells no end', () => {
  let server: TestServer;
  let far: KeepingSeller;
  let buyer: Person;
  let campaignId: string;
  const clock = skippingClock();
  beforeAll(async () => {
    const settings = { SELLER_ALLOWED_CIDRS: '127.0.0.0/8', MEDIA_BUY_END_GRACE_HOURS: '10' };
    server = await startTestServer({ clock, settings });
  });
  beforeEach(async () => {
    far = await keepingSeller(server, 'Far');
    buyer = await newPerson(server);
    return () => far.agent.stop();
  });
  afterAll(() => server.stop());

  /** A campaign of an hour, which is over. */
  const ended = async () => {
    const flightDates = {
      startDate: new Date(clock.now()).toISOString(),
      endDate: new Date(clock.now() + HOUR_MS).toISOString(),
    };
    const storefrontIds = [far.storefrontId];
    const advertiserId = await newAdvertiser(buyer);
    ({ campaignId } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds,
      campaign: { flightDates },
    }));
    done(await buyer.post(`${path()}/execute`, {}));
    clock.skip(2 * HOUR_MS);
    while (await completeEnded(server.running.app.services));
  };
  const path = () => `/buyer/campaigns/${campaignId}`;
  const refreshed = async () => void done(await buyer.get(`${path()}/media-buy-status`));
  const stands = async () => {
    const { status, mediaBuys } = done(await buyer.get(path())).campaign;
    const { credit } = done(await buyer.get('/buyer/accounts/current'));
    const { committed } = credit.find(({ currency }: { currency: string }) => currency === 'USD');
    return [status, mediaBuys[0].status, committed];
  };
  const explained = async () => {
    const { mediaBuys } = done(await buyer.get(path())).campaign;
    return done(await buyer.get(`/buyer/media-buys/${mediaBuys[0].mediaBuyId}`)).mediaBuy.explanation;
  };

  test('waits for late figures, says until when, and is then completed for what was delivered', async () => {
    await ended();
    await refreshed();
    expect(await stands()).toEqual(['COMPLETED', 'ACTIVE', 100]);
    expect(await explained()).toMatch(/time was over at .* still counts; then it is completed/);
    far.agent.on('get_media_buy_delivery', ({ media_buy_ids }) => ({
      media_buy_deliveries: [
        {
          media_buy_id: [media_buy_ids].flat()[0],
          totals: { impressions: 4_000, spend: 30, clicks: 1 },
          by_package: [],
        },
      ],
    }));

    clock.skip(GRACE_MS);
    await refreshed();

    expect(await stands()).toEqual(['COMPLETED', 'COMPLETED', 30]);
    expect(await faultsOf(server.store.db, buyer.organizationId)).toEqual([]);
  });

  test('is called off where its seller has not decided by then, and stays so when it approves late', async () => {
    far.takes('pending_approval');
    await ended();
    expect(await explained()).toMatch(/has not decided: it is called off here at/);

    clock.skip(GRACE_MS);
    await refreshed();
    far.shows('active');
    await refreshed();

    expect(await stands()).toEqual(['COMPLETED', 'CANCELED', 0]);
  });

  test('is ended though its seller is gone, and archived with a campaign whose deletion its seller refused', async () => {
    await ended();
    far.refuses('NOT_CANCELLABLE');
    expect((await buyer.delete(path())).status).toBe(202);
    expect(await stands()).toEqual(['COMPLETED', 'ACTIVE', 100]);
    far.agent.on('get_media_buys', (_args, request) => {
      request.socket.destroy();
      return new Promise(() => {});
    });

    clock.skip(GRACE_MS);
    await refreshed();

    expect(await stands()).toEqual(['ARCHIVED', 'COMPLETED', 0]);
  });

  test('can be called off before', async () => {
    await ended();

    const { mediaBuyResults } = done(await buyer.post(`${path()}/cancel`, {}));

    expect(mediaBuyResults).toMatchObject([{ newStatus: 'CANCELED', success: true }]);
    expect(await stands()).toEqual(['COMPLETED', 'CANCELED', 0]);
  });
});
