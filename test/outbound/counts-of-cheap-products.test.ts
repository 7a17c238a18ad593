import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson } from '../support/callers/people.ts';
import { skippingClock } from '../support/run/skipping-clock.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const BUDGET = 100_000_000;
/** A hundred for each person on earth. */
const MOST = 1e12;

/** What the embedded seller shows for money (sandbox), where a unit costs almost none. */
describe('a product that costs next to nothing', () => {
  const clock = skippingClock();
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ own: true, clock });
  });
  afterAll(() => server.stop());

  test.each([
    ['cpm', { impressions: MOST }],
    ['cpc', { impressions: MOST, clicks: MOST }],
    ['cpp', { impressions: MOST }],
  ])('sold by %s is delivered in no more than can be counted', async (pricingModel, shown) => {
    const pricingOptions = [{ pricingModel, currency: 'USD', fixedPrice: 0.000001 }];
    const seller = await newPerson(server);
    const { storefrontId } = await openStorefront(seller, { products: [productFields({ pricingOptions })] });
    const buyer = await newPerson(server);
    const advertiserId = await newAdvertiser(buyer, { sandbox: true });
    const draft = { advertiserId, budget: BUDGET, each: BUDGET, storefrontIds: [storefrontId] };
    const { campaignId } = await draftCampaign(buyer, draft);
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    clock.skip(3_600_000);

    done(await buyer.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.mediaBuys).toMatchObject([
      { status: 'COMPLETED', performance: { spend: BUDGET, ...shown } },
    ]);
    const path = `/buyer/campaigns/${campaignId}/delivery`;
    expect(done(await buyer.get(path)).delivery.totals).toMatchObject(shown);
    expect((await buyer.get(`${path}?startDate=2026-12-10&endDate=2026-12-11`)).status).toBe(200);
  });
});
