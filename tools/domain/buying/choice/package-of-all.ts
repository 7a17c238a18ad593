import type { BuyPackage, BuyProduct } from '../../../../store/media-buys.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { shareByWeight } from '../../money.ts';

/**
 * Sellers that merge what was ordered into one package: what it has is of all products together, and none of them can
 * be changed alone. Pure.
 */

/** The package in which all products are held; undefined where each has packages of its own. */
export function packageOfAll(packages: readonly BuyPackage[]): BuyPackage | undefined {
  const [only] = packages;
  return packages.length === 1 && only?.of_all === true ? only : undefined;
}

/** What was ordered as its seller holds it: one product with the budgets of all, where one package holds them. */
export function asHeld(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
): readonly BuyProduct[] {
  const [first] = products;
  if (first === undefined || packageOfAll(packages) === undefined) return products;
  return [{ ...first, budget_minor: sumOf(products) }];
}

/** Products with what they have as they are held; of what all of them have together each keeps its part. */
export function asOrdered(products: readonly BuyProduct[], held: readonly BuyProduct[]): BuyProduct[] {
  if (held.length === products.length) return [...held];
  const whole = sumOf(held);
  if (whole === sumOf(products)) return [...products];
  const weights = products.map(({ budget_minor }) => budget_minor);
  const isNothing = weights.every((weight) => weight === 0);
  const shares = shareByWeight(whole, isNothing ? products.map(() => 1) : weights);
  return products.map((product, index) => ({ ...product, budget_minor: shares[index] ?? 0 }));
}

function sumOf(products: readonly BuyProduct[]): number {
  return products.reduce((sum, { budget_minor }) => sum + budget_minor, 0);
}

interface Listed {
  readonly products: readonly BuyProduct[];
  /** The packages as they are stored. */
  readonly known: readonly BuyPackage[];
  readonly feeBps: number;
  /** How many were ordered: the figures of sellers are rounded package by package. */
  readonly lines: number;
}

/**
 * Packages as a seller lists them, each with whether it holds all that was ordered. It does where it is the only one,
 * and shows what all products have, and what all packages had before: a raise of one of them may come to the same sum.
 */
export function markedOfAll(packages: readonly BuyPackage[], listed: Listed): BuyPackage[] {
  const [only] = packages;
  const isOfAll = packages.length === 1 && only !== undefined && holdsAll(only, listed);
  return packages.map((part) => ({ ...part, of_all: isOfAll || undefined }));
}

function holdsAll(only: BuyPackage, { products, known, feeBps, lines }: Listed): boolean {
  const before = known.find(({ package_id }) => package_id === only.package_id);
  if (before?.of_all === true) return true;
  const { budget_minor: shown, shown_in, listed_apart = [] } = only;
  const isShown = shown !== null && shown_in === undefined && !listed_apart.includes('budget');
  const ordered = products.filter(({ budget_minor }) => budget_minor > 0);
  if (!isShown || ordered.length < 2 || known.some(({ canceled }) => canceled === true)) return false;
  const sums = [
    ordered.reduce((sum, { budget_minor }) => sum + mediaBudgetOf(budget_minor, feeBps), 0),
    ...(known.length === 0 ? [] : [known.reduce((sum, part) => sum + (part.budget_minor ?? 0), 0)]),
  ];
  return sums.every((sum) => Math.abs(shown - sum) <= lines);
}
