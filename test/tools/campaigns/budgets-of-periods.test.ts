import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draftOfPeriods, type PeriodsDraft, productsOf } from '../../support/buying/budgeted-periods.ts';
import type { Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { decidesLater, takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller, productAt } from '../../support/sellers/far-seller.ts';
import { done, draftCampaign, executed, newAdvertiser } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

/** A campaign of 500 with periods of 100 and 200, of which 150 were ordered of one seller: 50 and 100. */
describe('a period with a budget', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let campaignId: string;
  let discoveryId: string;
  let products: PeriodsDraft['products'];
  let mediaBuyId: string;
  let packageIds: string[];
  beforeAll(async () => {
    server = await startTestServer({ settings: { SELLER_ALLOWED_CIDRS: '127.0.0.0/8' } });
    ada = await farSeller(server, 'Ada');
    bea = await farSeller(server, 'Bea');
  });
  afterAll(async () => {
    await server.stop();
    await Promise.all([ada, bea].map(({ agent }) => agent.stop()));
  });
  beforeEach(async () => {
    ({ buyer, campaignId, discoveryId, products } = await draftOfPeriods(server, [ada, bea]));
    mediaBuyId = await executed(buyer, campaignId);
    const { packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
    packageIds = packages.map(({ packageId }: { packageId: string }) => packageId);
  });

  const give = (fields: object, at = 0) => ({ packages: [{ packageId: packageIds[at], ...fields }] });
  const change = (fields: object) => buyer.patch(`/buyer/media-buys/${mediaBuyId}`, fields);
  const sent = ({ agent }: FarSeller) =>
    agent.calls.filter(({ tool }) => tool === 'create_media_buy' || tool === 'update_media_buy');
  const FIELD = 'pacingPeriods.periods.0.budget';
  const beyond = (sum: string) =>
    `Within the period first 100.00 USD can be spent; with this the media buys take ${sum} USD of it.`;
  const sums = (committedAllocation: number, inPeriod: number) => ({
    ...{ requestedTotal: 500, committedAllocation, currency: 'USD' },
    ...{ period: 'first', periodBudget: 100, inPeriod },
  });

  test.each([
    ['media_buy_update', () => change(give({ budget: 100.01 }))],
    [
      'campaign_update',
      () =>
        buyer.put(`/buyer/campaigns/${campaignId}`, {
          mediaBuys: [{ mediaBuyId, ...give({ budget: 100.01 }) }],
        }),
    ],
  ])('takes no raise beyond it by %s, and all up to it', async (_tool, raise) => {
    const before = sent(ada).length;

    const refused = await raise();

    expectRefusal(refused, 409, { code: 'INSUFFICIENT_MEDIA_BUDGET', at: { [FIELD]: beyond('100.01') } });
    const { suggestion: _, ...details } = refused.body.error.details;
    expect(details).toEqual(sums(200.01, 100.01));
    expect(sent(ada)).toHaveLength(before);
    done(await change(give({ budget: 100 })));
    done(await change(give({ budget: 200 }, 1)));
  });

  test('has no more than its budget of an order, however many products share it to the cent', async () => {
    const products = ['one', 'two', 'three'].map((id) => productAt('cent.example', id));
    const cem = await farSeller(server, 'Cem', products);
    takesChanges(cem);
    const periods = [
      { label: 'first', start: '2026-12-10', end: '2026-12-12', budget: 100.01 },
      { label: 'last', start: '2026-12-20', end: '2026-12-22', budget: 100 },
    ];
    const draft = await draftCampaign(buyer, {
      ...{ advertiserId: await newAdvertiser(buyer), budget: 500, each: 66.67 },
      storefrontIds: [cem.storefrontId],
      campaign: { pacingPeriods: { mode: 'budget', periods } },
    });

    done(await buyer.post(`/buyer/campaigns/${draft.campaignId}/execute`));

    const packages = sent(cem).at(-1)?.args['packages'] as { budget: number; start_time: string }[];
    const sumFrom = (day: string) =>
      packages
        .filter(({ start_time }) => start_time.startsWith(day))
        .reduce((sum, { budget }) => sum + Math.round(budget * 100), 0);
    expect([sumFrom('2026-12-10'), sumFrom('2026-12-20')]).toEqual([10_001, 10_000]);
    await cem.agent.stop();
  });

  const lowersLater = async () => {
    decidesLater(ada);
    done(await change(give({ budget: 60 })));
  };

  test.each([
    ['all of it is taken', async () => {}],
    ['its seller has yet to confirm that it takes less', lowersLater],
  ])('is given to further products as far as it is left, and not where %s', async (_, then) => {
    done(await change(give({ budget: 100 })));
    await then();
    const of = productsOf(products, bea);
    done(
      await buyer.post(`/buyer/discovery/${discoveryId}/products`, {
        products: of.map((one) => ({ ...one, budget: 100 })),
      }),
    );

    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));

    const packages = sent(bea).at(-1)?.args['packages'] as { budget: number; start_time: string }[];
    expect(packages.map(({ budget, start_time }) => [budget, start_time])).toEqual([
      [100, '2026-12-20T00:00:00.000Z'],
    ]);
    const { campaign } = done(await buyer.get(`/buyer/campaigns/${campaignId}`));
    expect(campaign).toMatchObject({ allocatedBudget: 300 });
  });

  test.each([
    [{ startTime: '2026-12-14T00:00:00Z', endTime: '2026-12-16T00:00:00Z' }, ['startTime', 'endTime']],
    [{ endTime: '2026-12-13T00:00:01Z' }, ['endTime']],
    [{ startTime: '2026-12-20T00:00:00Z', endTime: '2026-12-21T00:00:00Z' }, ['startTime', 'endTime']],
  ])('keeps its packages out of the gaps, as with %j', async (fields, places) => {
    const message = 'It runs in first (2026-12-10 to 2026-12-12): give days of that.';
    const before = sent(ada).length;

    const refused = await change(give(fields));
    const within = await buyer.put(`/buyer/campaigns/${campaignId}`, {
      mediaBuys: [{ mediaBuyId, ...give(fields) }],
    });

    const at = (prefix: string) =>
      Object.fromEntries(places.map((field) => [`${prefix}packages.0.${field}`, message]));
    expectRefusal(refused, 422, { code: 'VALIDATION_ERROR', at: at('') });
    expectRefusal(within, 422, { code: 'VALIDATION_ERROR', at: at('mediaBuys.0.') });
    expect(sent(ada)).toHaveLength(before);
    done(await change(give({ startTime: '2026-12-11T00:00:00Z', endTime: '2026-12-12T00:00:00Z' })));
  });

  test('is not cut off by an earlier end of the media buy', async () => {
    const refused = await change({ end_time: '2026-12-18T00:00:00Z' });

    expectRefusal(refused, 422, {
      code: 'VALIDATION_ERROR',
      at: { end_time: new RegExp(`Package ${packageIds[1]} ends at 2026-12-23`) },
    });
  });
});
