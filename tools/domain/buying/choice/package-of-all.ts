import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { shareByWeight } from '../../money.ts';

/**
 * Sellers that merge what was ordered into one package: what it has is of all products together, and none of them can
 * be changed alone. Pure.
 */

/** The package in which all products are held, others beside it or not; undefined where each has its own. */
export function packageOfAll(packages: readonly BuyPackage[]): BuyPackage | undefined {
  return packages.find(({ of_all }) => of_all === true);
}

/** What was ordered as its seller holds it: one product with the budgets of all, where one package holds them. */
export function asHeld(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
): readonly BuyProduct[] {
  const [first] = products;
  if (first === undefined || packageOfAll(packages) === undefined) return products;
  return [{ ...first, budget_minor: givenTo(products) }];
}

/** Products with what they have as they are held; of what all of them have together each keeps its part. */
export function asOrdered(products: readonly BuyProduct[], held: readonly BuyProduct[]): BuyProduct[] {
  if (held.length === products.length) return [...held];
  const whole = givenTo(held);
  if (whole === givenTo(products)) return [...products];
  const weights = products.map(({ budget_minor }) => budget_minor);
  const isNothing = weights.every((weight) => weight === 0);
  const shares = shareByWeight(whole, isNothing ? products.map(() => 1) : weights);
  return products.map((product, index) => ({ ...product, budget_minor: shares[index] ?? 0 }));
}

/** What products were given together. */
export function givenTo(products: readonly BuyProduct[]): number {
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
 * It goes on to, whatever stands beside it, until each product has what was ordered in packages of its own: what it has
 * would be taken for that of one product, and the others stay bound besides.
 */
export function markedOfAll(packages: readonly BuyPackage[], listed: Listed): BuyPackage[] {
  const [only] = packages;
  const before = packageOfAll(listed.known)?.package_id;
  const isApart = before !== undefined && areApart(packages, listed);
  const isOfAll = packages.length === 1 && only !== undefined && holdsAll(only, listed);
  return packages.map((part) => {
    const isMarked = part.package_id === before ? !isApart : isOfAll;
    return { ...part, of_all: isMarked || undefined };
  });
}

function areApart(packages: readonly BuyPackage[], { products, feeBps, lines }: Listed): boolean {
  const living = packages.filter(({ canceled }) => canceled !== true);
  const budgeted = products.filter(({ budget_minor }) => budget_minor > 0);
  const hasItsOwn = budgeted.map(({ product_id: id, budget_minor }) => {
    const own = living.filter(({ product_id }) => product_id === id);
    const isOff = Math.abs(mediaOf(own) - mediaBudgetOf(budget_minor, feeBps)) > lines;
    return own.length > 0 && own.every(isShown) && !isOff;
  });
  // Where all of it was called off before it spent, there is nothing to tell them apart by.
  return hasItsOwn.length > 0 && hasItsOwn.every(Boolean);
}

/** Whether it shows what all of several products have together, as their packages had before. */
export function holdsAll(only: BuyPackage, { products, known, feeBps, lines }: Listed): boolean {
  const ordered = products.filter(({ budget_minor }) => budget_minor > 0);
  if (!isShown(only) || ordered.length < 2 || known.some(({ canceled }) => canceled === true)) return false;
  const budgets = ordered.map(({ budget_minor }) => mediaBudgetOf(budget_minor, feeBps));
  const whole = budgets.reduce((sum, minor) => sum + minor, 0);
  const isNear = (minor: number) => offBy(only, minor) <= lines;
  // Where the others have next to nothing, what one of them has comes to the sum as well.
  const isNearerToOne = budgets.some((minor) => offBy(only, minor) <= offBy(only, whole));
  return isNear(whole) && !isNearerToOne && (known.length === 0 || isNear(mediaOf(known)));
}

/** Whether its seller shows what it has. */
function isShown({ budget_minor, shown_in, listed_apart = [] }: BuyPackage): boolean {
  return budget_minor !== null && shown_in === undefined && !listed_apart.includes('budget');
}

function mediaOf(packages: readonly BuyPackage[]): number {
  return packages.reduce((sum, { budget_minor }) => sum + (budget_minor ?? 0), 0);
}

function offBy({ budget_minor }: BuyPackage, minor: number): number {
  return Math.abs((budget_minor ?? 0) - minor);
}
