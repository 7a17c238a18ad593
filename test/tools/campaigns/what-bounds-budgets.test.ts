import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** Campaigns of 5,000 over 21 days, of which a cap or periods let less be spent. */
describe('what keeps a budget', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontIds: string[];
  beforeAll(async () => {
    server = await startTestServer();
    const price = { pricingModel: 'cpm', currency: 'USD', fixedPrice: 5, minSpend: 1_500 };
    const products = ['One', 'Two'].map((name) => productFields({ name, pricingOptions: [price] }));
    storefrontIds = [(await openStorefront(await newPerson(server), { products })).storefrontId];
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const capped = { budget: { total: 5_000, dailyCap: 100 } };
  const periods = [{ label: 'few', start: '2026-12-10', end: '2026-12-12', budget: 2_000 }];
  const paced = { budget: { total: 5_000 }, pacingPeriods: { mode: 'budget', periods } };
  const draft = async (campaign: object, each: number | null) =>
    (await draftCampaign(buyer, { advertiserId, storefrontIds, each, campaign })).campaignId;
  const CAP = 'raise budget.dailyCap or give more days with campaign_update.';
  const PERIODS = 'give pacingPeriods larger budgets with campaign_update.';

  test.each([
    ['budget.dailyCap', '2100.00', CAP, capped],
    ['pacingPeriods', '2000.00', PERIODS, paced],
  ])(
    'is named where it is %s: a refusal leads there, and to no larger total',
    async (...[field, sum, way, of]) => {
      const campaignId = await draft(of, 2_500);
      const words = `Within ${field} ${sum} USD can be spent in all; the chosen products take 5000.00 USD.`;

      const refused = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

      expectRefusal(refused, 409, { code: 'INSUFFICIENT_MEDIA_BUDGET', at: { [field]: words } });
      const { suggestion, ...sums } = refused.body.error.details;
      expect(suggestion).toBe(
        'Change the budgets of the chosen products with discovery_add_products, ' +
          `drop some with discovery_remove_products, or ${way}`,
      );
      expect(sums).toEqual({
        ...{ requestedTotal: 5_000, committedAllocation: 5_000, spendableTotal: Number(sum) },
        currency: 'USD',
      });
      expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.warnings).toEqual([words]);
    },
  );

  test.each([
    ['budget.dailyCap', CAP, capped],
    ['pacingPeriods', PERIODS, paced],
  ])('leads to %s where shares of it are too small for a product', async (_field, way, of) => {
    const campaignId = await draft(of, null);

    const refused = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

    expect(refused.body.error.message).toContain('starts at 1500 USD');
    expect(refused.body.error.details.suggestion).toMatch(new RegExp(`or ${way.replaceAll('.', '\\.')}$`));
  });

  test.each([
    ['budget.dailyCap keeps them from being spent; raise it', '2900.00', '600.00', capped],
    ['pacingPeriods have no more together', '3000.00', '500.00', paced],
  ])('is told beside what is given to no product: %s', async (...[why, never, rest, of]) => {
    const { campaignId, discoveryId, products } = await draftCampaign(buyer, {
      advertiserId,
      storefrontIds,
      each: 1_500,
      campaign: of,
    });
    const [{ productId }] = products;
    done(await buyer.delete(`/buyer/discovery/${discoveryId}/products`, { productIds: [productId] }));

    const { warnings } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;

    expect(warnings).toEqual([
      `${rest} USD of 5000.00 USD are given to no product: raise the budgets of the products, or choose more of them.`,
      expect.stringContaining(`${never} USD of 5000.00 USD are given to no product: ${why}`),
    ]);
  });
});
