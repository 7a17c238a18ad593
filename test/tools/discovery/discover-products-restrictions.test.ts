import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../../support/sellers/market.ts';
import { adcpProduct } from '../../support/sellers/seller-agent.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const auction = {
  pricing_options: [{ pricing_option_id: 'bid', pricing_model: 'cpc', currency: 'USD', floor_price: 0.2 }],
};

describe('discover_products, restricted', () => {
  let server: TestServer;
  let ada: FarSeller;
  let nearId: string;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada Media', [
      productAt('news.example', 'ada-news'),
      productAt('sport.news.example', 'ada-sport', { channels: ['ctv', 'olv'] }),
      productAt('fakenews.example', 'ada-fake', auction),
      adcpProduct('ada-network', {
        publisher_properties: [{ publisher_domains: ['a.example', 'news.example'], selection_type: 'all' }],
      }),
    ]);
    const near = await openStorefront(await newPerson(server), {
      name: 'Corner Media',
      products: [
        productFields({ name: 'Near US', countries: ['US'] }),
        productFields({ name: 'Near FR', countries: ['FR'], channels: ['podcast'] }),
        productFields({ name: 'Near everywhere', countries: [] }),
      ],
    });
    nearId = near.storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  const discover = async (fields: object) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', { advertiserId, waitSeconds: 30, ...fields }),
    );
  const namesIn = (data: { productGroups: { products: { productId: string; name: string }[] }[] }) =>
    data.productGroups
      .flatMap(({ products }) => products)
      .map(({ productId, name }) => (name.startsWith('Near') ? name : productId))
      .sort();

  const all = ['Near FR', 'Near US', 'Near everywhere', 'ada-fake', 'ada-network', 'ada-news', 'ada-sport'];

  describe('200', () => {
    test('asks every storefront that transacts when none is named', async () => {
      expect(namesIn(await discover({}))).toEqual(all);
    });

    test.each([
      ['storefrontIds', () => ({ storefrontIds: [nearId] })],
      ['a storefront id as a number', () => ({ storefrontIds: [Number(nearId)] })],
      ['storefrontNames, in any case', () => ({ storefrontNames: ['cORNER mEDIA'] })],
      ['a part of a name', () => ({ storefrontNames: ['rner'] })],
    ])('asks only the storefronts named by %s', async (_, restriction) => {
      const asked = ada.agent.calls.length;

      const data = await discover(restriction());

      expect(namesIn(data)).toEqual(['Near FR', 'Near US', 'Near everywhere']);
      expect(ada.agent.calls).toHaveLength(asked);
    });

    test('asks the storefronts named either way when both are given', async () => {
      const data = await discover({ storefrontIds: [nearId], storefrontNames: ['Ada Media'] });

      expect(namesIn(data)).toEqual(all);
    });

    test('keeps the products of a publisher and of its subdomains, matched by whole labels', async () => {
      const data = await discover({ publisherDomain: 'News.example', storefrontNames: ['Ada Media'] });

      expect(namesIn(data)).toEqual(['ada-network', 'ada-news', 'ada-sport']);
    });

    test('finds publishers by any whole part of their domain', async () => {
      const named = (publisherDomain: string) =>
        discover({ publisherDomain, storefrontNames: ['Ada Media'] });

      expect(namesIn(await named('news'))).toEqual(['ada-network', 'ada-news', 'ada-sport']);
      expect(namesIn(await named('sport.news'))).toEqual(['ada-sport']);
      expect(namesIn(await named('example'))).toEqual(['ada-fake', 'ada-network', 'ada-news', 'ada-sport']);
      expect(namesIn(await named('ews'))).toEqual([]);
    });

    test('takes an empty list for no filter', async () => {
      const none = { channels: [], countries: [], storefrontIds: [], storefrontNames: [] };

      expect(namesIn(await discover(none))).toEqual(all);
    });

    test('keeps the products that are sold by the pricing model', async () => {
      expect(namesIn(await discover({ pricingModel: 'cpc' }))).toEqual(['ada-fake']);
      expect(namesIn(await discover({ pricingModel: 'flat_rate' }))).toEqual([]);
    });

    test('keeps the products of any of the channels; video means olv', async () => {
      expect(namesIn(await discover({ channels: ['video', 'podcast'] }))).toEqual(['Near FR', 'ada-sport']);
    });

    test('keeps the products that run in the country or everywhere, and asks agents for that country', async () => {
      const data = await discover({ countries: ['FR'], storefrontIds: [nearId] });

      expect(namesIn(data)).toEqual(['Near FR', 'Near everywhere']);
    });

    test('holds all restrictions at once', async () => {
      const data = await discover({
        channels: ['ctv'],
        publisherDomain: 'news.example',
        pricingModel: 'cpm',
      });

      expect(namesIn(data)).toEqual(['ada-sport']);
      expect(data).toMatchObject({ totalGroups: 1, summary: { totalProducts: 1, publishersCount: 1 } });
    });

    test('completes at once, with one revision, when nobody can be asked', async () => {
      const silent = await newPerson(server);
      const { storefrontId } = await openStorefront(silent, { name: 'Closed Media' });
      done(await silent.put('/storefront', { transacting: false }));

      const data = await discover({ storefrontIds: [storefrontId] });

      expect(data).toMatchObject({
        revision: 1,
        resultsComplete: true,
        productGroups: [],
        pendingAgents: [],
      });
    });
  });
});
