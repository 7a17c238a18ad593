import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fromJson, toJson } from '../../store/engine/codec.ts';
import type { BuyPackage } from '../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../store/media-buys.ts';
import { termsOf } from '../../tools/domain/buying/changes/change-terms.ts';
import { linesOf } from '../../tools/domain/buying/choice/order-lines.ts';
import { packageBudget } from '../../tools/domain/buying/spend/budget-parts.ts';
import { columnsProposed } from '../../tools/domain/buying/spend/columns-proposed.ts';
import { mediaBudgetOf } from '../../tools/domain/ledger/pricing.ts';
import { toMajor, toMinor } from '../../tools/domain/money.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';
import { casesOf, seed } from '../support/run/effort.ts';

const FLIGHT = { start_at: '2026-12-01T00:00:00.000Z', end_at: '2026-12-31T00:00:00.000Z' };
const NOW = '2026-11-01T00:00:00.000Z';

interface Bought {
  readonly feeBps: number;
  /** Of products, in minor units, and how much a day of each period counts. */
  readonly budgets: readonly number[];
  readonly weights: readonly number[];
}

/** A media buy as its seller holds it once it was ordered. */
function orderedOf({ feeBps, budgets, weights }: Bought): MediaBuyRow {
  const periods = weights.map((weight, index) => {
    const day = `2026-12-${String(index + 1).padStart(2, '0')}`;
    return { label: day, start: day, end: day, weight };
  });
  const pacing_periods = toJson({ mode: 'weight' as const, periods });
  const products = budgets.map((budget_minor, index) => ({
    ...{ product_id: `p${index}`, name: 'One', pricing_option_id: 'o', bid_price: null, format_ids: [] },
    budget_minor,
  }));
  const lines = products.flatMap(({ product_id, budget_minor }) =>
    linesOf({ ...FLIGHT, pacing_periods, currency: 'USD' }, budget_minor, NOW).map((line) => ({
      ...{ product_id, start_time: line.startTime, end_time: line.endTime },
      budget: toMajor(mediaBudgetOf(line.budgetMinor, feeBps), 'USD'),
    })),
  );
  return mediaBuyRow({
    ...{ start_time: FLIGHT.start_at, end_time: FLIGHT.end_at, fee_bps: feeBps },
    budget_minor: budgets.reduce((sum, minor) => sum + minor, 0),
    products: toJson(products),
    packages: toJson(
      lines.map(
        ({ product_id, budget }, index): BuyPackage => ({
          ...{ package_id: `pkg_${index}`, product_id },
          budget_minor: toMinor(budget, 'USD') ?? 0,
        }),
      ),
    ),
    order_payload: JSON.stringify({ packages: lines }),
  });
}

const shownOf = (buy: MediaBuyRow) =>
  fromJson(buy.packages).map((part) => toMinor(packageBudget(buy, part) ?? 0, 'USD') ?? 0);
const sumOf = (minors: readonly number[]) => minors.reduce((sum, minor) => sum + minor, 0);

const bought = fc.record({
  feeBps: fc.integer({ min: 0, max: 9_000 }),
  budgets: fc.array(fc.integer({ min: 1_000, max: 10_000_000 }), { minLength: 1, maxLength: 4 }),
  weights: fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 6 }),
});
const asks = fc.array(
  fc.array(fc.tuple(fc.nat({ max: 23 }), fc.integer({ min: 1, max: 100_000 })), {
    minLength: 1,
    maxLength: 3,
  }),
  { maxLength: 5 },
);
const runs = { seed, numRuns: casesOf({ share: 0.1, tools: 1 }) };

describe('the budgets of packages', () => {
  test('add up to those of their products, as these to that of the media buy', () => {
    fc.assert(
      fc.property(bought, (one) => {
        const buy = orderedOf(one);
        expect(sumOf(shownOf(buy))).toBe(buy.budget_minor);
      }),
      runs,
    );
  });

  test('are those that were asked for, add up to the whole, and leave the others as they were', () => {
    fc.assert(
      fc.property(bought, asks, (one, changes) => {
        let buy = orderedOf(one);
        for (const change of changes) {
          const before = shownOf(buy);
          const wanted = new Map(change.map(([at, minor]) => [at % before.length, minor]));
          const packages = [...wanted].map(([at, minor]) => ({
            ...{ packageId: `pkg_${at}`, budget: toMajor(minor, 'USD') },
          }));
          const terms = termsOf(
            buy,
            { mediaBuyId: buy.id, action: 'update', packages, called: (field) => field },
            { flight: FLIGHT, now: NOW },
          );
          buy = { ...buy, ...columnsProposed(terms.proposed) };
          const shown = shownOf(buy);
          expect(shown).toEqual(before.map((minor, at) => wanted.get(at) ?? minor));
          expect(sumOf(shown)).toBe(buy.budget_minor);
        }
      }),
      runs,
    );
  });

  test('are those that their seller shows, where these are others', () => {
    const buy = orderedOf({ feeBps: 1_250, budgets: [10_000], weights: [1, 1] });
    const packages = fromJson(buy.packages).map((part) => ({ ...part, budget_minor: 7_000 }));

    expect(shownOf({ ...buy, packages: toJson(packages) })).toEqual([8_000, 8_000]);
  });
});
