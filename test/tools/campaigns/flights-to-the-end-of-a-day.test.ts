import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Three days of 20,000 each, however their end is written. */
describe.each(['2026-12-12', '2026-12-12T23:59:59Z', '2026-12-12T23:59:00Z', '2026-12-13T00:00:00Z'])(
  'a flight of three days that ends at %s',
  (endDate) => {
    let server: TestServer;
    let far: FarSeller;
    let buyer: Person;
    let advertiserId: string;
    beforeAll(async () => {
      server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
      far = await farSeller(server, 'Far');
      takesChanges(far);
      buyer = await newPerson(server);
      advertiserId = await newAdvertiser(buyer);
    });
    afterAll(async () => {
      await server.stop();
      await far.agent.stop();
    });

    const draft = (each: number | null, more: object = {}) =>
      draftCampaign(buyer, {
        ...{ advertiserId, each, storefrontIds: [far.storefrontId] },
        flight: { startDate: '2026-12-10', endDate },
        campaign: { budget: { total: 80_000, dailyCap: 20_000 }, ...more },
      });
    const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
    const bought = async (campaignId: string) =>
      done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.mediaBuys[0];

    test('spends its daily cap three times, and no cent more', async () => {
      const { campaignId } = await draft(60_000);
      done(await execute(campaignId));
      expect((await bought(campaignId)).budget).toBe(60_000);

      const beyond = await draft(60_000.01);

      expectRefusal(await execute(beyond.campaignId), 409, {
        code: 'INSUFFICIENT_MEDIA_BUDGET',
        at: {
          'budget.dailyCap':
            'Within budget.dailyCap 60000.00 USD can be spent in all; the chosen products take 60000.01 USD.',
        },
      });
    });

    test('is raised to that', async () => {
      const { campaignId } = await draft(30_000);
      done(await execute(campaignId));
      const { mediaBuyId, packages } = await bought(campaignId);
      const packageId = packages[0].packageId;

      done(
        await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget: 60_000 }] }),
      );
    });

    test('shares that among its periods', async () => {
      const days = ['2026-12-10', '2026-12-11', '2026-12-12'];
      const periods = days.map((day) => ({ label: day, start: day, end: day, weight: 1 }));
      const { campaignId } = await draft(null, {
        budget: { total: 60_000, dailyCap: 20_000 },
        pacingPeriods: { mode: 'weight', periods },
      });

      done(await execute(campaignId));

      const { budget, packages } = await bought(campaignId);
      expect(budget).toBe(60_000);
      expect(packages.map((one: { budget: number }) => one.budget)).toEqual([20_000, 20_000, 20_000]);
    });
  },
);
