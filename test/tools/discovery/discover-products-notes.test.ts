import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('discover_products tells why a seller shows nothing', () => {
  let server: TestServer;
  let buyer: Person;
  let seller: Person;
  let advertiserId: string;
  let storefrontId: string;
  beforeAll(async () => {
    server = await startTestServer();
    buyer = await newPerson(server);
    seller = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
    ({ storefrontId } = await openStorefront(seller, {
      name: 'Quiet Media',
      products: [
        productFields({ countries: ['DE'] }),
        productFields({ name: 'Talks', channels: ['podcast'], countries: [] }),
      ],
    }));
  });
  afterAll(() => server.stop());

  const found = async (fields: object = {}, at = storefrontId) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        waitSeconds: 30,
        storefrontIds: [at],
        ...fields,
      }),
    );

  test.each([
    ['channels', { channels: ['print'] }, /2 run on other channels/],
    [
      'channels',
      { channels: ['display'], countries: ['FR'] },
      /1 run on other channels, 1 run in other countries/,
    ],
    ['publisherDomain', { publisherDomain: 'other.example' }, /2 are of other publishers/],
    ['pricingModel', { pricingModel: 'cpc' }, /2 are sold by other pricing models/],
  ])('names %s as the filter that left everything out', async (reason, filter, says) => {
    const data = await found(filter);

    expect(data.productGroups).toEqual([]);
    expect(data.sellerNotes).toEqual([
      {
        agentId: expect.stringMatching(/^agt_/),
        storefrontId,
        storefrontName: 'Quiet Media',
        reason,
        message: expect.stringMatching(says),
      },
    ]);
    const again = done(await buyer.get(`/buyer/discovery/${data.discoveryId}/browse-products`));
    expect(again.sellerNotes).toEqual(data.sellerNotes);
  });

  test('names the filter that left out most first as the reason, whichever was looked at first', async () => {
    const shop = await openStorefront(await newPerson(server), {
      products: [
        productFields({ name: 'Talks', channels: ['podcast'] }),
        productFields({ name: 'Morning', countries: ['DE'] }),
        productFields({ name: 'Evening', countries: ['DE'] }),
      ],
    });

    const data = await found({ channels: ['display'], countries: ['FR'] }, shop.storefrontId);

    expect(data.sellerNotes).toMatchObject([
      {
        reason: 'countries',
        message: expect.stringContaining('1 run on other channels, 2 run in other countries'),
      },
    ]);
  });

  test('says nothing where there is nothing to say', async () => {
    const data = await found({ brief: 'Morning news' });

    expect(data).not.toHaveProperty('sellerNotes');
    expect(data).not.toHaveProperty('briefMatched');
  });

  test('marks a brief that matched nothing, and every product that is shown all the same', async () => {
    const data = await found({ brief: 'zeppelins' });

    expect(data.briefMatched).toBe(false);
    expect(data.sellerNotes).toMatchObject([{ storefrontId, reason: 'brief' }]);
    const [group] = data.productGroups;
    expect(group.products).toMatchObject([{ briefMatched: false }, { briefMatched: false }]);
  });

  test.each([
    ['not_transacting', { transacting: false }],
    ['paused', { isPaused: true }],
  ])('says %s of a storefront that was named and could not be asked', async (reason, change) => {
    const other = await newPerson(server);
    const shop = await openStorefront(other, { name: 'Shut Media' });
    done(await other.put('/storefront', change));

    const data = await found({}, shop.storefrontId);

    expect(data.sellerNotes).toEqual([
      {
        storefrontId: shop.storefrontId,
        storefrontName: 'Shut Media',
        reason,
        message: expect.stringContaining('storefront'),
      },
    ]);
  });

  test('says what all products of a group have in common once, in the compact form', async () => {
    const data = await found({ detail: 'compact' });

    const [group] = data.productGroups;
    expect(group).toMatchObject({
      salesAgentId: expect.stringMatching(/^agt_/),
      storefrontName: 'Quiet Media',
    });
    for (const product of group.products) {
      expect(product.pricingOptions[0].pricingOptionId).toBe('cpm_usd_1');
      expect(product).not.toHaveProperty('salesAgentId');
      expect(product).not.toHaveProperty('formatIds');
    }
  });
});
