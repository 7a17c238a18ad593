import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { draftOfPeriods, type PeriodsDraft, productsOf } from '../../support/buying/budgeted-periods.ts';
import type { Person } from '../../support/callers/people.ts';
import { expectRefusal } from '../../support/callers/refusals.ts';
import { takesChanges } from '../../support/sellers/changing-seller.ts';
import { type FarSeller, farSeller } from '../../support/sellers/far-seller.ts';
import { done, executed } from '../../support/sellers/market.ts';
import { startTestServer, type TestServer } from '../../support/server/server.ts';

interface Package {
  readonly package_id: string;
  readonly product_id: string;
  readonly budget: number;
  readonly start_time?: string;
  readonly end_time?: string;
}

/** 50 and 100 were ordered of one seller for periods of 100 and 200, which holds them in packages of its own. */
describe('a seller that cuts what was ordered for periods in its own way', () => {
  let server: TestServer;
  let ada: FarSeller;
  let bea: FarSeller;
  let buyer: Person;
  let campaignId: string;
  let discoveryId: string;
  let products: PeriodsDraft['products'];
  let mediaBuyId: string;
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
  });

  const holds = async (packagesOf: (ordered: readonly Package[]) => readonly Package[]) => {
    const takes = takesChanges(ada);
    ada.agent.on('create_media_buy', ({ packages }) => {
      const kept = {
        ...{ media_buy_id: `Ada_${campaignId}`, status: 'active' },
        packages: packagesOf(packages as readonly Package[]),
      };
      takes.set(kept.media_buy_id, kept);
      return kept;
    });
    mediaBuyId = await executed(buyer, campaignId);
  };
  const merged = (dates: object) => (ordered: readonly Package[]) => [
    {
      ...{ package_id: 'all', product_id: ordered[0]?.product_id ?? '', ...dates },
      budget: ordered.reduce((sum, { budget }) => sum + budget, 0),
    },
  ];
  const halved = (ordered: readonly Package[]) =>
    ordered.flatMap((one, at) =>
      [1, 2].map((n) => ({ ...one, package_id: `p${at}${n}`, budget: one.budget / 2 })),
    );
  const WITHIN = { start_time: '2026-12-10T00:00:00Z', end_time: '2026-12-23T00:00:00Z' };

  const change = (packageId: string, fields: object) =>
    buyer.patch(`/buyer/media-buys/${mediaBuyId}`, { packages: [{ packageId, ...fields }] });
  const explanation = async () =>
    done(await buyer.get(`/buyer/media-buys/${mediaBuyId}?detail=full`)).mediaBuy.explanation as string;
  /** What another seller is ordered for of each period, asked for 150. */
  const leftFor = async () => {
    const chosen = productsOf(products, bea).map((one) => ({ ...one, budget: 150 }));
    done(await buyer.post(`/buyer/discovery/${discoveryId}/products`, { products: chosen }));
    done(await buyer.post(`/buyer/campaigns/${campaignId}/execute`));
    const sent = bea.agent.calls.filter(({ tool }) => tool === 'create_media_buy').at(-1);
    const packages = (sent?.args['packages'] ?? []) as readonly Package[];
    return packages.map(({ budget }) => budget);
  };

  test.each([
    ['all of its days', WITHIN],
    ['no dates', {}],
  ])('takes of each period its part of the one package that it shows with %s', async (_, dates) => {
    await holds(merged(dates));

    expect(await explanation()).toBe('It runs: nothing is to be done.');
    done(await change('all', { budget: 160 }));
    done(await change('all', { budget: 150 }));
    expect(await leftFor()).toEqual([50, 100]);
  });

  test('takes of a period what its packages have that it shows in that', async () => {
    await holds(halved);

    const refused = await change('p01', { budget: 100 });

    expectRefusal(refused, 409, {
      code: 'INSUFFICIENT_MEDIA_BUDGET',
      at: {
        'pacingPeriods.periods.0.budget':
          'Within the period first 100.00 USD can be spent; with this the media buys take 125.00 USD of it.',
      },
    });
    done(await change('p01', { budget: 75 }));
    done(await change('p01', { budget: 25 }));
    expect(await leftFor()).toEqual([50, 100]);
  });

  test('is told of no other dates, and its packages are in the periods that it shows', async () => {
    await holds(halved);

    expect(await explanation()).toBe('It runs: nothing is to be done.');
    const { isPaced, packages } = done(await buyer.get(`/buyer/media-buys/${mediaBuyId}/packages`));
    const labels = packages.map(
      ({ pacingPeriod }: { pacingPeriod?: { label: string } }) => pacingPeriod?.label,
    );
    expect([isPaced, ...labels]).toEqual([true, 'first', 'first', 'last', 'last']);
    done(await change('p02', { startTime: '2026-12-11T00:00:00Z', endTime: '2026-12-12T00:00:00Z' }));
  });
});
