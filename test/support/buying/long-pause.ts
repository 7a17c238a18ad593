import { afterAll, beforeAll, beforeEach } from 'vitest';
import { newPerson, type Person } from '../callers/people.ts';
import { skippingClock } from '../run/skipping-clock.ts';
import { takesChanges } from '../sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../sellers/market.ts';
import { startTestServer, type TestServer } from '../server/server.ts';

const DAY_MS = 86_400_000;

/** What is refused of it: four days are left for a budget that was for ten. */
export const TOO_MUCH_A_DAY = {
  code: 'INSUFFICIENT_MEDIA_BUDGET' as const,
  at: {
    // The clock runs on while it is asked.
    'budget.dailyCap':
      /^Within budget.dailyCap 100.00 USD can be spent a day; the media buys would take 125.0\d USD a day.$/,
  },
};

interface LongPause {
  readonly server: TestServer;
  readonly buyer: Person;
  readonly campaignId: string;
  readonly mediaBuyId: string;
}

/** A campaign of ten days and 500, with a cap of 100 a day, that was paused for six days; new before every test. */
export function longPause(): LongPause {
  const clock = skippingClock();
  let server: TestServer;
  let far: FarSeller;
  let paused: Omit<LongPause, 'server'>;
  beforeAll(async () => {
    server = await startTestServer({ clock, settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far');
    takesChanges(far);
    far.agent.on('get_media_buy_delivery', () => ({ media_buy_deliveries: [] }));
  });
  beforeEach(async () => {
    const buyer = await newPerson(server);
    const begins = Math.ceil((clock.now() + DAY_MS / 24) / DAY_MS) * DAY_MS;
    const at = (days: number) => new Date(begins + days * DAY_MS).toISOString();
    const { campaignId } = await draftCampaign(buyer, {
      advertiserId: await newAdvertiser(buyer),
      each: 500,
      storefrontIds: [far.storefrontId],
      campaign: {
        budget: { total: 1_000, dailyCap: 100 },
        flightDates: { startDate: at(0), endDate: at(10) },
      },
    });
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    clock.skip(begins - clock.now());
    done(await buyer.post(`/buyer/campaigns/${campaignId}/pause`));
    clock.skip(6 * DAY_MS);
    const [{ mediaBuyId }] = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys;
    paused = { buyer, campaignId, mediaBuyId };
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });
  return {
    get server() {
      return server;
    },
    get buyer() {
      return paused.buyer;
    },
    get campaignId() {
      return paused.campaignId;
    },
    get mediaBuyId() {
      return paused.mediaBuyId;
    },
  };
}
