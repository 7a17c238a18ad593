import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pricingModels } from '../../../tools/domain/pricing.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const soldBy = (pricing_model: string) => ({
  pricing_options: [{ pricing_option_id: 'o', pricing_model, currency: 'USD', fixed_price: 1 }],
});

/** Products each in a country and on a channel of its own, one of them a video in games, and one that says neither. */
const shelf = [
  productAt('one.example', 'us-display', { countries: ['US'], channels: ['display'] }),
  productAt('one.example', 'de-podcast', { countries: ['DE'], channels: ['podcast'] }),
  productAt('two.example', 'fr-ctv', { countries: ['FR'], channels: ['ctv'], ...soldBy('cpcv') }),
  productAt('two.example', 'silent', { channels: [] }),
  productAt('three.example', 'it-gaming', {
    countries: ['IT'],
    channels: ['gaming'],
    format_ids: [{ agent_url: 'https://formats.example', id: 'Video_15s' }],
  }),
];

describe('the filters of discover_products', () => {
  let server: TestServer;
  let far: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    far = await farSeller(server, 'Far Media', shelf);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(async () => {
    await server.stop();
    await far.agent.stop();
  });

  const discover = async (fields: object) =>
    done(
      await buyer.post('/buyer/discovery/discover-products', {
        advertiserId,
        waitSeconds: 30,
        storefrontIds: [far.storefrontId],
        ...fields,
      }),
    );
  const idsOf = (data: { productGroups: { products: { productId: string }[] }[] }) =>
    data.productGroups.flatMap(({ products }) => products.map(({ productId }) => productId)).sort();

  test.each([
    ['one country', { countries: ['DE'] }, ['de-podcast', 'silent']],
    ['either of two countries', { countries: ['DE', 'FR'] }, ['de-podcast', 'fr-ctv', 'silent']],
    ['one channel', { channels: ['ctv'] }, ['fr-ctv', 'silent']],
    ['either of two channels', { channels: ['ctv', 'display'] }, ['fr-ctv', 'silent', 'us-display']],
    ['video, wherever it runs', { channels: ['video'] }, ['fr-ctv', 'it-gaming', 'silent']],
    ['whatever is audio', { channels: ['audio'] }, ['de-podcast', 'silent']],
    ['a country and a channel, both', { countries: ['DE'], channels: ['ctv'] }, ['silent']],
    ['a publisher and a country, both', { publisherDomain: 'two', countries: ['FR'] }, ['fr-ctv', 'silent']],
    ['a model and a publisher, both', { pricingModel: 'cpcv', publisherDomain: 'one' }, []],
    ['a model and a country, both', { pricingModel: 'cpcv', countries: ['FR', 'US'] }, ['fr-ctv']],
  ])('keep what is of %s, and what says nothing of it', async (_, filter, ids) => {
    expect(idsOf(await discover(filter))).toEqual(ids);
  });

  test('show what runs at several publishers under the one that was asked for, also to who browses by it', async () => {
    const publishers = ['first.example', 'news.second.example', 'third.example'];
    far.agent.on('get_products', () => ({
      products: [
        productAt('second.example', 'alone'),
        productAt('', 'bundle', {
          publisher_properties: publishers.map((publisher_domain) => ({
            publisher_domain,
            selection_type: 'all',
          })),
        }),
      ],
    }));

    const data = await discover({ publisherDomain: 'second.example' });
    const browse = `/buyer/discovery/${data.discoveryId}/browse-products?publisherDomain=second.example`;
    const browsed = done(await buyer.get(browse));

    const groupsOf = ({ productGroups }: { productGroups: { groupName: string }[] }) =>
      productGroups.map(({ groupName }) => groupName).sort();
    expect(groupsOf(data)).toEqual(['news.second.example', 'second.example']);
    expect(groupsOf(browsed)).toEqual(groupsOf(data));
    expect(groupsOf(await discover({}))).toEqual(['first.example', 'second.example']);
    far.agent.on('get_products', () => ({ products: shelf }));
  });

  test('know every pricing model of the contract', async () => {
    const models = ['cpm', 'vcpm', 'cpc', 'cpcv', 'cpv', 'cpp', 'cpa', 'flat_rate', 'time'];
    far.agent.on('get_products', () => ({
      products: models.map((model) => productAt('one.example', `by-${model}`, soldBy(model))),
    }));

    const found = await Promise.all(
      models.map(async (pricingModel) => idsOf(await discover({ pricingModel }))),
    );

    expect([...pricingModels].sort()).toEqual([...models].sort());
    expect(found).toEqual(models.map((model) => [`by-${model}`]));
    far.agent.on('get_products', () => ({ products: shelf }));
  });

  test('are asked of the seller as they are, each that it knows', async () => {
    await discover({ channels: ['ctv'], countries: ['FR', 'US'], budget: 50, flightDates });

    expect(far.agent.calls.at(-1)?.args['filters']).toEqual({
      channels: ['ctv'],
      countries: ['FR', 'US'],
      start_date: '2026-12-10',
      end_date: '2026-12-31',
      budget_range: { max: 50, currency: 'USD' },
    });
  });

  describe('of a draft campaign', () => {
    const draft = async () => {
      const made = await buyer.post('/buyer/campaigns', {
        advertiserId,
        name: 'Spring',
        brief: 'Skaters',
        flightDates,
        budget: { total: 400 },
      });
      return done(made).campaign.campaignId as string;
    };

    test('hold where nothing else is said: its brief, its dates and its budget', async () => {
      const data = await discover({ campaignId: await draft() });

      expect(far.agent.calls.at(-1)?.args).toMatchObject({
        brief: 'Skaters',
        filters: {
          start_date: '2026-12-10',
          end_date: '2026-12-31',
          budget_range: { max: 400, currency: 'USD' },
        },
      });
      expect(data.budgetContext).toMatchObject({ sessionBudget: 400 });
    });

    test('give way to what is said, each by itself', async () => {
      const data = await discover({ campaignId: await draft(), brief: 'Sailors', budget: 90 });

      expect(far.agent.calls.at(-1)?.args).toMatchObject({
        brief: 'Sailors',
        filters: { start_date: '2026-12-10', budget_range: { max: 90, currency: 'USD' } },
      });
      expect(data.budgetContext).toEqual({ sessionBudget: 90, allocatedBudget: 0, remainingBudget: 90 });
    });
  });
});
