import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { putStatus } from '../../support/buying/campaign-status.ts';
import { colleagueInOtherAccount } from '../../support/callers/colleague.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, flightDates, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

const NEW = '/buyer/discovery/discover-products';

/** Twelve products at each of three publishers; the price of each is its number. */
const shelf = ['one', 'two', 'three'].flatMap((name) =>
  Array.from({ length: 12 }, (_, index) =>
    productAt(`${name}.example`, `${name}-${index + 1}`, {
      pricing_options: [
        { pricing_option_id: 'cpm', pricing_model: 'cpm', currency: 'USD', fixed_price: index + 1 },
      ],
    }),
  ),
);

describe('discover_products', () => {
  let server: TestServer;
  let ada: FarSeller;
  let buyer: Person;
  let advertiserId: string;
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada', shelf);
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterEach(() => ada.agent.on('get_products', () => ({ products: shelf })));
  afterAll(async () => {
    await server.stop();
    await ada.agent.stop();
  });

  const discover = (fields: object = {}, by: Person = buyer) =>
    by.post(NEW, { advertiserId, waitSeconds: 30, ...fields });
  const found = async (fields: object = {}) => done(await discover(fields));

  describe('200', () => {
    test('gives the first page: ten groups at the most, ten products of each, and sums over all', async () => {
      const data = await found();

      expect(data.productGroups.map(({ groupName }: { groupName: string }) => groupName)).toEqual([
        'one.example',
        'two.example',
        'three.example',
      ]);
      for (const group of data.productGroups) {
        expect(group).toMatchObject({ productCount: 10, totalProducts: 12, hasMoreProducts: true });
        expect(group.storefrontId).toBe(ada.storefrontId);
      }
      expect(data).toMatchObject({ totalGroups: 3, hasMoreGroups: false });
      expect(data.summary).toEqual({
        totalProducts: 36,
        publishersCount: 3,
        priceRange: { min: 1, max: 12, avg: 6.5, currency: 'USD' },
      });
    });

    test('sums up the prices in the advertiser’s currency and leaves the others out', async () => {
      const price = (currency: string, fixed_price: number) => ({
        pricing_option_id: currency,
        pricing_model: 'cpm',
        currency,
        fixed_price,
      });
      const priced = (id: string, pricing_options: object[]) =>
        productAt('one.example', id, { pricing_options });
      ada.agent.on('get_products', () => ({
        products: [
          priced('both', [price('EUR', 1), price('USD', 8)]),
          priced('euro', [price('EUR', 3)]),
          priced('dollar', [price('USD', 4)]),
        ],
      }));

      const data = await found();

      expect(data.summary.priceRange).toEqual({ min: 4, max: 8, avg: 6, currency: 'USD' });
      expect(data.productGroups[0].products).toMatchObject([
        { productId: 'both', cpm: 8, currency: 'USD' },
        { productId: 'euro', cpm: 3, currency: 'EUR' },
        { productId: 'dollar', cpm: 4, currency: 'USD' },
      ]);
    });

    test('shows a product with where it comes from and how it is bought', async () => {
      const data = await found();

      expect(data.productGroups[0].products[0]).toEqual({
        productId: 'one-1',
        name: 'Product one-1',
        description: 'Banners of a seller far away.',
        channel: 'display',
        channels: ['display'],
        deliveryType: 'non_guaranteed',
        bookability: 'bookable',
        cpm: 1,
        currency: 'USD',
        pricingOptions: [
          { pricingOptionId: 'cpm', pricingModel: 'cpm', isFixed: true, fixedPrice: 1, currency: 'USD' },
        ],
        formatIds: [{ agentUrl: 'https://creative.example', id: 'display_300x250' }],
        publisherProperties: [{ publisherDomain: 'one.example', selectionType: 'all' }],
        salesAgentId: ada.agentId,
        salesAgentName: 'Agent',
        storefrontId: ada.storefrontId,
        storefrontName: 'Ada',
        isSandbox: false,
      });
    });

    test('pages over groups and over the products of each, and a page beyond the end is empty', async () => {
      const page = async (fields: object) => {
        const data = await found({ groupLimit: 2, productsPerGroup: 5, ...fields });
        return {
          more: data.hasMoreGroups,
          groups: data.productGroups.map(
            (group: { products: { productId: string }[]; hasMoreProducts: boolean }) => [
              ...group.products.map(({ productId }) => productId),
              group.hasMoreProducts,
            ],
          ),
        };
      };

      expect(await page({})).toEqual({
        more: true,
        groups: ['one', 'two']
          .map((name) => [1, 2, 3, 4, 5].map((n) => `${name}-${n}`).concat())
          .map((ids) => [...ids, true]),
      });
      expect(await page({ groupOffset: 2, productOffset: 10 })).toEqual({
        more: false,
        groups: [['three-11', 'three-12', false]],
      });
      expect(await page({ groupOffset: 2, productOffset: 12 })).toEqual({ more: false, groups: [[false]] });
      expect(await page({ groupOffset: 3 })).toEqual({ more: false, groups: [] });
    });

    test('keeps the sums whole on a page beyond the end', async () => {
      const data = await found({ groupOffset: 50, productOffset: 1_000 });

      expect(data).toMatchObject({ productGroups: [], totalGroups: 3, hasMoreGroups: false });
      expect(data.summary.totalProducts).toBe(36);
    });

    test('continues a session by its address, with another page and without asking anybody again', async () => {
      const { discoveryId } = await found();
      const asked = ada.agent.calls.length;

      const { status, body } = await buyer.post(`/buyer/discovery/${discoveryId}/discover-products`, {
        advertiserId,
        groupLimit: 1,
        groupOffset: 1,
        productsPerGroup: 2,
        productOffset: 3,
      });

      expect(status).toBe(200);
      expect(body.data).toMatchObject({ discoveryId, revision: 1, totalGroups: 3, hasMoreGroups: true });
      expect(body.data.productGroups).toMatchObject([
        { groupName: 'two.example', products: [{ productId: 'two-4' }, { productId: 'two-5' }] },
      ]);
      expect(ada.agent.calls).toHaveLength(asked);
    });

    test('hands the brief, the filters, the brand and the time there is on to the seller', async () => {
      await found({
        brief: '  Runners in spring ',
        channels: ['print', 'video'],
        countries: ['US', 'DE'],
        budget: 2_500.5,
        start_date: '2026-12-10T00:00:00+02:00',
        flightDates: { end: '2026-12-31T00:00:00Z' },
      });

      const asked = ada.agent.calls.findLast(({ tool }) => tool === 'get_products')?.args;
      expect(asked).toMatchObject({
        buying_mode: 'brief',
        brief: 'Runners in spring',
        brand: { domain: 'acme.example' },
        account: { brand: { domain: 'acme.example' } },
        filters: {
          // Video runs on these; what is no video is left out where the answer is read.
          channels: expect.arrayContaining(['print', 'olv', 'ctv', 'gaming']),
          countries: ['US', 'DE'],
          start_date: '2026-12-09',
          end_date: '2026-12-31',
          budget_range: { max: 2_500.5, currency: 'USD' },
        },
        time_budget: { interval: 30, unit: 'seconds' },
      });
    });

    test('takes a wait that is longer than a call is held, and says how long that is', async () => {
      const { guidance } = await found({ waitSeconds: 210 });

      expect(guidance).toMatch(/30 seconds/);
      expect(await found({ waitSeconds: 30 })).not.toHaveProperty('guidance');
    });

    test('asks for everything when there is no brief', async () => {
      await found();

      const asked = ada.agent.calls.findLast(({ tool }) => tool === 'get_products')?.args;
      expect(asked).toMatchObject({ buying_mode: 'wholesale' });
      expect(asked).not.toHaveProperty('brief');
      expect(asked).not.toHaveProperty('filters');
    });

    test('takes what is left out from a draft campaign, and is attached to it', async () => {
      const { campaign } = done(
        await buyer.post('/buyer/campaigns', {
          advertiserId,
          name: 'Spring',
          brief: 'Skaters',
          flightDates,
          budget: { total: 400 },
          constraints: { channels: ['display'], geo_countries: ['FR'] },
          storefrontIds: [ada.storefrontId],
        }),
      );

      const data = await found({ campaignId: campaign.campaignId });

      const asked = ada.agent.calls.findLast(({ tool }) => tool === 'get_products')?.args;
      expect(asked).toMatchObject({
        brief: 'Skaters',
        filters: { channels: ['display'], countries: ['FR'], budget_range: { max: 400, currency: 'USD' } },
      });
      expect(data.budgetContext).toEqual({ sessionBudget: 400, allocatedBudget: 0, remainingBudget: 400 });
      const attached = done(await buyer.get(`/buyer/campaigns/${campaign.campaignId}`)).campaign;
      expect(attached.discoveryId).toBe(data.discoveryId);
    });

    test('answers at once with what there is when it is told not to wait', async () => {
      const data = await found({ waitSeconds: 0, brief: 'now' });

      expect(data).toMatchObject({ resultsComplete: false, revision: 0 });
      expect(data.pendingAgents).toMatchObject([{ agentId: ada.agentId, agentName: 'Agent' }]);
    });
  });

  describe('400', () => {
    test.each([
      ['groupLimit', { groupLimit: 11 }, /10/],
      ['productsPerGroup', { productsPerGroup: 16 }, /15/],
      ['productOffset', { productOffset: 1_001 }, /1000/],
      ['groupOffset', { groupOffset: -1 }, /0/],
      ['waitSeconds', { waitSeconds: 211 }, /210/],
      ['pricingModel', { pricingModel: 'barter' }, /cpm/],
      ['channels.0', { channels: ['television'] }, /ctv/],
      ['countries.0', { countries: ['usa'] }, /US/],
      ['budget', { budget: 10.001 }, /2 decimals/],
      ['budgets', { budgets: 10 }, /budget/],
      ['publisherDomain', { publisherDomain: 'not a domain' }, /acme\.example/],
      ['end_date', { start_date: '2026-12-31T00:00:00Z', end_date: '2026-12-10T00:00:00Z' }, /after/],
      ['storefrontIds.0', { storefrontIds: [999_999_999] }, /storefront/],
      ['storefrontNames.0', { storefrontNames: ['Nobody'] }, /storefront/],
    ])(
      'VALIDATION_ERROR names %s as the caller spelled it and says what is allowed',
      async (path, fields, says) => {
        const reply = await discover(fields);

        expectRefusal(reply, 400, { code: 'VALIDATION_ERROR', at: { [path]: says } });
      },
    );

    test('VALIDATION_ERROR without an advertiser', async () => {
      const reply = await buyer.post(NEW, {});

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          advertiserId:
            'Required to start a session without the campaignId of a draft: find ids with advertiser_list.',
        },
      });
    });
  });

  describe('403', () => {
    test('ACCESS_DENIED for an advertiser, a session and a campaign of another account', async () => {
      const { campaignId, discoveryId } = await draftCampaign(buyer, { advertiserId });
      const colleague = await colleagueInOtherAccount(server, buyer);
      const own = await newAdvertiser(colleague);

      const answers = {
        advertiser: await discover({}, colleague),
        campaign: await discover({ advertiserId: own, campaignId }, colleague),
        'discovery session': await colleague.post(`/buyer/discovery/${discoveryId}/discover-products`, {}),
      };

      for (const [word, reply] of Object.entries(answers)) {
        const words = `This ${word} belongs to an account or advertiser beyond your grants.`;
        expectRefusal(reply, 403, { code: 'ACCESS_DENIED', words });
      }
    });
  });

  describe('404', () => {
    test('NOT_FOUND for an advertiser, a session and a campaign of another organization', async () => {
      const { campaignId, discoveryId } = await draftCampaign(buyer, { advertiserId });
      const stranger = await newPerson(server);
      const own = await newAdvertiser(stranger);

      const answers = {
        advertiser: await discover({}, stranger),
        campaign: await discover({ advertiserId: own, campaignId }, stranger),
        'discovery session': await stranger.post(`/buyer/discovery/${discoveryId}/discover-products`, {}),
      };

      for (const [word, reply] of Object.entries(answers)) {
        const words = `No such ${word}.`;
        expectRefusal(reply, 404, { code: 'NOT_FOUND', words });
      }
    });
  });

  describe('409', () => {
    test('CONFLICT for a campaign that is no draft any more', async () => {
      const { campaignId } = await draftCampaign(buyer, { advertiserId });
      await putStatus(server, buyer, { campaignId, status: 'ACTIVE' });

      const reply = await discover({ campaignId });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The campaign is ACTIVE; a session is attached while it is DRAFT.',
      });
    });
  });

  describe('422', () => {
    test('VALIDATION_ERROR for a session of another of the caller’s advertisers', async () => {
      const { discoveryId } = await found();
      const other = await newAdvertiser(buyer);

      const reply = await buyer.post(`/buyer/discovery/${discoveryId}/discover-products`, {
        advertiserId: other,
      });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { advertiserId: 'The session belongs to another advertiser.' },
      });
    });

    test('VALIDATION_ERROR for another brief in a session that has one', async () => {
      const { discoveryId } = await found({ brief: 'Runners' });

      const reply = await buyer.post(`/buyer/discovery/${discoveryId}/discover-products`, {
        brief: 'Swimmers',
      });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { brief: 'A session keeps what it was opened with.' },
      });
    });
  });
});
