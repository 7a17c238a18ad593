import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AdaAndBea, adaAndBea } from '../../support/buying/ada-and-bea.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { discover } from '../../support/sellers/discovery.ts';
import { productAt } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';

const WORDS = 'The session was opened in USD; the advertiser pays in JPY by now.';

describe('of a session that was opened before its advertiser took another currency', () => {
  let market: AdaAndBea;
  let advertiserId: string;
  let discoveryId: string;
  beforeAll(async () => {
    market = await adaAndBea({ ada: [productAt('one.example', 'news')] });
  });
  beforeEach(async () => {
    advertiserId = await newAdvertiser(market.buyer);
    ({ discoveryId } = await discover(market.buyer, advertiserId, [market.ada.storefrontId]));
    done(await choose());
    done(await market.buyer.put(`/buyer/advertisers/${advertiserId}`, { primaryCurrency: 'JPY' }));
  });
  afterAll(() => market.stop());

  const choose = (fields: object = {}) =>
    market.buyer.post(`/buyer/discovery/${discoveryId}/products`, {
      products: [{ productId: 'news', budget: 300 }],
      ...fields,
    });
  const create = (fields: object) => market.create({ advertiserId, ...fields });
  const batch = () =>
    market.buyer.post('/buyer/media-buys/batch', {
      productQueryId: discoveryId,
      campaign: { create: { advertiserId, name: 'Yen', budget: { total: 1_000 }, flightDates } },
      mode: 'stage',
      selections: [{ kind: 'product', productId: 'sf1:1:news' }],
    });

  test('no campaign takes what was chosen of it, whose budgets would be read in the new currency', async () => {
    const made = await create({ discoveryId });
    const { campaignId } = done(await create({})).campaign;
    const changed = await market.buyer.put(`/buyer/campaigns/${campaignId}`, { discoveryId });
    const chosenFor = await choose({ campaignId });

    for (const reply of [made, changed, chosenFor]) {
      expectRefusal(reply, 400, { code: 'CURRENCY_MISMATCH', at: { discoveryId: WORDS } });
    }
    expect(made.body.error.details.suggestion).toBe(
      'Begin another with discover_products or product_query: it is in JPY then.',
    );
    const { campaign } = done(await market.buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign).toMatchObject({ allocatedBudget: 0, unallocatedBudget: 1_000 });
    expect(campaign).not.toHaveProperty('discoveryId');
    expect(done(await market.buyer.get(`/buyer/campaigns?advertiserId=${advertiserId}`)).total).toBe(1);
  });

  test('nothing more is chosen of it', async () => {
    expectRefusal(await choose(), 400, { code: 'CURRENCY_MISMATCH', at: { discoveryId: WORDS } });
  });

  test('a batch buys nothing of it', async () => {
    const reply = await batch();

    expectRefusal(reply, 400, { code: 'CURRENCY_MISMATCH', at: { productQueryId: WORDS } });
  });

  test('all goes on where the advertiser takes its currency back', async () => {
    done(await market.buyer.put(`/buyer/advertisers/${advertiserId}`, { primaryCurrency: 'USD' }));

    const { campaign } = done(await create({ discoveryId }));

    expect(campaign).toMatchObject({ allocatedBudget: 300, unallocatedBudget: 700 });
  });
});
