import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A product that is sold from 500 on, an auction, and a fee of a tenth of every budget. */
describe('a batch that is refused', () => {
  let server: TestServer;
  let seller: Person;
  let buyer: Person;
  let advertiserId: string;
  let queryId: string;
  let ids: Readonly<Record<string, string>>;
  beforeAll(async () => {
    server = await startTestServer();
    seller = await newPerson(server);
    const price = { pricingModel: 'cpm', currency: 'USD' };
    const products = [
      productFields({ name: 'Least', pricingOptions: [{ ...price, fixedPrice: 5, minSpend: 500 }] }),
      productFields({ name: 'Auction', pricingOptions: [{ ...price, floorPrice: 2 }] }),
    ];
    const { storefrontId } = await openStorefront(seller, { products });
    buyer = await newPerson(server);
    await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 1_000 });
    advertiserId = await newAdvertiser(buyer);
    const interchange = { advertiser_id: advertiserId, storefront_ids: [storefrontId], wait_seconds: 30 };
    const found = done(
      await buyer.post('/buyer/products/query', { buying_mode: 'wholesale', ext: { interchange } }),
    );
    queryId = found.ext.interchange.execution_id;
    ids = Object.fromEntries(
      found.products.map((one: { name: string; product_id: string }) => [one.name, one.product_id]),
    );
  });
  afterAll(() => server.stop());

  const create = (fields: object = {}) => ({
    create: { advertiserId, name: 'Together', budget: { total: 1_000 }, flightDates, ...fields },
  });
  const batch = (selection: object, campaign: object = create()) =>
    buyer.post('/buyer/media-buys/batch', {
      productQueryId: queryId,
      campaign,
      mode: 'execute',
      rebuy: true,
      selections: [{ kind: 'product', ...selection }],
    });
  const LEAVE_OUT = 'leave it out (replace true leaves out what was chosen before)';

  test('leads to selections where a product is given too little, and is bought with what it says', async () => {
    const refused = await batch({ productId: ids['Least'], budget: 500 });

    expectRefusal(refused, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'campaign.create.budget.total':
          'Least starts at 500 USD; 450 USD of its budget fall to it once its fee is taken.',
      },
    });
    expect(refused.body.error.details.suggestion).toBe(
      `Give Least at least 555.56 USD in selections (budget, or totalBudget of a proposal), or ${LEAVE_OUT}.`,
    );
    expect(done(await batch({ productId: ids['Least'], budget: 555.56 }))).toMatchObject({ success: true });
  });

  test('leads to the total of the campaign that it would make, or of the draft that it names', async () => {
    const selection = { productId: ids['Least'], budget: 2_000 };
    const { campaign } = done(await buyer.post('/buyer/campaigns', create().create));
    const ways = (where: string) =>
      'Change the budgets of the chosen products in selections (budget, or totalBudget of a proposal), ' +
      `leave some out (replace true leaves out what was chosen before), or raise budget.total ${where}.`;
    const words = 'The campaign has 1000.00 USD (budget.total); the chosen products take 2000.00 USD.';
    const { campaignId } = campaign;

    const [made, drafted] = [await batch(selection), await batch(selection, { campaignId })];

    const code = 'INSUFFICIENT_MEDIA_BUDGET';
    expectRefusal(made, 409, { code, at: { 'campaign.create.budget.total': words } });
    expect(made.body.error.details.suggestion).toBe(ways('in campaign.create'));
    expectRefusal(drafted, 409, { code, at: { 'budget.total': words } });
    expect(drafted.body.error.details.suggestion).toBe(ways('with campaign_update'));
  });

  test.each([
    ['bidPrice', { name: 'Auction', budget: 100 }, {}],
    ['budget', { name: 'Least', budget: 100 }, {}],
    ['productId', { name: 'Least' }, { constraints: { channels: ['podcast'] } }],
  ])('looks for no other ids where they are right, and its %s is wrong', async (field, chosen, campaign) => {
    const { name, ...selection } = chosen;
    const refused = await batch({ productId: ids[name], ...selection }, create(campaign));

    expectRefusal(refused, 400, { code: 'VALIDATION_ERROR', at: { [`selections.0.${field}`]: /./ } });
    expect(refused.body.error.details.suggestion).toBe(
      'Correct what the message names and send the request again.',
    );
    expect(refused.text).not.toContain('campaign_update');
  });

  test('leads to selections where a seller of it takes no orders at present', async () => {
    done(await seller.put('/storefront', { transacting: false }));

    const refused = await batch({ productId: ids['Auction'], budget: 100, bidPrice: 3 });

    done(await seller.put('/storefront', { transacting: true }));
    expectRefusal(refused, 409, { code: 'CONFLICT', words: 'Shelf takes no orders at present.' });
    expect(refused.body.error.details.suggestion).toBe(
      'Leave what they sell out (replace true leaves out what was chosen before), or wait until they are open again, and repeat the call.',
    );
  });

  test('is refused where it is staged too', async () => {
    done(await seller.put('/storefront', { transacting: false }));
    const campaigns = async () =>
      done(await buyer.get(`/buyer/campaigns?advertiserId=${advertiserId}`)).total;
    const before = await campaigns();

    const staged = await buyer.post('/buyer/media-buys/batch', {
      productQueryId: queryId,
      campaign: create(),
      mode: 'stage',
      selections: [{ kind: 'product', productId: ids['Auction'], budget: 100, bidPrice: 3 }],
    });

    done(await seller.put('/storefront', { transacting: true }));
    expectRefusal(staged, 409, { code: 'CONFLICT', words: 'Shelf takes no orders at present.' });
    expect(staged.body.error.details.suggestion).toBe(
      'Leave out what they sell, or wait until they are open again, and repeat the call.',
    );
    expect(await campaigns()).toBe(before);
  });

  test('leads to the ids of the query where it has no such product', async () => {
    const refused = await batch({ productId: 'sf1:1:nothing', budget: 100 });

    expect(refused.status).toBe(400);
    expect(refused.body.error.details.suggestion).toBe(
      'Take ids from an answer of this query: product_query shows it again.',
    );
  });
});
