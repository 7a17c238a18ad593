import { describe, expect, test } from 'vitest';
import { toJson } from '../../store/engine/codec.ts';
import { overPeriods, takenByPeriods } from '../../tools/domain/buying/spend/period-budgets.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const period = (label: string, day: string, budget: number) => ({
  ...{ label, budget },
  ...{ start: `2026-12-${day}`, end: `2026-12-${day}` },
});
const periods = (first: number, last: number) =>
  toJson({ mode: 'budget' as const, periods: [period('first', '10', first), period('last', '20', last)] });

const dates = (from: string, to: string) => ({
  start_time: `2026-12-${from}T00:00:00.000Z`,
  end_time: `2026-12-${to}T00:00:00.000Z`,
});
const DAYS = [dates('10', '11'), dates('20', '21')];
const FLIGHT = dates('01', '30');

const campaign = {
  ...{ budget_minor: 50_000, currency: 'USD', daily_cap_minor: null },
  ...{ start_at: FLIGHT.start_time, end_at: FLIGHT.end_time, pacing_periods: periods(100, 200) },
};

const product = (budget_minor: number) => ({
  ...{ product_id: 'one', name: 'One', pricing_option_id: 'o', bid_price: null, format_ids: [] },
  budget_minor,
});

/** Ordered for both periods, in major units, and held by its seller in packages a and b. */
function buyOf(budgets: readonly number[], changes: Partial<ReturnType<typeof mediaBuyRow>> = {}) {
  const packages = budgets.map((budget, at) => ({ product_id: 'one', budget, ...DAYS[at] }));
  const budget_minor = budgets.reduce((sum, budget) => sum + budget * 100, 0);
  return mediaBuyRow({
    ...FLIGHT,
    budget_minor,
    products: toJson([product(budget_minor)]),
    packages: toJson(
      budgets.map((budget, at) => ({
        ...{ package_id: at === 0 ? 'a' : 'b', product_id: 'one', budget_minor: budget * 100 },
      })),
    ),
    order_payload: JSON.stringify({ packages }),
    ...changes,
  });
}

const takenBy = (...buys: ReturnType<typeof buyOf>[]) => takenByPeriods(campaign, { buys, open: [] });
const whole = (id: string, budget_minor: number) => ({ package_id: id, product_id: null, budget_minor });

describe('what is taken of a period', () => {
  test.each([
    ['what packages have that run in it', buyOf([40, 90]), [4_000, 9_000]],
    [
      'what was ordered, before a seller names packages',
      buyOf([40, 90], { packages: toJson([]) }),
      [4_000, 9_000],
    ],
    [
      'its part of one package that runs in all of them',
      buyOf([40, 90], { packages: toJson([{ ...whole('all', 13_000), of_all: true as const }]) }),
      [4_333, 8_667],
    ],
    [
      'nothing of a package that was never ordered',
      buyOf([40, 90], {
        packages: toJson([whole('a', 4_000), whole('b', 9_000), whole('extra', 50_000)]),
      }),
      [4_000, 9_000],
    ],
    [
      'no more than was ordered, whatever its seller shows',
      buyOf([40, 90], { packages: toJson([whole('a', 39_000), whole('b', 13_000)]) }),
      [9_750, 3_250],
    ],
    [
      'of one that is over what was spent, from the earliest on',
      buyOf([40, 90], { status: 'CANCELED', spend_minor: 5_000 }),
      [4_000, 1_000],
    ],
    [
      'nothing by one that has periods of its own',
      buyOf([40, 90], { pacing_periods: periods(40, 90) }),
      [0, 0],
    ],
  ])('is %s', (_what, buy, taken) => {
    expect(takenBy(buy)).toEqual(taken);
  });

  test('is nothing known where periods have weights', () => {
    const pacing_periods = toJson({ mode: 'weight' as const, periods: [] });
    expect(takenByPeriods({ ...campaign, pacing_periods }, { buys: [], open: [] })).toBeUndefined();
  });
});

describe('a raise', () => {
  const asked = (packages: ReturnType<typeof whole>[]) => [
    {
      ...{ media_buy_id: 'mb_1', committed_minor: 0, action: 'update' as const },
      proposed: { packages, budget_minor: packages.reduce((sum, one) => sum + one.budget_minor, 0) },
    },
  ];
  const refused = (buy: ReturnType<typeof buyOf>, packages: ReturnType<typeof whole>[]) => {
    const before = { campaign, buys: [buy], open: [] };
    return overPeriods(before, { ...before, open: asked(packages) });
  };

  test('is held to the periods that a media buy has of its own', () => {
    const own = buyOf([40, 90], { pacing_periods: periods(40, 120) });

    expect(refused(own, [whole('a', 4_000), whole('b', 12_000)])).toBeUndefined();
    expect(refused(own, [whole('a', 4_001), whole('b', 9_000)])?.details).toMatchObject({
      ...{ period: 'first', periodBudget: 40, inPeriod: 40.01 },
    });
  });

  test('of another package is not held against what a period has too much of already', () => {
    const buy = buyOf([140, 90]);

    expect(refused(buy, [whole('a', 14_000), whole('b', 20_000)])).toBeUndefined();
    expect(refused(buy, [whole('a', 14_001), whole('b', 9_000)])).toBeDefined();
  });
});
