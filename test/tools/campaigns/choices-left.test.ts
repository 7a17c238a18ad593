import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import {
  done,
  draftCampaign,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A draft that buys two products of one session, and is given another session to buy from. */
describe('a draft that is tied to another session', () => {
  let server: TestServer;
  let storefrontId: string;
  let buyer: Person;
  let advertiserId: string;
  let campaignId: string;
  let first: string;
  beforeAll(async () => {
    server = await startTestServer();
    const products = ['One', 'Two'].map((name) => productFields({ name }));
    storefrontId = (await openStorefront(await newPerson(server), { products })).storefrontId;
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    const draft = { advertiserId, storefrontIds: [storefrontId], each: 100, budget: 1_000 };
    ({ campaignId, discoveryId: first } = await draftCampaign(buyer, draft));
  });

  const query = async () => {
    const interchange = { advertiser_id: advertiserId, storefront_ids: [storefrontId], wait_seconds: 30 };
    const found = done(
      await buyer.post('/buyer/products/query', { buying_mode: 'wholesale', ext: { interchange } }),
    );
    const [{ product_id: marketId, ext }] = found.products;
    return {
      id: found.ext.interchange.execution_id as string,
      marketId,
      productId: ext.interchange.source_product_id,
    };
  };
  const left = (by: string) =>
    `The campaign does not have the 2 products of ${first} any more (One, Two): it buys from ${by} now.`;
  const TAKEN_BACK =
    ' To buy them, campaign_update with that discoveryId takes them back in place of these; campaign_create with that discoveryId makes another campaign of them.';
  const MADE_ANEW = ' To buy them, campaign_create with that discoveryId makes another campaign of them.';

  test.each([
    ['stage', TAKEN_BACK],
    ['execute', MADE_ANEW],
  ])(
    'says in the answer of a batch how many products it lost by it, and the way to them: %s',
    async (mode, way) => {
      const { id, marketId } = await query();
      const batch = () =>
        buyer.post('/buyer/media-buys/batch', {
          productQueryId: id,
          campaign: { campaignId },
          mode,
          selections: [{ kind: 'product', productId: marketId, budget: 1_000 }],
        });

      const made = done(await batch());

      expect(made).toMatchObject({ queryProductsSelected: 1, warnings: [left(id) + way] });
      if (mode === 'stage') expect(done(await batch()).warnings).toBeUndefined();
    },
  );

  test('says it where sellers are asked anew for it, beside a wait that was cut short, and not where nothing was chosen', async () => {
    const discover = async (fields: object) =>
      done(await buyer.post('/buyer/discovery/discover-products', { campaignId, ...fields }));
    const fields = { storefrontIds: [storefrontId], waitSeconds: 210 };

    const found = await discover(fields);

    const { discoveryId: id, guidance } = found;
    expect(guidance).toMatch(/ A call waits 30 seconds at the most: /);
    expect(guidance.startsWith(left(id) + TAKEN_BACK)).toBe(true);
    expect(await discover({ ...fields, waitSeconds: 30 })).not.toHaveProperty('guidance');
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { discoveryId: first }));
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign).toMatchObject({ discoveryId: first, productCount: 2 });
  });

  test('says it where products of the other session are chosen for it, and can be given them back', async () => {
    const { id, productId } = await query();
    const choose = (fields: object) =>
      buyer.post(`/buyer/discovery/${id}/products`, { products: [{ productId, budget: 1_000 }], ...fields });

    const chosen = done(await choose({ campaignId }));

    expect(chosen).toMatchObject({ campaignBound: true, warnings: [left(id) + TAKEN_BACK] });
    expect(done(await choose({ campaignId })).warnings).toBeUndefined();
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { discoveryId: first }));
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign.discoveryId).toBe(first);
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}/products`)).total).toBe(2);
  });

  test('says it where it is given another session by an update, and not where it keeps its own', async () => {
    const { id } = await query();
    const update = async (fields: object) => done(await buyer.put(`/buyer/campaigns/${campaignId}`, fields));

    const changed = await update({ discoveryId: id });

    expect(changed).toMatchObject({ success: true, warnings: [left(id) + TAKEN_BACK] });
    expect(await update({ discoveryId: id })).not.toHaveProperty('warnings');
    // Nothing is chosen in the other one, and so nothing is lost.
    expect(await update({ discoveryId: first })).not.toHaveProperty('warnings');
  });
});
