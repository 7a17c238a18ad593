import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromJson, toJson } from '../../store/engine/codec.ts';
import type { BuyPackage } from '../../store/media-buy-packages.ts';
import { packagesOrdered, withLines } from '../../tools/domain/buying/choice/package-lines.ts';
import { takenByPeriods } from '../../tools/domain/buying/spend/period-budgets.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';
import { casesOf, seed } from '../support/run/effort.ts';

const DAYS = ['10', '15', '20', '25'];
const dates = (day: string) => ({
  start_time: `2026-12-${day}T00:00:00.000Z`,
  end_time: `2026-12-${Number(day) + 1}T00:00:00.000Z`,
});
const campaign = {
  currency: 'USD',
  pacing_periods: toJson({
    mode: 'budget' as const,
    periods: DAYS.map((day) => ({
      label: day,
      budget: 1_000,
      start: `2026-12-${day}`,
      end: `2026-12-${day}`,
    })),
  }),
};

/** Ordered of one product in major units, a line a period. */
const buyOf = (budgets: readonly number[], packages: readonly BuyPackage[] = []) => {
  const budget_minor = budgets.reduce((sum, budget) => sum + budget * 100, 0);
  const lines = budgets.map((budget, at) => ({ product_id: 'one', budget, ...dates(DAYS[at] ?? '') }));
  return mediaBuyRow({
    ...{ start_time: '2026-12-01T00:00:00.000Z', end_time: '2026-12-30T00:00:00.000Z', budget_minor },
    products: toJson([
      {
        ...{ product_id: 'one', name: 'One', pricing_option_id: 'o', bid_price: null, format_ids: [] },
        budget_minor,
      },
    ]),
    packages: toJson(packages),
    order_payload: JSON.stringify({ packages: lines }),
  });
};

interface Listed extends BuyPackage {
  readonly start_time?: string;
  readonly end_time?: string;
}

const part = (package_id: string, budget: number, more: Partial<Listed> = {}): Listed => ({
  ...{ package_id, product_id: 'one', budget_minor: budget * 100, ...more },
});

/** A buy by what its seller lists, which knew these packages before. */
const listedOf = (
  budgets: readonly number[],
  listed: readonly Listed[],
  known: readonly BuyPackage[] = [],
) => {
  const buy = buyOf(budgets);
  const before = new Map(known.map((one) => [one.package_id, one]));
  const packages = listed.map(({ start_time: _from, end_time: _to, ...one }) => ({
    ...before.get(one.package_id),
    ...one,
  }));
  const placed = withLines(packages, { told: listed, known, buy });
  return {
    ...buy,
    packages: toJson(
      placed.map((one, at) => ({
        ...one,
        shown_start: listed[at]?.start_time,
        shown_end: listed[at]?.end_time,
      })),
    ),
  };
};
const linesIn = (buy: ReturnType<typeof buyOf>) =>
  Object.fromEntries(packagesOrdered(buy).map(({ part: one, line }) => [one.package_id, line?.budget]));

describe('the line of a package', () => {
  const byPlace = { budgets: [50, 60], listed: [part('a', 1), part('b', 2)], lines: { a: 50, b: 60 } };
  const none = { a: undefined, b: undefined, c: undefined, d: undefined };
  test.each([
    [
      'is the one with its budget',
      { budgets: [50, 100], listed: [part('b', 100), part('a', 50)], lines: { b: 100, a: 50 } },
    ],
    [
      'is none beside one with its budget',
      { budgets: [100], listed: [part('x', 400), part('a', 100)], lines: { x: undefined, a: 100 } },
    ],
    [
      'is the one with its days where budgets tell nothing',
      {
        budgets: [50, 60],
        listed: [part('b', 55, dates('15')), part('a', 55, dates('10'))],
        lines: { b: 60, a: 50 },
      },
    ],
    ['is the one of its place where nothing else tells', byPlace],
    [
      'is none where several were merged',
      { budgets: [50, 60], listed: [part('a', 110)], lines: { a: undefined } },
    ],
    [
      'is none where one was split',
      {
        budgets: [50, 100],
        listed: [part('a', 25), part('b', 25), part('c', 50), part('d', 50)],
        lines: none,
      },
    ],
  ])('%s', (_, { budgets, listed, lines }) => {
    expect(linesIn(listedOf(budgets, listed))).toEqual(lines);
  });

  test('stays its own, whatever its seller lists later, in whatever order', () => {
    const known = fromJson(listedOf([50, 100], [part('a', 50), part('b', 100)]).packages);

    const later = [part('x', 50), part('b', 50), part('y', 100), part('a', 100)];

    expect(linesIn(listedOf([50, 100], later, known))).toEqual({ x: undefined, b: 100, y: undefined, a: 50 });
  });

  test('that was stored by no place is by its place, where these are as many as lines', () => {
    expect(linesIn(buyOf([50, 100], [part('a', 100), part('b', 50)]))).toEqual({ a: 50, b: 100 });
  });
});

const runs = { seed, numRuns: casesOf({ share: 0.1, tools: 1 }) };

describe('what is counted of periods', () => {
  const budget = fc.integer({ min: 1, max: 900 });
  /** How a seller cuts each line, and how many of the packages it then puts together with the one before. */
  const cuts = fc.record({
    budgets: fc.array(budget, { minLength: 1, maxLength: DAYS.length }),
    parts: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: DAYS.length, maxLength: DAYS.length }),
    isMerged: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
    isDated: fc.boolean(),
    shown: fc.integer({ min: 50, max: 150 }),
  });

  /** The packages of a seller that splits lines, and merges what comes of it. */
  const listed = ({ budgets, parts, isMerged, isDated, shown }: Cut): Listed[] => {
    const pieces = budgets.flatMap((whole, line) => {
      const count = parts[line] ?? 1;
      return Array.from({ length: count }, () => ({ minor: (whole * 100) / count, from: line, to: line }));
    });
    const all: typeof pieces = [];
    for (const [at, piece] of pieces.entries()) {
      const before = isMerged[at] === true ? all.pop() : undefined;
      all.push(before ? { minor: before.minor + piece.minor, from: before.from, to: piece.to } : piece);
    }
    return all.map(({ minor, from, to }, at) => ({
      ...part(`p${at}`, 0),
      budget_minor: Math.round((minor * shown) / 100),
      ...(isDated
        ? { start_time: dates(DAYS[from] ?? '').start_time, end_time: dates(DAYS[to] ?? '').end_time }
        : {}),
    }));
  };
  type Cut = typeof cuts extends fc.Arbitrary<infer Value> ? Value : never;
  const takenOf = (buy: ReturnType<typeof buyOf>) =>
    takenByPeriods(campaign, { buys: [buy], open: [] }) ?? [];

  test('is of all together what the media buy counts for, whatever its seller merges or splits', () => {
    fc.assert(
      fc.property(cuts, (cut) => {
        const buy = listedOf(cut.budgets, listed(cut));

        const taken = takenOf(buy);

        expect(taken.reduce((sum, minor) => sum + minor, 0)).toBe(buy.budget_minor);
      }),
      runs,
    );
  });

  test('is of each what was ordered for it, of a seller that only splits', () => {
    fc.assert(
      fc.property(cuts, (cut) => {
        const budgets = cut.budgets.map((one) => one * 6);
        const split = { ...cut, budgets, isMerged: [], shown: 100 };
        const buy = listedOf(budgets, listed(split));

        const taken = takenOf(buy);

        const expected = DAYS.map((_, at) => (budgets[at] ?? 0) * 100);
        expect(taken).toEqual(expected);
      }),
      runs,
    );
  });
});
