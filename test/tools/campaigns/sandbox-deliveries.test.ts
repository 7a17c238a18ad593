import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type SkippingClock, standingClock } from '../../support/run/skipping-clock.ts';
import {
  done,
  draftCampaign,
  executed,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A second of the clock for each hour of the flight. */
const DAY = 24_000;

/** What a hundred dollars come to in each way of paying. */
const bought = {
  cpm: { price: 10, impressions: 10_000, clicks: 12 },
  vcpm: { price: 20, impressions: 5_000, clicks: 6 },
  cpc: { price: 1.5, impressions: 55_000, clicks: 66 },
  cpv: { price: 0.05, impressions: 6_666, clicks: 7 },
  cpcv: { price: 0.1, impressions: 5_000, clicks: 6 },
  cpa: { price: 20, impressions: 50_000, clicks: 60 },
  cpp: { price: 25, impressions: 40_000, clicks: 48 },
  flat_rate: { price: 100, impressions: 10_000, clicks: 12 },
  time: { price: 50, impressions: 10_000, clicks: 12 },
};

describe('a sandbox delivery', () => {
  let server: TestServer;
  let clock: SkippingClock;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    clock = standingClock();
    server = await startTestServer({ clock });
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(() => server.stop());

  const packagesOf = async (campaignId: string, mediaBuyId: string) => {
    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));
    return done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`)).packages;
  };
  const spentIn = async (campaignId: string, startDate: string, endDate: string) => {
    const days = `startDate=2026-12-${startDate}&endDate=2026-12-${endDate}`;
    return done(await buyer.get(`/buyer/campaigns/${campaignId}/delivery?${days}`)).delivery.totals.spend;
  };

  test('is each package’s within its own period, also where its terms were changed meanwhile', async () => {
    const { storefrontId } = await openStorefront(await newPerson(server));
    const pacingPeriods = {
      mode: 'weight',
      periods: [
        { label: 'first', start: '2026-12-10', end: '2026-12-11', weight: 1 },
        { label: 'second', start: '2026-12-20', end: '2026-12-21', weight: 1 },
      ],
    };
    const draft = { advertiserId, storefrontIds: [storefrontId], campaign: { pacingPeriods } };
    const { campaignId } = await draftCampaign(buyer, draft);
    const mediaBuyId = await executed(buyer, campaignId);
    const spent = async () =>
      (await packagesOf(campaignId, mediaBuyId)).map(
        ({ delivery }: { delivery: { spend: number } }) => delivery.spend,
      );

    clock.skip(DAY);
    expect(await spent()).toEqual([25, 0]);

    clock.skip(DAY);
    expect(await spent()).toEqual([50, 0]);

    clock.skip(4 * DAY);
    const [, { packageId }] = await packagesOf(campaignId, mediaBuyId);
    const change = { packages: [{ packageId, budget: 80 }] };
    done(await buyer.patch(`/buyer/media-buys/${mediaBuyId}`, change));
    expect(await spent()).toEqual([50, 0]);

    clock.skip(5 * DAY);
    expect(await spent()).toEqual([50, 40]);
    expect(await spentIn(campaignId, '10', '10')).toBe(25);
    expect(await spentIn(campaignId, '12', '19')).toBe(0);
    expect(await spentIn(campaignId, '10', '31')).toBe(90);

    clock.skip(20 * DAY);
    expect(await spent()).toEqual([50, 80]);
  });

  test('is counted in what each package is paid by, whatever the pricing model', async () => {
    const products = Object.entries(bought).map(([pricingModel, { price }]) =>
      productFields({
        name: pricingModel,
        pricingOptions: [{ pricingModel, currency: 'USD', fixedPrice: price }],
      }),
    );
    const { storefrontId } = await openStorefront(await newPerson(server), { products });
    const { campaignId } = await draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId] });
    const mediaBuyId = await executed(buyer, campaignId);

    clock.skip(30 * DAY);

    const packages = await packagesOf(campaignId, mediaBuyId);
    const shown = packages.map((part: { productName: string; delivery: object }) => [
      part.productName,
      part.delivery,
    ]);
    expect(Object.fromEntries(shown)).toEqual(
      Object.fromEntries(
        Object.entries(bought).map(([model, { price: _, ...figures }]) => [
          model,
          { ...figures, spend: 100 },
        ]),
      ),
    );
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.mediaBuys[0].performance).toMatchObject({
      impressions: 191_666,
      spend: 900,
      clicks: 229,
      views: 3_500,
      completedViews: 1_000,
      conversions: 5,
      leads: 0,
    });
  });
});
