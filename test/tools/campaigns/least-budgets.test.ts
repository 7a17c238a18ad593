import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { toJson } from '../../../store/engine/codec.ts';
import { setPricingRule } from '../../../tools/domain/ledger/pricing-rules.ts';
import { newPerson, type Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import {
  done,
  draftCampaign,
  executed,
  flightDates,
  newAdvertiser,
  openStorefront,
  productFields,
} from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A product that is sold from 250 on, one at a flat rate of 5,000, and a fee of an eighth of every budget. */
describe('what a product starts at', () => {
  let server: TestServer;
  let buyer: Person;
  let advertiserId: string;
  let least: string;
  let flat: string;
  let bids: string;
  let plain: string;
  beforeAll(async () => {
    server = await startTestServer();
    const shop = async (name: string, option: object) => {
      const pricingOptions = [{ currency: 'USD', ...option }];
      const products = [productFields({ name, pricingOptions })];
      return (await openStorefront(await newPerson(server), { name, products })).storefrontId;
    };
    least = await shop('Least', { pricingModel: 'cpm', fixedPrice: 5, minSpend: 250 });
    plain = await shop('Plain', { pricingModel: 'cpm', fixedPrice: 5 });
    bids = await shop('Bids', { pricingModel: 'flat_rate', floorPrice: 300 });
    flat = await shop('Flat', { pricingModel: 'flat_rate', fixedPrice: 5_000 });
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    buyer = await newPerson(server);
    await setPricingRule(server.operator, { organizationId: buyer.organizationId, feeBps: 1_250 });
    advertiserId = await newAdvertiser(buyer);
  });

  const draftAt = (
    storefrontId: string,
    { budget, each, campaign = {} }: { budget: number; each: number | null; campaign?: object },
  ) => draftCampaign(buyer, { advertiserId, storefrontIds: [storefrontId], budget, each, campaign });
  const read = async (campaignId: string) => done(await buyer.get(`/buyer/campaigns/${campaignId}`)).campaign;
  const execute = (campaignId: string) => buyer.post(`/buyer/campaigns/${campaignId}/execute`);
  /** A media buy of 400 that runs, and asks for changes of its one package. */
  async function running() {
    const { campaignId, discoveryId } = await draftAt(least, { budget: 1_000, each: 400 });
    const mediaBuyId = await executed(buyer, campaignId);
    const packageId = (await read(campaignId)).mediaBuys[0].packages[0].packageId as string;
    const give = (budget: number) =>
      buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget }] });
    return { campaignId, discoveryId, mediaBuyId, packageId, give };
  }

  test('is warned of wherever a choice is shown, in the words in which execute refuses it', async () => {
    const words = 'Least starts at 250 USD; 227.5 USD of its budget fall to it once its fee is taken.';
    const { campaignId, discoveryId, products } = await draftAt(least, { budget: 260, each: 260 });

    const refused = await execute(campaignId);

    expectRefusal(refused, 409, { code: 'INSUFFICIENT_MEDIA_BUDGET', at: { 'budget.total': words } });
    expect(refused.body.error.details.suggestion).toBe(
      'Raise budget.total with campaign_update, and give Least at least 285.72 USD with discovery_add_products, or drop it with discovery_remove_products.',
    );
    expect((await read(campaignId)).warnings).toEqual([words]);
    const chosen = await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products });
    expect(done(chosen).warnings).toEqual([words]);
    const again = { advertiserId, name: 'Again', flightDates, budget: { total: 260 }, discoveryId };
    expect(done(await buyer.post('/buyer/campaigns', again)).campaign.warnings).toEqual([words]);
    const enough = { products: products.map((one: object) => ({ ...one, budget: 285.72 })) };
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, enough));
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 300 } }));
    expect(done(await execute(campaignId))).toMatchObject({ success: true });
  });

  test('is no matter of a fee in the sandbox', async () => {
    advertiserId = await newAdvertiser(buyer, { sandbox: true });

    const { campaignId } = await draftAt(least, { budget: 260, each: 260 });

    expect((await read(campaignId)).warnings).toBeUndefined();
  });

  test('has to be left of a share of the total once its fee is taken', async () => {
    const { campaignId } = await draftAt(least, { budget: 280, each: null });
    const select = () => buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, {});
    const words = 'Least starts at 250 USD; 245 USD of budget.total fall to it once its fee is taken.';
    expect((await read(campaignId)).warnings).toEqual([words]);

    expectRefusal(await select(), 422, {
      code: 'VALIDATION_ERROR',
      at: {
        campaignId:
          'No product of its session with a price of a thousand impressions (CPM or vCPM) fits its constraints, storefronts, currency, budget and refine.',
      },
    });

    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 290 } }));
    expect(done(await select())).toMatchObject({ productCount: 1, selectedProducts: [{ budget: 290 }] });
    expect(done(await execute(campaignId))).toMatchObject({ success: true });
  });

  test('has to be there in each pacing period of what is selected', async () => {
    const periods = [10, 20].map((day) => {
      return { label: `from ${day}`, start: `2026-12-${day}`, end: `2026-12-${day}`, weight: 1 };
    });
    const campaign = { pacingPeriods: { mode: 'weight', periods } };
    const { campaignId } = await draftAt(least, { budget: 290, each: null, campaign });
    const select = () => buyer.post(`/buyer/campaigns/${campaignId}/auto-select-products`, {});
    expect((await select()).status).toBe(422);

    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total: 580 } }));

    done(await select());
    expect(done(await execute(campaignId))).toMatchObject({ success: true });
  });

  test('leads to larger periods where no budget is enough in each, and then to the budget that is', async () => {
    const paced = (budget: number) => {
      const days = [10, 20].map((day) => ({ start: `2026-12-${day}`, end: `2026-12-${day}` }));
      const periods = days.map((one, at) => ({ ...one, label: `${at}`, budget: at === 0 ? budget : 500 }));
      return { pacingPeriods: { mode: 'budget', periods } };
    };
    const { campaignId, discoveryId, products } = await draftAt(least, {
      budget: 1_000,
      each: 600,
      campaign: paced(200),
    });
    const suggestion = async () => (await execute(campaignId)).body.error.details.suggestion;

    expect(await suggestion()).toBe(
      'Give each of pacingPeriods at least 285.72 USD with campaign_update, and give Least enough for 285.72 USD ' +
        'in each period with discovery_add_products, or drop it with discovery_remove_products.',
    );

    done(await buyer.put(`/buyer/campaigns/${campaignId}`, paced(300)));
    expect(await suggestion()).toBe(
      'Give Least at least 761.92 USD with discovery_add_products, or drop it with discovery_remove_products.',
    );

    const given = products.map((one: object) => ({ ...one, budget: 761.92 }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: given }));
    expect(done(await execute(campaignId))).toMatchObject({ success: true });
  });

  test('is something at the least in each pacing period, once the fee is taken, where it starts at nothing', async () => {
    const periods = (...budgets: number[]) => ({
      pacingPeriods: {
        mode: 'budget',
        periods: budgets.map((budget, at) => {
          return { label: `${at}`, start: `2026-12-1${at}`, end: `2026-12-1${at}`, budget };
        }),
      },
    });
    const first = periods(50, 0.01);
    const { campaignId } = await draftAt(plain, { budget: 100, each: null, campaign: first });
    const path = `/buyer/campaigns/${campaignId}`;
    const words = 'Nothing of budget.total is left for Plain in one of pacingPeriods once its fee is taken.';
    expect((await read(campaignId)).warnings?.join(' ')).toContain(words);
    expectRefusal(await execute(campaignId), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: { 'budget.total': words },
    });

    done(await buyer.put(path, periods(50, 0.02)));
    done(await execute(campaignId));
    const [{ packages }] = (await read(campaignId)).mediaBuys;
    expect(packages.map(({ budget }: { budget: number }) => budget)).toEqual([50, 0.02]);
    expectRefusal(await buyer.put(path, periods(50, 0.02, 0.01)), 422, {
      code: 'VALIDATION_ERROR',
      at: { pacingPeriods: 'Nothing of its budget is left for Plain once its fee is taken.' },
    });
    done(await buyer.put(path, periods(50, 0.02, 0.02)));
  });

  test('is in the total that is named as enough where nothing is left for products without a budget', async () => {
    const draft = { advertiserId, storefrontIds: [least, flat], budget: 300, each: null };
    const { campaignId, discoveryId, products } = await draftCampaign(buyer, draft);
    const found = done(await buyer.get(`/buyer/discovery/${discoveryId}/products`)).products;
    const named = (name: string) =>
      products.find(
        ({ productId }: { productId: string }) =>
          found.find((one: { name: string }) => one.name === name).productId === productId,
      );
    const path = `/buyer/discovery/${discoveryId}/products`;
    done(await buyer.post(path, { products: [{ ...named('Least'), budget: 300 }] }));

    const refused = await execute(campaignId);

    expectRefusal(refused, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'The campaign has 300.00 USD (budget.total); the chosen products take 300.00 USD, which leaves nothing for 1 without a budget.',
      },
    });
    const { minimumAllowedBudget: total } = refused.body.error.details;
    expect(total).toBe(6_014.29);
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { budget: { total } }));
    expect(done(await execute(campaignId))).toMatchObject({ success: true });
  });

  test('is the whole of a flat rate: less is not taken where it is chosen', async () => {
    const { discoveryId, products } = await draftAt(flat, { budget: 300, each: null });

    const given = products.map((one: object) => ({ ...one, budget: 300 }));
    const reply = await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: given });

    expectRefusal(reply, 400, {
      code: 'VALIDATION_ERROR',
      at: { 'products.0.budget': 'This option starts at 5000 USD.' },
    });
  });

  test('is the whole of a flat rate: a share or a budget without its fee that is less buys nothing', async () => {
    const shared = await draftAt(flat, { budget: 300, each: null });
    const own = await draftAt(flat, { budget: 6_000, each: 5_000 });

    expectRefusal(await execute(shared.campaignId), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total':
          'Flat starts at 5000 USD; 262.5 USD of budget.total fall to it once its fee is taken.',
      },
    });
    expectRefusal(await execute(own.campaignId), 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'budget.total': 'Flat starts at 5000 USD; 4375 USD of its budget fall to it once its fee is taken.',
      },
    });
    const whole = await draftAt(flat, { budget: 6_000, each: 5_714.29 });
    expect(done(await execute(whole.campaignId))).toMatchObject({ success: true });
  });

  test('holds for what a package that runs is lowered to', async () => {
    const { campaignId, mediaBuyId, packageId, give } = await running();

    expectRefusal(await give(280), 422, {
      code: 'VALIDATION_ERROR',
      at: {
        'packages.0.budget':
          'Least starts at 250 USD; 245 USD of its budget fall to it once its fee is taken.',
      },
    });

    done(await give(290));
    const end = { mediaBuyId, action: 'cancel', packageIds: [packageId] };
    done(await buyer.put(`/buyer/campaigns/${campaignId}`, { mediaBuys: [end] }));
  });

  test('is something at the least, once the fee is taken, of a package that runs and starts at nothing', async () => {
    const { campaignId } = await draftAt(plain, { budget: 1_000, each: 400 });
    const mediaBuyId = await executed(buyer, campaignId);
    const [{ packageId }] = (await read(campaignId)).mediaBuys[0].packages;
    const give = (budget: number) =>
      buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, budget }] });

    expectRefusal(await give(0.01), 422, {
      code: 'VALIDATION_ERROR',
      at: { 'packages.0.budget': 'Nothing of its budget is left for Plain once its fee is taken.' },
    });

    done(await give(1));
  });

  test('leaves what stands beneath it as it is, and lets it be raised', async () => {
    const { discoveryId, give } = await running();
    const db = server.store.db.withoutPlugins();
    const { product } = await db
      .selectFrom('discovery_selections')
      .select('product')
      .where('session_id', '=', discoveryId)
      .executeTakeFirstOrThrow();
    const chosen = JSON.parse(product);
    const [option] = chosen.pricingOptions;
    const dearer = { ...chosen, pricingOptions: [{ ...option, minSpend: 900 }] };
    await db
      .updateTable('discovery_selections')
      .set({ product: toJson(dearer) })
      .where('session_id', '=', discoveryId)
      .execute();

    done(await give(410));
    expect((await give(400)).status).toBe(422);
  });

  test('is held by an embedded seller itself when a package is lowered', async () => {
    const { discoveryId, give } = await running();
    // Nothing is known of what was chosen, so that its seller alone decides.
    await server.store.db
      .withoutPlugins()
      .deleteFrom('discovery_selections')
      .where('session_id', '=', discoveryId)
      .execute();

    const refused = await give(280);

    expect(refused.text).toContain('Least starts at 250.00 USD.');
    done(await give(290));
  });

  test('holds for the packages of periods that are added', async () => {
    const [one, two] = [
      { label: 'one', start: '2026-12-10', end: '2026-12-12', budget: 400 },
      { label: 'two', start: '2026-12-14', end: '2026-12-15', budget: 280 },
    ];
    const paced = (...periods: object[]) => ({ pacingPeriods: { mode: 'budget', periods } });
    const { campaignId } = await draftAt(least, { budget: 1_000, each: 400, campaign: paced(one) });
    await executed(buyer, campaignId);
    const path = `/buyer/campaigns/${campaignId}`;

    expectRefusal(await buyer.put(path, paced(one, two)), 422, {
      code: 'VALIDATION_ERROR',
      at: {
        pacingPeriods: 'Least starts at 250 USD; 245 USD of its budget fall to it once its fee is taken.',
      },
    });

    done(await buyer.put(path, paced(one, { ...two, budget: 290 })));
  });

  describe('for a flat rate that is bid for', () => {
    /** A media buy of 400 before its fee, 350 at its seller, at a bid of 320. */
    async function bidding() {
      const draft = { advertiserId, storefrontIds: [bids], each: 400, bidPrice: 320 };
      const { campaignId, discoveryId } = await draftCampaign(buyer, draft);
      const mediaBuyId = await executed(buyer, campaignId);
      const { packageId } = (await read(campaignId)).mediaBuys[0].packages[0];
      const give = (fields: object) =>
        buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, ...fields }] });
      return { discoveryId, give };
    }

    test('a bid is not raised beyond the budget of its package, unless that is raised with it', async () => {
      const { give } = await bidding();

      expectRefusal(await give({ bidPrice: 360 }), 422, {
        code: 'VALIDATION_ERROR',
        at: {
          'packages.0.bidPrice':
            'Bids starts at 360 USD; 350 USD of its budget fall to it once its fee is taken.',
        },
      });

      done(await give({ bidPrice: 350 }));
      done(await give({ bidPrice: 360, budget: 420 }));
    });

    test('its seller itself takes neither such a bid nor one below its floor', async () => {
      const { discoveryId, give } = await bidding();
      const db = server.store.db.withoutPlugins();
      await db.deleteFrom('discovery_selections').where('session_id', '=', discoveryId).execute();

      const [low, high] = [await give({ bidPrice: 299 }), await give({ bidPrice: 360 })];

      expect(low.text).toContain('Bids: The floor is 300 USD.');
      expect(high.text).toContain('Bids starts at 360.00 USD.');
      done(await give({ bidPrice: 340 }));
    });
  });
});
