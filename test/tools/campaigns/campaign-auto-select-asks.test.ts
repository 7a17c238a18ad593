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

describe('refine of campaign_auto_select_products', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  const product = (name: string, fixedPrice: number) =>
    productFields({
      name,
      description: 'Sold by the thousand.',
      publisherDomain: `${name.split(' ')[0]?.toLowerCase()}.example`,
      pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice }],
    });
  beforeAll(async () => {
    server = await startTestServer();
    const products = [product('Gambling tips', 4), product('Football scores', 9), product('Gardening', 20)];
    storefrontId = (await openStorefront(await newPerson(server), { products })).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer, { sandbox: true });
  });
  afterAll(() => server.stop());

  const draft = async () => {
    const fields = { advertiserId, storefrontIds: [storefrontId], each: null, campaign: {} };
    return (await draftCampaign(buyer, fields)).campaignId;
  };
  const asked = async (...asks: string[]) =>
    buyer.post(`/buyer/campaigns/${await draft()}/auto-select-products`, {
      refine: asks.map((ask) => ({ scope: 'request', ask })),
    });
  const names = (data: { selectedProducts: { name: string }[] }) =>
    data.selectedProducts.map(({ name }) => name);

  test('leaves out what it turns down, however well that shares its words', async () => {
    expect(names(done(await asked('No gambling, please')))).toEqual(['Football scores', 'Gardening']);
    expect(names(done(await asked('Avoid gambling. Prefer gardening')))).toEqual([
      'Gardening',
      'Football scores',
    ]);
  });

  test('chooses only what it requires, and what costs no more than it says', async () => {
    expect(names(done(await asked('Only football')))).toEqual(['Football scores']);
    expect(names(done(await asked('CPM under 10 USD')))).toEqual(['Gambling tips', 'Football scores']);
  });

  test('says which of its words decided nothing', async () => {
    const data = done(await asked('No sports except football'));

    expect(names(data)).toHaveLength(3);
    expect(data.warnings).toEqual([
      'refine: “No sports except football” could not be read for certain, and decided nothing.',
    ]);
  });

  test('keeps nothing else out by what is said of a single product', async () => {
    const campaignId = await draft();
    const select = async (refine: object[]) =>
      done(await buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, { refine }));
    const { selectedProducts } = await select([{ scope: 'request', ask: 'Football' }]);
    const [{ productId: id }] = selectedProducts;

    const about = (action: string) => ({ scope: 'product', id, action, ask: 'Only gardening' });

    expect(names(await select([about('include')]))).toEqual([
      'Football scores',
      'Gardening',
      'Gambling tips',
    ]);
    expect(names(await select([about('moreLikeThis')]))).toHaveLength(3);
  });

  test('422 VALIDATION_ERROR says why a product is not chosen that one entry wants and another turns down', async () => {
    const campaignId = await draft();
    const select = (refine: object[]) =>
      buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, { refine });
    const { discoveryId } = done(await select([{ scope: 'request', ask: 'Gambling' }]));
    const found = done(await buyer.get(`/buyer/discovery/${discoveryId}/products`));
    const { productId: id } = found.products.find(({ name }: { name: string }) => name === 'Gambling tips');

    const refused = await select([
      { scope: 'request', ask: 'No gambling' },
      { scope: 'product', id, action: 'include' },
    ]);

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { 'refine.1.id': 'Gambling tips does not answer refine. Holds what is excluded: gambling.' },
    });
  });
});
