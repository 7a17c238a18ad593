import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

describe('discovery_add_products for a campaign', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    const products = [productFields({ name: 'Morning radio', countries: ['US'] })];
    ({ storefrontId } = await openStorefront(await newPerson(server), { name: 'Corner Media', products }));
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const discover = async () => {
    const fields = { advertiserId, storefrontIds: [storefrontId], waitSeconds: 30 };
    const { discoveryId, productGroups } = done(
      await buyer.post('/buyer/discovery/discover-products', fields),
    );
    return { discoveryId, productId: productGroups[0].products[0].productId };
  };
  const draft = async (fields: object = {}): Promise<string> => {
    const campaign = { advertiserId, name: 'Winter', flightDates, budget: { total: 500 }, ...fields };
    return done(await buyer.post('/buyer/campaigns', campaign)).campaign.campaignId;
  };
  const add = async (campaignId: string) => {
    const { discoveryId, productId } = await discover();
    const products = [{ productId, budget: 100 }];
    const reply = await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products, campaignId });
    return { discoveryId, reply };
  };
  const chosen = async (discoveryId: string) =>
    done(await buyer.get(`/buyer/discovery/${discoveryId}/products`));

  test('has the draft buy the choice from now on', async () => {
    const campaignId = await draft();

    const { discoveryId, reply } = await add(campaignId);

    expect(done(reply)).toMatchObject({ campaignBound: true, totalProducts: 1 });
    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign).toMatchObject({
      discoveryId,
      productCount: 1,
    });
  });

  test('makes another revision of a draft that buys from this session already, and none for the same choice', async () => {
    const { discoveryId, productId } = await discover();
    const campaignId = await draft({ discoveryId });
    const { revision } = done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;

    const choose = async () =>
      done(
        await buyer.post(`/buyer/discovery/${discoveryId}/products`, {
          products: [{ productId }],
          campaignId,
        }),
      );
    await choose();
    await choose();

    expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign.revision).toBe(revision + 1);
  });

  test('says without it that no campaign is to buy the choice', async () => {
    const { discoveryId, productId } = await discover();

    const data = done(
      await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: [{ productId }] }),
    );

    expect(data).toMatchObject({
      campaignBound: false,
      campaignWarning: expect.stringContaining('discovery_add_products'),
    });
  });

  test('refuses a product that the draft may not buy, and binds nothing', async () => {
    const campaignId = await draft({ constraints: { geo_countries: ['FR'] } });

    const { discoveryId, reply } = await add(campaignId);

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: {
        'products.0.productId':
          'constraints.geo_countries: Morning radio runs in US; the campaign stays in FR. Leave it out, and choose another with browse_products, or change constraints of the campaign with campaign_update.',
      },
    });
    expect(await chosen(discoveryId)).toMatchObject({ campaignBound: false, totalProducts: 0 });
  });

  test('refuses the campaign of another advertiser, and one that is no draft', async () => {
    const other = await newAdvertiser(buyer, { name: 'Bolt', brand: 'bolt.example' });
    expectRefusal((await add(await draft({ advertiserId: other }))).reply, 422, {
      code: 'VALIDATION_ERROR',
      at: { campaignId: 'The campaign belongs to another advertiser.' },
    });

    const archived = await draft();
    await buyer.delete(`/buyer/campaigns/${archived}`);
    expectRefusal((await add(archived)).reply, 409, {
      code: 'CONFLICT',
      words: 'The campaign is ARCHIVED; a session is attached while it is DRAFT.',
    });
  });

  test('knows no campaign of strangers', async () => {
    const stranger = await newPerson(server);
    const theirs = await newAdvertiser(stranger);
    const fields = { advertiserId: theirs, name: 'Theirs', flightDates, budget: { total: 500 } };
    const { campaignId } = done(await stranger.post('/buyer/campaigns', fields)).campaign;

    expectRefusal((await add(campaignId)).reply, 404, { code: 'NOT_FOUND', words: 'No such campaign.' });
  });
});
