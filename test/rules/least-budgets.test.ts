import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CampaignRow, PacingPeriods } from '../../store/campaigns.ts';
import type { ChosenProduct, DiscoverySelectionRow } from '../../store/discovery-selections.ts';
import { toJson } from '../../store/engine/codec.ts';
import type { Context } from '../../tools/core/context.ts';
import { planOf } from '../../tools/domain/buying/choice/allocation.ts';
import { problemsOf, type Selection, type Terms } from '../../tools/domain/buying/choice/choice-problems.ts';
import { ordersFor, type Purchaser } from '../../tools/domain/buying/orders/order-making.ts';
import { orderIn } from '../../tools/domain/buying/payloads.ts';
import { grossBudgetOf, mediaBudgetOf } from '../../tools/domain/ledger/pricing.ts';
import { decimalsOf, leastMinorOf, toMajor } from '../../tools/domain/money.ts';
import type { OrderPackage } from '../../tools/domain/sellers/port.ts';

/** A currency of each number of decimals that there is. */
const currencies = ['JPY', 'USD', 'KWD', 'CLF'] as const;
const currency = fc.constantFrom(...currencies);
const feeBps = fc.integer({ min: 0, max: 9_999 });
const leastMinor = fc.integer({ min: 1, max: 1_000_000_000 });
const sale = fc.record({ code: currency, least: leastMinor, fee: feeBps });
const DAYS = 10;
const flight = { start_at: '2026-12-10T00:00:00.000Z', end_at: '2026-12-20T00:00:00.000Z' };

const termsOf = (changes: Pick<Terms, 'budget_minor' | 'currency'> & Partial<Terms>): Terms => ({
  ...flight,
  constraints: null,
  storefront_ids: null,
  pacing_periods: null,
  optimization_goals: null,
  ...changes,
});

interface Sold {
  readonly currency: string;
  readonly minSpend: number;
  readonly budgetMinor: number | null;
  readonly seller?: string;
}

const selectionOf = (sold: Sold, index = 0): Selection => {
  const option = { pricingOptionId: 'po', currency: sold.currency, minSpend: sold.minSpend };
  return {
    product: toJson({
      name: `Product ${index}`,
      pricingOptions: [option],
      formatIds: [],
    } as unknown as ChosenProduct),
    product_id: `p${index}`,
    agent_id: sold.seller ?? 'agent',
    pricing_option_id: 'po',
    budget_minor: sold.budgetMinor,
    targeting_overlay: null,
  };
};

const codesOf = (terms: Terms, selections: readonly Selection[], fee: number) =>
  problemsOf(terms, selections, { fees: () => fee }).map(({ code }) => code);

describe('a budget of as much as a seller sells for, with the fee', () => {
  test('leaves that once its fee is taken, and a minor unit less does not', () => {
    fc.assert(
      fc.property(leastMinor, feeBps, (least, fee) => {
        const gross = grossBudgetOf(least, fee);

        expect(mediaBudgetOf(gross, fee)).toBeGreaterThanOrEqual(least);
        expect(mediaBudgetOf(gross - 1, fee)).toBeLessThan(least);
      }),
    );
  });

  test('is enough where it is given to a product, and a minor unit less is not, in each currency', () => {
    fc.assert(
      fc.property(currency, leastMinor, feeBps, (code, least, fee) => {
        const gross = grossBudgetOf(least, fee);
        const terms = termsOf({ budget_minor: 2 * gross, currency: code });
        const sold = { currency: code, minSpend: toMajor(least, code) };

        expect(codesOf(terms, [selectionOf({ ...sold, budgetMinor: gross })], fee)).toEqual([]);
        expect(codesOf(terms, [selectionOf({ ...sold, budgetMinor: gross - 1 })], fee)).toEqual([
          'INSUFFICIENT_MEDIA_BUDGET',
        ]);
      }),
    );
  });

  test('is enough where several products share it, and a minor unit less is not', () => {
    fc.assert(
      fc.property(sale, fc.integer({ min: 1, max: 6 }), ({ code, least, fee }, count) => {
        const gross = grossBudgetOf(least, fee);
        const sold = { currency: code, minSpend: toMajor(least, code), budgetMinor: null };
        const chosen = Array.from({ length: count }, (_, index) => selectionOf(sold, index));
        const codes = (budget_minor: number) =>
          codesOf(termsOf({ budget_minor, currency: code }), chosen, fee);

        expect(codes(count * gross)).toEqual([]);
        expect(codes(count * gross - 1)).not.toEqual([]);
      }),
    );
  });

  test('is enough where a daily cap lets through exactly that', () => {
    fc.assert(
      fc.property(sale, leastMinor, ({ code, least, fee }, more) => {
        const cap = Math.ceil(grossBudgetOf(least, fee) / DAYS);
        const terms = termsOf({ budget_minor: cap * DAYS + more, daily_cap_minor: cap, currency: code });
        const sold = { currency: code, minSpend: toMajor(least, code) };

        expect(planOf(terms, [selectionOf({ ...sold, budgetMinor: null })]).budgets).toEqual([cap * DAYS]);
        expect(codesOf(terms, [selectionOf({ ...sold, budgetMinor: cap * DAYS })], fee)).toEqual([]);
      }),
    );
  });

  test('is what is told as the least that is enough, however many decimals its seller gives', () => {
    const decimals = fc.integer({ min: 0, max: 6 });
    fc.assert(
      fc.property(sale, decimals, ({ code, least: digits, fee }, places) => {
        const minSpend = digits / 10 ** places;
        const terms = (budget_minor: number) => termsOf({ budget_minor, currency: code });
        const sold = { currency: code, minSpend };
        const least = grossBudgetOf(leastMinorOf(minSpend, code) ?? 0, fee);

        const [problem] = problemsOf(terms(2 * least), [selectionOf({ ...sold, budgetMinor: 0 })], {
          fees: () => fee,
        });
        expect(problem?.suggestion).toContain(
          `at least ${toMajor(least, code).toFixed(decimalsOf(code))} ${code}`,
        );
        expect(codesOf(terms(2 * least), [selectionOf({ ...sold, budgetMinor: least })], fee)).toEqual([]);
      }),
    );
  });
});

describe('products that share periods with budgets', () => {
  const periods: PacingPeriods['periods'] = [
    { label: 'first', start: '2026-12-10', end: '2026-12-12' },
    { label: 'second', start: '2026-12-13', end: '2026-12-15' },
    { label: 'third', start: '2026-12-16', end: '2026-12-19' },
  ];
  const amounts = fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 3 });
  const parts = fc.array(fc.integer({ min: 1, max: 999 }), { minLength: 1, maxLength: 4 });
  const cases = fc.record({
    each: amounts,
    weights: parts,
    least: fc.integer({ min: 1, max: 300 }),
    fee: feeBps,
  });

  test('are told as having too little exactly where less is ordered of them than is sold', () => {
    fc.assert(
      fc.property(cases, ({ each, weights, least, fee }) => {
        const total = each.reduce((sum, one) => sum + one, 0);
        const budgeted = each.map((minor, index) => ({ ...periods[index], budget: toMajor(minor, 'USD') }));
        const terms = termsOf({
          budget_minor: total,
          currency: 'USD',
          pacing_periods: toJson({ mode: 'budget', periods: budgeted } as PacingPeriods),
        });
        const minSpend = toMajor(least, 'USD');
        const chosen = weights.map((weight, index) => {
          const budgetMinor = Math.floor((total * weight) / (999 * weights.length));
          return selectionOf({ currency: 'USD', minSpend, budgetMinor, seller: `agent ${index % 2}` }, index);
        });

        const short = new Set(
          orderedOf(terms, chosen, fee).flatMap(({ product_id, budget }) =>
            budget < minSpend ? product_id : [],
          ),
        );
        expect(codesOf(terms, chosen, fee)).toHaveLength(short.size);
      }),
    );
  });

  /** The packages of the orders that would go out. */
  function orderedOf(terms: Terms, chosen: readonly Selection[], fee: number): OrderPackage[] {
    const ctx = {
      now: terms.start_at,
      newId: () => 'mb_1',
      services: { processId: 'p' },
      caller: { principal: 'u' },
    } as unknown as Context;
    const purchaser = { party: {}, accounts: new Map() } as unknown as Purchaser;
    const campaign = {
      id: 'cmp_1',
      name: 'C',
      advertiser_id: 1,
      frequency_caps: null,
      daily_cap_minor: null,
      pacing: null,
      ...terms,
    };
    return ordersFor(ctx, campaign as unknown as CampaignRow, {
      ...purchaser,
      selections: chosen.map((one) => ({ pacing: null, bid_price: null, ...one })) as DiscoverySelectionRow[],
      fees: () => fee,
    }).flatMap((order) => orderIn(order).packages);
  }
});
