import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { colleagueInOtherAccount } from '../../support/callers/colleague.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  done,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { writesBetween } from '../../support/server/between.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

describe('campaign_create', () => {
  const between = writesBetween('campaign_create');
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let storefrontId: string;
  /** A storefront with two products. */
  let pairId: string;
  beforeAll(async () => {
    server = await startTestServer({ families: between.families });
    storefrontId = (await openStorefront(await newPerson(server))).storefrontId;
    const products = [productFields({ name: 'One' }), productFields({ name: 'Two' })];
    pairId = (await openStorefront(await newPerson(server), { name: 'Pair Media', products })).storefrontId;
    buyer = await newPerson(server);
    advertiserId = await newAdvertiser(buyer);
  });
  afterAll(() => server.stop());

  const fields = (changes: object = {}) => ({
    advertiserId,
    name: 'Winter',
    flightDates,
    budget: { total: 1_000 },
    ...changes,
  });
  const create = (changes: object = {}, by: Person = buyer) => by.post('/buyer/campaigns', fields(changes));
  const session = async (by: Person = buyer, advertiser = advertiserId): Promise<string> => {
    const wanted = { advertiserId: advertiser, waitSeconds: 30 };
    return done(await by.post('/buyer/discovery/discover-products', wanted)).discoveryId;
  };

  const sessionWith = async (): Promise<{ discoveryId: string; productIds: string[] }> => {
    const wanted = { advertiserId, waitSeconds: 30, storefrontIds: [pairId] };
    const { discoveryId, productGroups } = done(
      await buyer.post('/buyer/discovery/discover-products', wanted),
    );
    const products = productGroups.flatMap((group: { products: { productId: string }[] }) => group.products);
    return { discoveryId, productIds: products.map(({ productId }: { productId: string }) => productId) };
  };

  describe('201', () => {
    test('makes a draft in the advertiser’s currency, as it can be read back', async () => {
      const { status, body } = await create();

      expect(status).toBe(201);
      expect(body.data.campaign).toEqual({
        campaignId: expect.stringMatching(/^cmp_\w+$/),
        advertiserId,
        name: 'Winter',
        sandbox: false,
        status: 'DRAFT',
        flightDates,
        budget: { total: 1_000, currency: 'USD' },
        mode: 'discovery',
        management: 'managed',
        revision: 1,
        optimizationApplyMode: 'MANUAL',
        allocatedBudget: 0,
        unallocatedBudget: 1_000,
        warnings: [expect.stringMatching(/^No product is chosen for this campaign\. Choose products with /)],
        mediaBuyRefs: [],
        mediaBuys: [],
        createdAt: expect.stringMatching(/^2026-12-01T.*Z$/),
        updatedAt: expect.stringMatching(/^2026-12-01T.*Z$/),
      });
      const { campaignId } = body.data.campaign;
      expect(done(await buyer.get(`/buyer/campaigns/${campaignId}`))).toEqual(body.data);
    });

    test('keeps every field that is given', async () => {
      const { campaign } = done(
        await create({
          advertiserId: Number(advertiserId),
          budget: { total: 1_000.01, currency: 'usd', dailyCap: 0.01, pacing: 'ASAP' },
          brief: 'Skaters',
          constraints: { channels: ['ctv'], geo_countries: ['US', 'CA'] },
          storefrontIds: [storefrontId],
          discoveryId: await session(),
        }),
      );

      expect(campaign).toMatchObject({
        budget: { total: 1_000.01, currency: 'USD', dailyCap: 0.01, pacing: 'ASAP' },
        brief: 'Skaters',
        constraints: { channels: ['ctv'], geo_countries: ['US', 'CA'] },
        storefronts: [{ id: Number(storefrontId), name: 'Corner Media' }],
        discoveryId: expect.stringMatching(/^disc_/),
        productCount: 0,
      });
    });

    test('chooses products of its session with productIds, and leaves what was chosen before as it was', async () => {
      const found = await sessionWith();
      const [first, second] = found.productIds;
      const path = `/buyer/discovery/${found.discoveryId}/products`;
      done(await buyer.post(path, { products: [{ productId: first, budget: 300 }] }));

      const { campaign } = done(
        await create({ discoveryId: found.discoveryId, productIds: [second, first, second] }),
      );

      expect(campaign).toMatchObject({ productCount: 2, discoveryId: found.discoveryId });
      const { products } = done(await buyer.get(path));
      expect(products).toMatchObject([{ productId: first, budget: 300 }, { productId: second }]);
      expect(products[1]).not.toHaveProperty('budget');
    });

    test('takes empty lists for none', async () => {
      const { campaign } = done(await create({ productIds: [], storefrontIds: [] }));

      expect(campaign).not.toHaveProperty('storefronts');
    });

    test('keeps an amount of a currency without decimals whole', async () => {
      const yen = await newAdvertiser(buyer, { primaryCurrency: 'JPY' });

      const { campaign } = done(await create({ advertiserId: yen, budget: { total: 1_001 } }));

      expect(campaign.budget).toEqual({ total: 1_001, currency: 'JPY' });
    });

    test('goes on when another campaign fixes the same currency in the meantime', async () => {
      const fresh = await newAdvertiser(buyer);
      between.next(() => create({ advertiserId: fresh }));

      expect((await create({ advertiserId: fresh })).status).toBe(201);
    });

    test('fixes the currency of its advertiser', async () => {
      const fresh = await newAdvertiser(buyer);
      await create({ advertiserId: fresh });

      const reply = await buyer.put(`/buyer/advertisers/${fresh}`, { primaryCurrency: 'EUR' });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { primaryCurrency: 'The currency is USD since the first campaign and cannot change.' },
      });
    });
  });

  describe('400', () => {
    test('VALIDATION_ERROR names each product that the session has not found, and nothing is made', async () => {
      const found = await sessionWith();
      const total = async () => done(await buyer.get('/buyer/campaigns')).total;
      const before = await total();

      const productIds = ['nothing', found.productIds[0], 'nowhere'];
      const reply = await create({ discoveryId: found.discoveryId, productIds });

      expectRefusal(reply, 400, {
        code: 'VALIDATION_ERROR',
        at: {
          'productIds.0': 'This session has not found such a product.',
          'productIds.2': 'This session has not found such a product.',
        },
      });
      expect(await total()).toBe(before);
      const chosen = done(await buyer.get(`/buyer/discovery/${found.discoveryId}/products`));
      expect(chosen.products).toEqual([]);
    });

    test('VALIDATION_ERROR for productIds without the session that found them', async () => {
      expectRefusal(await create({ productIds: ['prd_1'] }), 400, {
        code: 'VALIDATION_ERROR',
        at: { productIds: 'They are products of a discovery session: give its discoveryId as well.' },
      });
    });

    const start_date = '2026-12-31T00:00:00Z';
    test.each<[string, string | RegExp, object]>([
      ['name', '1 character at the least.', { name: ' ' }],
      ['name', '255 characters at the most.', { name: 'x'.repeat(256) }],
      ['brief', '5000 characters at the most.', { brief: 'x'.repeat(5_001) }],
      ['budget.total', 'More than 0.', { budget: { total: 0 } }],
      ['budget.amount', 'More than 0.', { budget: { amount: -1 } }],
      ['budget.amount', 'USD has 2 decimals at the most.', { budget: { amount: 10.005 } }],
      ['budget.total', 'USD has 2 decimals at the most.', { budget: { total: 10.005 } }],
      ['budget.dailyCap', 'USD has 2 decimals at the most.', { budget: { total: 10, dailyCap: 0.001 } }],
      ['budget.pacing', 'Give one of: EVEN, ASAP, FRONTLOADED.', { budget: { total: 10, pacing: 'fast' } }],
      [
        'budget.currency',
        'Give an ISO 4217 currency code, such as USD.',
        { budget: { total: 10, currency: 'DOLLAR' } },
      ],
      [
        'flightDates.endDate',
        'Must be after the start.',
        { flightDates: { startDate: start_date, endDate: flightDates.startDate } },
      ],
      [
        'flightDates.end',
        'Must be after the start.',
        { flightDates: { start: start_date, end: start_date } },
      ],
      [
        'end_date',
        'Must be after the start.',
        { flightDates: undefined, start_date, end_date: '2026-12-31T01:00:00+02:00' },
      ],
      [
        'start_date',
        'Give a date and time with an offset, such as 2026-12-01T00:00:00Z, or a day.',
        { flightDates: { end: start_date }, start_date: 'soon' },
      ],
      ['start_date', 'Says something else than flightDates.startDate; give one of them.', { start_date }],
      [
        'constraints.channels.0',
        /^Give one of: display, olv, .*, sponsored_intelligence\.$/,
        { constraints: { channels: ['television'] } },
      ],
      [
        'constraints.geo_countries.0',
        'Give a two-letter country code of ISO 3166, such as US.',
        { constraints: { geo_countries: ['USA'] } },
      ],
      ['storefrontIds.0', 'No such storefront.', { storefrontIds: [999_999_999] }],
      ['breif', 'Unknown field. Did you mean brief?', { breif: 'Runners' }],
      ['budgets', 'Unknown field: leave it out, budget is given already.', { budgets: 1 }],
    ])('VALIDATION_ERROR names %s as the caller spelled it', async (field, words, changes) => {
      expectRefusal(await create(changes), 400, { code: 'VALIDATION_ERROR', at: { [field]: words } });
    });

    test('CURRENCY_MISMATCH for a budget in another currency than the advertiser’s', async () => {
      const reply = await create({ budget: { total: 10, currency: 'EUR' } });

      expectRefusal(reply, 400, {
        code: 'CURRENCY_MISMATCH',
        at: { 'budget.currency': 'The advertiser pays in USD, not in EUR.' },
      });
    });
  });

  describe('403', () => {
    test('ACCESS_DENIED for an advertiser or a session of another account', async () => {
      const colleague = await colleagueInOtherAccount(server, buyer);
      const own = await newAdvertiser(colleague);

      expectRefusal(await create({}, colleague), 403, {
        code: 'ACCESS_DENIED',
        words: 'This advertiser belongs to an account or advertiser beyond your grants.',
      });
      const withSession = { advertiserId: own, discoveryId: await session() };
      expectRefusal(await create(withSession, colleague), 403, {
        code: 'ACCESS_DENIED',
        words: 'This discovery session belongs to an account or advertiser beyond your grants.',
      });
    });
  });

  describe('404', () => {
    test('NOT_FOUND for an advertiser or a session of another organization', async () => {
      const stranger = await newPerson(server);
      const own = await newAdvertiser(stranger);

      expectRefusal(await create({}, stranger), 404, { code: 'NOT_FOUND', words: 'No such advertiser.' });
      const withSession = { advertiserId: own, discoveryId: await session() };
      expectRefusal(await create(withSession, stranger), 404, {
        code: 'NOT_FOUND',
        words: 'No such discovery session.',
      });
    });
  });

  describe('409', () => {
    test('CONFLICT when the currency changes in the meantime, and nothing is made', async () => {
      const moving = await newAdvertiser(buyer);
      between.next(() => buyer.put(`/buyer/advertisers/${moving}`, { primaryCurrency: 'JPY' }));

      const reply = await create({ advertiserId: moving });

      expectRefusal(reply, 409, {
        code: 'CONFLICT',
        words: 'The advertiser was changed by somebody else in the meantime.',
      });
      expect(done(await buyer.get(`/buyer/campaigns?advertiserId=${moving}`)).campaigns).toEqual([]);
      expect((await create({ advertiserId: moving })).body.data.campaign.budget.currency).toBe('JPY');
    });

    test('CONFLICT for an archived advertiser', async () => {
      const retired = await newAdvertiser(buyer);
      done(await buyer.put(`/buyer/advertisers/${retired}`, { status: 'ARCHIVED' }));

      expectRefusal(await create({ advertiserId: retired }), 409, {
        code: 'CONFLICT',
        words: 'The advertiser is archived.',
      });
    });
  });

  describe('422', () => {
    test('VALIDATION_ERROR for a session of another of the caller’s advertisers', async () => {
      const other = await newAdvertiser(buyer);

      const reply = await create({ discoveryId: await session(buyer, other) });

      expectRefusal(reply, 422, {
        code: 'VALIDATION_ERROR',
        at: { discoveryId: 'The session belongs to another advertiser.' },
      });
    });

    test('CAPABILITY_NOT_SUPPORTED for constraints that a seller of the choice does not declare', async () => {
      const { discoveryId, productIds } = await sessionWith();
      const constraints = { geo_metros_exclude: [{ system: 'nielsen_dma', values: ['501'] }] };

      expectRefusal(await create({ discoveryId, productIds, constraints }), 422, {
        code: 'CAPABILITY_NOT_SUPPORTED',
        at: { 'constraints.geo_metros_exclude': /^The seller declares no targeting by geo_metros_exclude/ },
      });
    });
  });
});
