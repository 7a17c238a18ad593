import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { declaresSandbox, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { connectAgent, done, draftCampaign, newAdvertiser } from '../../support/sellers/market.ts';
import { type SellerAgent, startSellerAgent } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const sold = (fixed_price: number, changes: object = {}) => ({
  pricing_options: [
    { pricing_option_id: 'usd', pricing_model: 'cpm', currency: 'USD', fixed_price, ...changes },
  ],
});

describe('campaign_auto_select_products, of products that are to be among them,', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  const agents: SellerAgent[] = [];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    const far = await farSeller(server, 'Far', [
      productAt('one.example', 'cheap', sold(5)),
      productAt('two.example', 'dear', sold(30)),
      productAt('three.example', 'large', sold(2, { min_spend_per_package: 900 })),
      productAt('four.example', 'clicks', sold(1, { pricing_model: 'cpc' })),
      productAt('five.example', 'abroad', { ...sold(1), countries: ['CA'] }),
    ]);
    declaresSandbox(far, true);
    agents.push(far.agent);
    ({ storefrontId } = far);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all(agents.map((agent) => agent.stop()));
  });

  const draft = async (fields: object = {}) => {
    const wanted = { advertiserId, storefrontIds: [storefrontId], each: null, ...fields };
    const { campaignId, discoveryId } = await draftCampaign(buyer, wanted);
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { constraints: { geo_countries: ['US'] } }));
    return { campaignId, discoveryId };
  };
  const select = (campaignId: string, input: object = {}) =>
    buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, input);
  const including = (...ids: string[]) => ({
    refine: ids.map((id) => ({ scope: 'product', id, action: 'include' })),
  });
  const idsIn = (data: { selectedProducts: { productId: string }[] }) =>
    data.selectedProducts.map(({ productId }) => productId);
  const chosenIn = async (discoveryId: string) =>
    done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).totalProducts;

  test('lets the others give way to one that starts at more than an equal share', async () => {
    const { campaignId } = await draft();

    expect(idsIn(done(await select(campaignId)))).toEqual(['cheap', 'dear']);
    const data = done(await select(campaignId, including('large')));

    expect(data.selectedProducts).toMatchObject([{ productId: 'large', budget: 1_000 }]);
    expect(data).not.toHaveProperty('warnings');
  });

  test('refuses those that cannot be chosen, each with the reason, and leaves the choice as it was', async () => {
    const { campaignId, discoveryId } = await draft();
    const before = await chosenIn(discoveryId);

    const refused = await select(campaignId, including('cheap', 'clicks', 'abroad'));

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'refine.1.id': 'Product clicks has no price of a thousand impressions (CPM or vCPM) in USD to go by.',
        'refine.2.id': 'constraints.geo_countries: Product abroad runs in CA; the campaign stays in US.',
      },
    });
    expect(refused.text).toContain('choose it afterwards with discovery_add_products');
    expect(await chosenIn(discoveryId)).toBe(before);
  });

  test('refuses one that starts at more than there is, and says how much there is for it', async () => {
    const { campaignId } = await draft({ budget: 500 });

    expectRefusal(await select(campaignId, including('large')), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.0.id': 'Product large starts at 900 USD; 500 USD of budget.total fall to it.' },
    });
  });

  test.each([
    [{ maxProducts: 1 }, 'No more than 1 are chosen: give a larger maxProducts.'],
    [{ minBudgetPerProduct: 600 }, 'With minBudgetPerProduct the budget is enough for 1.'],
  ])('refuses those that are more than %j lets through', async (limit, words) => {
    const { campaignId } = await draft();

    expectRefusal(await select(campaignId, { ...including('cheap', 'dear'), ...limit }), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.1.id': words },
    });
  });

  test('refuses one that another entry leaves out', async () => {
    const { campaignId } = await draft();
    const omit = { scope: 'product', id: 'cheap', action: 'omit' };
    const { refine } = including('cheap');

    expectRefusal(await select(campaignId, { refine: [omit, ...refine] }), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.1.id': 'Another entry of refine leaves it out.' },
    });
  });

  test('finds one behind the 500 cheapest', async () => {
    const others = Array.from({ length: 500 }, (_, index) => productAt('one.example', `p${index}`, sold(1)));
    const crowded = await farSeller(server, 'Crowded', [
      ...others,
      productAt('two.example', 'dearest', sold(90)),
    ]);
    declaresSandbox(crowded, true);
    agents.push(crowded.agent);
    const { campaignId } = await draft({ storefrontIds: [crowded.storefrontId] });

    const data = done(await select(campaignId, { ...including('dearest'), maxProducts: 1 }));

    expect(idsIn(data)).toEqual(['dearest']);
  });

  test('leaves out what a seller sells that takes no orders, says so, and refuses to include it', async () => {
    const agent = await startSellerAgent([productAt('six.example', 'shut', sold(1))]);
    declaresSandbox({ agent }, true);
    agents.push(agent);
    const seller = await newPerson(server);
    const shop = await connectAgent(seller, agent.url, { name: 'Shut' });
    const { campaignId } = await draft({ storefrontIds: [storefrontId, shop.storefrontId] });
    done(await seller.put('/storefront', { isPaused: true }));

    const data = done(await select(campaignId));
    const refused = await select(campaignId, including('shut'));

    expect(idsIn(data)).toEqual(['cheap', 'dear']);
    expect(data.warnings).toEqual(['Agent (Shut) takes no orders at present. Its products are left out.']);
    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.0.id': 'Agent (Shut) takes no orders at present.' },
    });
  });

  test('says where nothing fits what took part', async () => {
    const { campaignId } = await draft();
    const constraints = { geo_countries: ['FR'], channels: ['podcast'] };
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { constraints }));

    const refused = await select(campaignId);

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { campaignId: /^No product of its session with a price of a thousand impressions \(CPM or vCPM\)/ },
    });
    expect(refused.text).toContain('choose what is sold otherwise with discovery_add_products');
  });
});
