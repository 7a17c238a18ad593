import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  done,
  draftCampaign,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('campaign_auto_select_products', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  const price = (fixedPrice: number, changes: object = {}) => ({
    pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice, ...changes }],
  });
  beforeAll(async () => {
    server = await startTestServer();
    const products = [
      productFields({ name: 'Dear', ...price(30), publisherDomain: 'dear.example' }),
      productFields({ name: 'Cheap', ...price(5), publisherDomain: 'cheap.example' }),
      productFields({ name: 'Abroad', ...price(1), countries: ['CA'] }),
      productFields({ name: 'Large', ...price(2, { minSpend: 900 }), publisherDomain: 'large.example' }),
    ];
    storefrontId = (await openStorefront(await newPerson(server), { products })).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(() => server.stop());

  const draft = async () => {
    const campaign = { constraints: { geo_countries: ['US'] }, flightDates };
    const fields = { advertiserId, storefrontIds: [storefrontId], each: null, campaign: {} };
    const { campaignId } = await draftCampaign(buyer, fields);
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, campaign));
    return campaignId;
  };
  const select = (campaignId: string, input: object = {}) =>
    buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, input);
  const names = (data: { selectedProducts: { name: string }[] }) =>
    data.selectedProducts.map(({ name }) => name);

  test('200: chooses what keeps the constraints and what the budget is enough for, cheapest first', async () => {
    const campaignId = await draft();

    const data = done(await select(campaignId, { maxProducts: 3 }));

    expect(names(data)).toEqual(['Cheap', 'Dear']);
    expect(data).toMatchObject({
      campaignId,
      productCount: 2,
      selectedProducts: [
        { budget: 500, cpm: 5 },
        { budget: 500, cpm: 30 },
      ],
      budgetContext: { campaignBudget: 1_000, totalAllocated: 1_000, remainingBudget: 0, currency: 'USD' },
    });
    expect(done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`))).toMatchObject({ success: true });
  });

  test('takes the place of what was chosen, with and without the products that are named', async () => {
    const campaignId = await draft();
    const first = done(await select(campaignId));
    const [{ productId: cheap }] = first.selectedProducts;

    const data = done(
      await select(campaignId, { refine: [{ scope: 'product', id: cheap, action: 'omit' }] }),
    );

    expect(data.previouslySelectedCount).toBe(2);
    expect(names(data)).toEqual(['Dear']);
  });

  test('puts first what answers the words, and what is like a product that is named', async () => {
    const campaignId = await draft();
    const first = done(await select(campaignId));
    const dear = first.selectedProducts.find(({ name }: { name: string }) => name === 'Dear');
    const [{ productId: cheap }] = first.selectedProducts;
    const one = (refine: object[]) => select(campaignId, { maxProducts: 1, refine });

    expect(names(done(await one([{ scope: 'request', ask: 'Something dear, please' }])))).toEqual(['Dear']);
    const like = { scope: 'product', id: dear.productId, action: 'moreLikeThis' };
    expect(names(done(await one([like])))).toEqual(['Dear']);
    const against = { scope: 'product', id: cheap, action: 'omit', ask: 'Nothing dear' };
    const left = done(await select(campaignId, { refine: [against] }));
    expect(names(left)).toEqual(['Dear']);
  });

  test('400 VALIDATION_ERROR for a product that its session did not find', async () => {
    const refine = [{ scope: 'product', id: 'nothing', action: 'include' }];

    const reply = await select(await draft(), { refine });
    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.0.id': 'This session has not found such a product.' },
    });
  });

  test('422 VALIDATION_ERROR where nothing fits', async () => {
    const campaignId = await draft();

    expectRefusal(await select(campaignId, { minBudgetPerProduct: 5_000 }), 422, {
      code: 'VALIDATION_ERROR',
      at: {
        campaignId:
          'No product of its session with a price of a thousand impressions (CPM or vCPM) fits its constraints, storefronts, currency, budget and refine.',
      },
    });
  });

  test('422 VALIDATION_ERROR without a session says to discover for it, which takes its advertiser from the campaign', async () => {
    const budget = { total: 1_000 };
    const fields = { advertiserId, name: 'Winter', budget, flightDates, storefrontIds: [storefrontId] };
    const { campaignId } = done(await buyer.post('/buyer/campaigns', fields)).campaign;
    const refused = await select(campaignId);
    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { campaignId: 'It has no discovery session to choose from.' },
    });
    expect(refused.text).toContain('Call discover_products with this campaignId first.');

    const found = done(
      await buyer.post('/buyer/discovery/discover-products', { campaignId, waitSeconds: 30 }),
    );

    expect(found.productGroups).not.toEqual([]);
    expect(done(await select(campaignId))).toMatchObject({ discoveryId: found.discoveryId });
  });

  test('409 CONFLICT for a campaign that is no draft', async () => {
    const campaignId = await draft();
    await putStatus(server, buyer, { campaignId, status: 'ACTIVE' });

    expectRefusal(await select(campaignId), 409, {
      code: 'CONFLICT',
      words: 'The campaign is ACTIVE: products are selected for drafts.',
    });
  });
});
