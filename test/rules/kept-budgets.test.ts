import { describe, expect, test } from 'vitest';
import { fromJson, toJson } from '../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct } from '../../store/media-buy-packages.ts';
import { withCalledOff } from '../../tools/domain/buying/changes/called-off.ts';
import { goingBudgets, keptByReport } from '../../tools/domain/buying/changes/kept-budgets.ts';
import { orderTaken } from '../../tools/domain/buying/changes/taken-raises.ts';
import { runsOf } from '../../tools/domain/buying/spend/pace.ts';
import { mediaBuyChangeRow } from '../support/buying/media-buy-change-row.ts';
import { mediaBuyRow } from '../support/buying/media-buy-row.ts';

const product = (id: string, budget_minor: number): BuyProduct => ({
  product_id: id,
  name: id,
  pricing_option_id: 'o',
  budget_minor,
  bid_price: null,
  format_ids: [],
});

/** Their budgets without the fee, as sellers show them. */
const part = (package_id: string, product_id: string, budget_minor: number | null): BuyPackage => ({
  package_id,
  product_id,
  budget_minor,
});

const told = (parts: { readonly [id: string]: number | undefined }) =>
  toJson({
    ...{ views: 0, completed_views: 0, conversions: 0, leads: 0 },
    packages: Object.entries(parts).map(([package_id, spend_minor = 0]) => {
      return { package_id, spend_minor, impressions: 0, clicks: 0 };
    }),
  });

/** Three packages of two products; a fifth is a fee. */
const buy = mediaBuyRow({
  fee_bps: 2_000,
  budget_minor: 30_000,
  products: toJson([product('one', 10_000), product('two', 20_000)]),
  packages: toJson([part('a', 'one', 8_000), part('b', 'two', 8_000), part('c', 'two', 8_000)]),
});

describe('what is kept of packages that are called off', () => {
  test.each([
    { what: 'nothing that was spent', spent: 0, parts: {}, ids: ['a'], budgets: [0, 20_000] },
    {
      what: 'what one spent',
      spent: 4_000,
      parts: { a: 4_000, b: 0, c: 0 },
      ids: ['a'],
      budgets: [5_000, 20_000],
    },
    {
      what: 'what one of a product spent',
      spent: 4_000,
      parts: { a: 0, b: 4_000, c: 0 },
      ids: ['b'],
      budgets: [10_000, 15_000],
    },
    {
      what: 'more than it had',
      spent: 9_000,
      parts: { a: 9_000, b: 0, c: 0 },
      ids: ['a'],
      budgets: [10_000, 20_000],
    },
    { what: 'a whole that is of nobody', spent: 4_000, parts: {}, ids: ['a'], budgets: [5_000, 20_000] },
    { what: 'a whole for two, once', spent: 10_000, parts: {}, ids: ['a', 'b'], budgets: [10_000, 12_500] },
    {
      what: 'what others than those listed spent',
      spent: 12_000,
      parts: { b: 4_000, c: 4_000 },
      ids: ['a'],
      budgets: [5_000, 20_000],
    },
    {
      what: 'what one spent, beside others unsaid',
      spent: 12_000,
      parts: { a: 4_000 },
      ids: ['a'],
      budgets: [5_000, 20_000],
    },
    {
      what: 'what a list of all leaves out',
      spent: 4_000,
      parts: { a: 0, b: 0, c: 0 },
      ids: ['a'],
      budgets: [5_000, 20_000],
    },
  ])('of $what', ({ spent: spend_minor, parts, ids, budgets: [one = 0, two = 0] }) => {
    const bought = { ...buy, spend_minor, delivered: told(parts) };

    const order = withCalledOff(bought, new Set(ids));

    expect(order.products.map(({ budget_minor }) => budget_minor)).toEqual([one, two]);
    expect(order.budget_minor).toBe(one + two);
  });

  test('of one whose seller shows no budgets is at most that of its product', () => {
    const packages = toJson([part('a', 'one', null), part('b', 'two', null)]);
    const bought = { ...buy, packages, spend_minor: 9_000, delivered: null };

    expect(withCalledOff(bought, new Set(['a'])).products).toMatchObject([
      { budget_minor: 10_000 },
      { budget_minor: 20_000 },
    ]);
  });

  const calledOff = (() => {
    const bought = { ...buy, spend_minor: 4_000, delivered: told({ a: 4_000, b: 0, c: 0 }) };
    const { packages, products, budget_minor } = withCalledOff(bought, new Set(['a']));
    return { ...bought, packages: toJson(packages), products: toJson(products), budget_minor };
  })();

  test.each([
    { what: 'more', spent: 6_000, parts: { a: 6_000, b: 0, c: 0 }, budget: 27_500 },
    { what: 'less', spent: 2_000, parts: { a: 2_000, b: 0, c: 0 }, budget: 22_500 },
    { what: 'more than its budget', spent: 9_999, parts: { a: 9_999, b: 0, c: 0 }, budget: 30_000 },
    { what: 'less, and of the rest nothing', spent: 9_000, parts: { a: 2_000 }, budget: undefined },
    { what: 'nothing of it', spent: 9_000, parts: {}, budget: undefined },
  ])('follows a report of $what', ({ spent: spend_minor, parts, budget }) => {
    const { budget_minor } = keptByReport(calledOff, { ...calledOff, spend_minor, delivered: told(parts) });

    expect(budget_minor).toBe(budget);
  });

  test('is no less where a change that was asked for before comes true', () => {
    const later = { ...calledOff, delivered: told({ a: 6_000, b: 0, c: 0 }), spend_minor: 6_000 };
    const stored = { ...later, ...keptByReport(calledOff, later) };
    const { packages, products, budget_minor } = calledOff;

    const kept = keptByReport(stored, { ...stored, packages, products, budget_minor, delivered: told({}) });

    expect(kept.budget_minor).toBe(27_500);
    expect(fromJson(kept.products ?? products)[0]?.budget_minor).toBe(7_500);
  });

  test('is beside what its seller shows of a raise of the other packages of the product', () => {
    const bought = { ...buy, spend_minor: 4_000, delivered: told({ a: 0, b: 4_000, c: 0 }) };
    const off = withCalledOff(bought, new Set(['b']));
    const stored = { ...bought, packages: toJson(off.packages), products: toJson(off.products) };
    const raised = off.packages.map((one) =>
      one.package_id === 'c' ? { ...one, budget_minor: 16_000 } : one,
    );
    const products = [product('one', 10_000), product('two', 25_000)];
    const asked = mediaBuyChangeRow({ action: 'update', proposed: toJson({ packages: raised, products }) });
    const shown = raised.filter(({ canceled }) => canceled !== true);

    const taken = orderTaken({ ...stored, budget_minor: off.budget_minor }, [asked], shown);

    expect(fromJson(taken.products ?? stored.products)[1]?.budget_minor).toBe(25_000);
  });

  test('is spent on no day to come, and leaves the others what is theirs', () => {
    const runs = runsOf(calledOff);

    expect(runs.map(({ minor }) => minor)).toEqual([5_000, 10_000, 10_000]);
    expect(runs[0]?.from).toBe(runs[0]?.to);
  });

  test('is no part of what further periods are shared out by', () => {
    expect(goingBudgets(calledOff)).toEqual([0, 20_000]);
  });
});
