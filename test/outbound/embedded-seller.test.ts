import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeTenant } from '../../store/engine/scope.ts';
import { findSeller } from '../../store/unscoped/market.ts';
import { embeddedSellers } from '../../tools/domain/sellers/embedded/seller.ts';
import type { BuyReference, Order, OrderPackage, Seller, Sellers } from '../../tools/domain/sellers/port.ts';
import { asSeller } from '../../tools/domain/sellers/seller.ts';
import { newPerson, type Person } from '../support/callers/people.ts';
import { type ManualClock, manualClock, START } from '../support/run/clock.ts';
import { countingIds } from '../support/run/ids.ts';
import { skippingClock } from '../support/run/skipping-clock.ts';
import { draftOf } from '../support/sellers/discovery.ts';
import { done, newAdvertiser, openStorefront, productFields } from '../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../support/server/server.ts';

const HOUR_MS = 3_600_000;
const SECOND_MS = 1_000;
const never = new AbortController().signal;
const party = { brand: 'acme.example', operator: 'agency.example', sandbox: true };

describe('the embedded seller', () => {
  let server: TestServer;
  let clock: ManualClock;
  let sellers: Sellers;
  let viewer: number;
  let seller: Seller;
  let other: Seller;
  /** The products in the order they were made. */
  let fixed: string;
  let auction: string;
  let dear: string;
  let abroad: string;
  let flat: string;
  let options: Map<string, string>;

  beforeAll(async () => {
    server = await startTestServer({ own: true });
    clock = manualClock();
    sellers = embeddedSellers({
      store: server.store,
      clock,
      ids: countingIds(),
      digest: server.running.app.services.ports.digest,
    });
    const { agentId, productIds } = await openStorefront(await newPerson(server), {
      products: [
        productFields({ name: 'Morning display', description: 'Banners beside the news.' }),
        productFields({
          name: 'Running podcast',
          description: 'Spots between the talk.',
          channels: ['podcast'],
          pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', floorPrice: 8 }],
        }),
        productFields({
          name: 'Evening film',
          description: 'Spots before the film.',
          channels: ['ctv'],
          pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 30, minSpend: 5_000 }],
        }),
        productFields({
          name: 'Alpine radio',
          description: 'Spots between the songs.',
          channels: ['radio'],
          countries: ['CH'],
          pricingOptions: [{ pricingModel: 'cpm', currency: 'EUR', fixedPrice: 4 }],
        }),
        productFields({
          name: 'Harbour takeover',
          description: 'The whole front page.',
          pricingOptions: [{ pricingModel: 'flat_rate', currency: 'USD', fixedPrice: 6_000 }],
        }),
      ],
    });
    [fixed = '', auction = '', dear = '', abroad = '', flat = ''] = productIds;
    viewer = (await newPerson(server)).organizationId;
    seller = await sellerOf(agentId);
    other = await sellerOf((await openStorefront(await newPerson(server))).agentId);
    const offered = await sellers.getProducts(seller, { party, timeBudgetSeconds: 30 }, never);
    options = new Map(
      (offered as { product_id: string; pricing_options: { pricing_option_id: string }[] }[]).map(
        ({ product_id, pricing_options: [first] }) => [product_id, first?.pricing_option_id ?? ''],
      ),
    );
  });
  afterAll(() => server.stop());

  async function sellerOf(agentId: string): Promise<Seller> {
    const row = await findSeller(server.store.db, makeTenant(viewer), agentId);
    if (row === undefined) throw new Error(`There is no seller ${agentId}.`);
    return asSeller(row);
  }

  const part = (productId: string, budget: number, more: Partial<OrderPackage> = {}): OrderPackage => ({
    product_id: productId,
    pricing_option_id: options.get(productId) ?? '',
    budget,
    ...more,
  });

  let keys = 0;
  function order(packages: readonly OrderPackage[], changes: Partial<Order> = {}): Order {
    keys += 1;
    return {
      party,
      idempotencyKey: `mb_key_${keys}.attempt-1`,
      startTime: new Date(START).toISOString(),
      endTime: new Date(START + 100 * HOUR_MS).toISOString(),
      currency: 'USD',
      packages,
      ...changes,
    };
  }

  const place = (wanted: Order, at = seller) => sellers.createMediaBuy(at, wanted, never);

  async function buy(wanted: Order): Promise<BuyReference & { mediaBuyId: string }> {
    const answer = await place(wanted);
    if (answer.kind !== 'accepted') throw new Error(JSON.stringify(answer));
    return { party: wanted.party, mediaBuyId: answer.mediaBuyId, taskId: null };
  }

  async function reportOf(reference: BuyReference) {
    const report = await sellers.getMediaBuy(seller, reference, never);
    if (report.kind !== 'buy') throw new Error(JSON.stringify(report));
    return report;
  }

  describe('offers', () => {
    const idsFor = async (query: object) => {
      const offered = await sellers.getProducts(seller, { party, timeBudgetSeconds: 30, ...query }, never);
      return (offered as { product_id: string }[]).map(({ product_id }) => product_id);
    };

    test('everything without a brief', async () => {
      expect((await idsFor({})).sort()).toEqual([fixed, auction, dear, abroad, flat].sort());
    });

    test('what matches the brief, the best first, and says why', async () => {
      const offered = await sellers.getProducts(
        seller,
        { party, timeBudgetSeconds: 30, brief: 'We want to reach runners who hear talks, or read news' },
        never,
      );

      expect([...offered]).toMatchObject([
        { product_id: auction, brief_relevance: 'Matches the brief in: runners, talks.' },
        { product_id: fixed, brief_relevance: 'Matches the brief in: news.' },
      ]);
      expect(offered).toHaveLength(2);
    });

    test('everything when nothing matches, and says that nothing does', async () => {
      expect(await idsFor({ brief: 'zeppelins' })).toHaveLength(5);
      const query = { party, timeBudgetSeconds: 30 };
      const lost = await sellers.getProducts(seller, { ...query, brief: 'zeppelins' }, never);
      expect(lost.briefMatched).toBe(false);
      expect((await sellers.getProducts(seller, query, never)).briefMatched).toBe(true);
    });

    test('how many of its products each filter left out', async () => {
      const query = { party, timeBudgetSeconds: 30, countries: ['CH'], channels: ['ctv'] };

      const { hidden } = await sellers.getProducts(seller, query, never);

      expect(hidden).toEqual({ channels: 4, countries: 1 });
    });

    test('only the channels and countries that are asked for', async () => {
      expect(await idsFor({ channels: ['ctv', 'podcast'] })).toEqual([auction, dear]);
      expect(await idsFor({ countries: ['CH'] })).toEqual([abroad]);
      expect(await idsFor({ countries: ['CH'], channels: ['ctv'] })).toEqual([]);
    });
  });

  describe('takes an order', () => {
    test('with a package for each product, at the budgets ordered', async () => {
      const answer = await place(order([part(fixed, 100.25), part(auction, 50, { bid_price: 9 })]));

      expect(answer).toMatchObject({
        kind: 'accepted',
        mediaBuyId: expect.stringMatching(/^smb_/),
        packages: [
          { product_id: fixed, budget: 100.25 },
          { product_id: auction, budget: 50 },
        ],
      });
    });

    test('once: the same key and order is the same buy, also when both come at once', async () => {
      const wanted = order([part(fixed, 100)]);

      const answers = await Promise.all([place(wanted), place(wanted), place(wanted)]);

      expect(answers[1]).toEqual(answers[0]);
      expect(answers[2]).toEqual(answers[0]);
      expect(await place(wanted)).toEqual(answers[0]);
      const rows = await server.store.db
        .selectFrom('embedded_buys')
        .select('id')
        .where('organization_id', '=', seller.source.organizationId)
        .where('idempotency_key', '=', wanted.idempotencyKey)
        .execute();
      expect(rows).toHaveLength(1);
    });

    test('under a key that another seller has used', async () => {
      const wanted = order([part(fixed, 100)]);
      await place(wanted);

      expect(await place(wanted, other)).toMatchObject({ kind: 'refused', code: 'PRODUCT_NOT_FOUND' });
    });

    test('at exactly its minimum spend', async () => {
      expect((await place(order([part(dear, 5_000)]))).kind).toBe('accepted');
    });

    test('with a bid at its floor', async () => {
      expect((await place(order([part(auction, 100, { bid_price: 8 })]))).kind).toBe('accepted');
    });
  });

  describe('refuses', () => {
    test.each([
      {
        what: 'a budget below the minimum spend',
        packages: () => [part(dear, 4_999.99)],
        code: 'BUDGET_TOO_LOW',
        words: /5,?000/,
      },
      {
        what: 'a budget below a flat rate',
        packages: () => [part(flat, 5_999.99)],
        code: 'BUDGET_TOO_LOW',
        words: /^Harbour takeover starts at 6000\.00 USD\.$/,
      },
      {
        what: 'a bid below the floor',
        packages: () => [part(auction, 100, { bid_price: 7.99 })],
        code: 'INVALID_REQUEST',
        words: /floor/,
      },
      {
        what: 'a bid where the price is fixed',
        packages: () => [part(fixed, 100, { bid_price: 1 })],
        code: 'INVALID_REQUEST',
        words: /has a fixed price/,
      },
      {
        what: 'another currency',
        packages: () => [part(abroad, 100)],
        code: 'INVALID_REQUEST',
        words: /EUR/,
      },
      {
        what: 'an unknown pricing option',
        packages: () => [part(fixed, 100, { pricing_option_id: 'made-up' })],
        code: 'INVALID_REQUEST',
        words: /pricing option/,
      },
      {
        what: 'a product it does not offer',
        packages: () => [part('prd_none', 100)],
        code: 'PRODUCT_NOT_FOUND',
        words: /not offered/,
      },
      {
        what: 'the whole order for one bad package',
        packages: () => [part(fixed, 100), part(dear, 1)],
        code: 'BUDGET_TOO_LOW',
        words: /Evening film/,
      },
    ])('$what', async ({ packages, code, words }) => {
      const wanted = order(packages());

      expect(await place(wanted)).toMatchObject({
        kind: 'refused',
        code,
        message: expect.stringMatching(words),
      });
      const rows = await server.store.db
        .selectFrom('embedded_buys')
        .select('id')
        .where('organization_id', '=', seller.source.organizationId)
        .where('idempotency_key', '=', wanted.idempotencyKey)
        .execute();
      expect(rows).toEqual([]);
    });

    test('another order under a key that was used', async () => {
      const wanted = order([part(fixed, 100)]);
      await place(wanted);

      expect(await place({ ...wanted, packages: [part(fixed, 101)] })).toMatchObject({
        kind: 'refused',
        code: 'IDEMPOTENCY_CONFLICT',
      });
    });

    test('to tell of a buy of another seller', async () => {
      const reference = await buy(order([part(fixed, 100)]));

      await expect(sellers.getMediaBuy(other, reference, never)).rejects.toThrow('does not know');
    });
  });

  describe('delivers a sandbox buy', () => {
    test('an hour of the flight for a second of the clock, evenly, and never beyond the budget', async () => {
      const reference = await buy(order([part(fixed, 100), part(auction, 50, { bid_price: 10 })]));
      expect(await reportOf(reference)).toMatchObject({
        status: 'pending_start',
        delivery: { impressions: 0, spend: 0, clicks: 0 },
      });

      clock.advance(25 * SECOND_MS);
      expect(await reportOf(reference)).toMatchObject({
        status: 'active',
        delivery: { spend: 37.5, impressions: 3_750, clicks: 4 },
      });

      clock.advance(75 * SECOND_MS);
      const complete = await reportOf(reference);
      expect(complete).toMatchObject({
        status: 'completed',
        delivery: { spend: 150, impressions: 15_000, clicks: 18 },
      });

      clock.advance(1_000 * HOUR_MS);
      expect(await reportOf(reference)).toEqual(complete);
    });

    test('at the pace that each package was ordered at, and shows it', async () => {
      const pacings = [undefined, 'even', 'front_loaded', 'asap'] as const;
      const packages = pacings.map((pacing) => part(fixed, 100, pacing === undefined ? {} : { pacing }));
      const reference = await buy(order(packages));

      clock.advance(10 * SECOND_MS);

      const report = await reportOf(reference);
      expect(report.packages.map(({ pacing }) => pacing)).toEqual(pacings);
      expect(report).toMatchObject({ delivery: { packages: [10, 10, 19, 100].map((spend) => ({ spend })) } });
    });

    test('but nothing for one that is none: nobody serves impressions for it', async () => {
      const reference = await buy(order([part(fixed, 100)], { party: { ...party, sandbox: false } }));

      clock.advance(50 * SECOND_MS);

      expect(await reportOf(reference)).toMatchObject({
        delivery: { impressions: 0, spend: 0, clicks: 0 },
      });
    });
  });

  describe('behind the port of every seller', () => {
    let buyer: Person;
    beforeAll(async () => {
      buyer = await newPerson(server);
    });

    test('has its refusal in the campaign, word for word', async () => {
      const { agentId, storefrontId, productIds } = await openStorefront(await newPerson(server), {
        products: [
          productFields({
            name: 'Late film',
            pricingOptions: [{ pricingModel: 'cpm', currency: 'USD', fixedPrice: 30 }],
          }),
        ],
      });
      const [productId = ''] = productIds;
      const advertiserId = await newAdvertiser(buyer);
      const campaignId = await draftOf(buyer, { advertiserId, storefrontId, agentId, productId });
      await server.store.db
        .updateTable('embedded_products')
        .set({ status: 'ARCHIVED' })
        .where('organization_id', '=', (await sellerOf(agentId)).source.organizationId)
        .where('product_id', '=', productId)
        .execute();

      const { body } = await buyer.post(`/buyer/campaigns/${campaignId}/execute`);

      expect(body.data).toMatchObject({
        success: false,
        errors: [{ message: 'PRODUCT_NOT_FOUND: The product is not offered any more.' }],
      });
    });

    test('sells to a sandbox advertiser, whose spend is read back from it', async () => {
      const skipping = skippingClock();
      const own = await startTestServer({ clock: skipping });
      try {
        const shop = await openStorefront(await newPerson(own));
        const someone = await newPerson(own);
        const advertiserId = await newAdvertiser(someone, { sandbox: true });
        const [productId = ''] = shop.productIds;
        const campaignId = await draftOf(someone, { ...shop, advertiserId, productId });
        done(await someone.post(`/buyer/campaigns/${campaignId}/execute`));

        skipping.skip(30 * 24 * SECOND_MS);
        done(await someone.get(`/buyer/campaigns/${campaignId}/media-buy-status`));

        const { campaign } = done(await someone.get(`/buyer/campaigns/${campaignId}`));
        const { mediaBuy } = done(await someone.get(`/buyer/media-buys/${campaign.mediaBuys[0].mediaBuyId}`));
        expect(mediaBuy).toMatchObject({
          status: 'COMPLETED',
          sandbox: true,
          performance: { spend: 100, impressions: 10_000, clicks: 12 },
        });
      } finally {
        await own.stop();
      }
    });
  });
});
