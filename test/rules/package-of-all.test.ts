import { describe, expect, test } from 'vitest';
import type { BuyPackage, BuyProduct } from '../../store/media-buy-packages.ts';
import { packagesAfter } from '../../tools/domain/buying/changes/packages-after.ts';
import { asHeld, asOrdered, markedOfAll } from '../../tools/domain/buying/choice/package-of-all.ts';

const product = (budget_minor: number): BuyProduct => ({
  ...{ product_id: `of-${budget_minor}`, name: 'One', pricing_option_id: 'cpm', budget_minor },
  ...{ bid_price: null, format_ids: [] },
});
const part = (budget_minor: number | null, changes: Partial<BuyPackage> = {}): BuyPackage => ({
  ...{ package_id: 'pkg_1', product_id: null, budget_minor },
  ...changes,
});
const other = (budget_minor: number) => part(budget_minor, { package_id: 'pkg_2' });

describe('the only package that a seller lists', () => {
  /** Two products of 100.01 and 99.99, of which a fee of 7 % leaves 93.00 and 92.99. */
  const products = [product(10_001), product(9_999)];
  const isOfAll = (listed: readonly BuyPackage[], known: readonly BuyPackage[], ordered = products) =>
    markedOfAll(listed, { products: ordered, known, feeBps: 700, lines: 2 })[0]?.of_all === true;

  test.each<[string, readonly BuyPackage[], readonly BuyPackage[]]>([
    ['shows what all of them have without the fee', [part(18_599)], []],
    ['is rounded by no more than there are lines', [part(18_601)], []],
    ['shows what two packages had before', [part(18_599)], [part(9_300), other(9_299)]],
    ['showed it before', [part(18_599)], [part(18_599)]],
    ['was known to, whatever it shows by now', [part(500)], [part(18_599, { of_all: true })]],
    ['was known to, whatever stands beside it', [part(18_599), other(5)], [part(18_599, { of_all: true })]],
  ])('holds all products where it %s', (_, listed, known) => {
    expect(isOfAll(listed, known)).toBe(true);
  });

  test.each<[string, readonly BuyPackage[], readonly BuyPackage[]]>([
    ['shows what one of them has', [part(9_300)], []],
    ['shows more than all of them have', [part(18_602)], []],
    ['shows nothing', [part(null)], []],
    ['is shown in another currency', [part(18_599, { shown_in: 'EUR' })], []],
    ['is listed with several budgets', [part(18_599, { listed_apart: ['budget'] })], []],
    ['had less before, and was raised to the same sum', [part(18_599)], [part(9_300)]],
    [
      'stands beside one that was called off',
      [part(18_599)],
      [part(9_300), { ...other(9_299), canceled: true }],
    ],
  ])('holds its own product where it %s', (_, listed, known) => {
    expect(isOfAll(listed, known)).toBe(false);
  });

  /** As each product has it, or as both have it with one for more than was ordered of it. */
  test.each([
    [9_300, 9_299, undefined],
    [9_400, 9_199, true],
  ])('holds all until each product has its own again: %i and %i', (first, second, marked) => {
    const listed = [part(first, { product_id: 'of-10001' }), { ...other(second), product_id: 'of-9999' }];
    const known = [part(18_599, { of_all: true })];

    const [one] = markedOfAll(listed, { products, known, feeBps: 700, lines: 2 });

    expect(one?.of_all).toBe(marked);
  });

  test('holds all still where it was called off before anything was spent, and no product has a budget', () => {
    const known = [part(18_599, { of_all: true, canceled: true, kept_minor: 0 })];

    expect(isOfAll(known, known, [product(0), { ...product(0), product_id: 'other' }])).toBe(true);
  });

  test.each([
    [10_000, false],
    [10_001, true],
  ])('holds no more than its own product where the other has next to nothing: %i', (shown, is) => {
    expect(
      markedOfAll([part(shown)], {
        ...{ products: [product(10_000), product(1)], known: [], feeBps: 0, lines: 2 },
      })[0]?.of_all === true,
    ).toBe(is);
  });

  test('holds the only product that has a budget, and no other', () => {
    expect(isOfAll([part(9_300)], [], [product(10_001), product(0)])).toBe(false);
  });
});

test.each([
  [20_000, [10_001, 9_999]],
  [40_000, [20_002, 19_998]],
  [1, [0, 1]],
  [0, [0, 0]],
])('%i in all is divided between products as they had it before', (whole, budgets) => {
  const products = [product(10_001), product(9_999)];
  const held = asHeld(products, [part(18_599, { of_all: true })]);
  expect(held).toMatchObject([{ budget_minor: 20_000 }]);

  const after = asOrdered(products, [{ ...product(0), ...held[0], budget_minor: whole }]);

  expect(after.map(({ budget_minor }) => budget_minor)).toEqual(budgets);
  expect(after.map(({ product_id }) => product_id)).toEqual(['of-10001', 'of-9999']);
});

test('what products without a budget are given together is divided equally', () => {
  const products = [product(0), { ...product(0), product_id: 'other' }];

  const after = asOrdered(products, [product(101)]);

  expect(after.map(({ budget_minor }) => budget_minor)).toEqual([50, 51]);
});

test('what is proposed of a package says nothing of whether it holds all: its seller does', () => {
  const after = (proposed: BuyPackage, told: BuyPackage) => packagesAfter([proposed], [told])[0]?.of_all;

  expect(after(part(5), part(5, { of_all: true }))).toBe(true);
  expect(after(part(5, { of_all: true }), part(5))).toBeUndefined();
});
