import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { packageOfAll } from '../choice/package-of-all.ts';
import { packagesByProduct, productOfPackage } from '../choice/package-products.ts';
import { isBegun } from '../machines.ts';
import { spendByPackage, spentOfBudget } from '../spend/package-spend.ts';
import { budgetOf } from './change-packages.ts';
import type { Terms, WantedChange } from './wanted-change.ts';

/** Products of an order that its seller took without them, and that the buyer gives up. Pure. */

/** A product of which its seller lists no package, and what is released once it is given up. */
export interface Unlisted {
  readonly product: BuyProduct;
  /** Minor units, with the fee. */
  readonly freeMinor: number;
}

/**
 * The products of which a seller that has taken the order lists no package; none where it lists nothing, where one
 * package holds all of them, or where one may be of any product: that list is not known to be whole.
 */
export function unlistedIn(buy: MediaBuyRow): Unlisted[] {
  const [products, packages] = [fromJson(buy.products), fromJson(buy.packages)];
  const isTaken = buy.submission === 'answered' && isBegun(buy.status);
  const isWhole = packages.every((part) => productOfPackage(buy, part) !== undefined);
  if (!isTaken || packages.length === 0 || !isWhole || packageOfAll(packages) !== undefined) return [];
  const listed = packagesByProduct(products, packages);
  const unlisted = products.filter((_, index) => listed[index]?.length === 0);
  const spendMinor = spentUnlisted(buy);
  return unlisted.flatMap((product) => {
    const kept = spentOfBudget(spendMinor, { budgetMinor: product.budget_minor, feeBps: buy.fee_bps });
    const freeMinor = product.budget_minor - kept;
    return freeMinor <= 0 ? [] : [{ product, freeMinor }];
  });
}

/** What may have been spent of a product without a package: what its seller counts for no package that it lists. */
function spentUnlisted(buy: MediaBuyRow): number {
  const told = spendByPackage(buy);
  const listed = fromJson(buy.packages).map(({ package_id }) => told.get(package_id) ?? 0);
  const rest = listed.reduce((left, minor) => left - minor, buy.spend_minor);
  // The figures of sellers are rounded package by package.
  return rest <= listed.length ? 0 : rest;
}

/** Whether nothing is asked of the products of a buy that a seller holds but to give up what it lists no package of. */
export function isGivingUp(buy: MediaBuyRow, { action, products = [] }: WantedChange): boolean {
  const ids = new Set(unlistedIn(buy).map(({ product }) => product.product_id));
  return (
    action === 'update' &&
    products.length > 0 &&
    products.every(({ productId, remove }) => remove === true && ids.has(productId))
  );
}

/** No seller is told: what it does not hold is no matter of it. */
export function termsGivenUp(buy: MediaBuyRow, { products: wanted = [] }: WantedChange): Terms {
  const given = new Set(wanted.map(({ productId }) => productId));
  const free = new Map(
    unlistedIn(buy).map(({ product, freeMinor }) => [product.product_id, freeMinor] as const),
  );
  const products = fromJson(buy.products).map((product) => {
    const freeMinor = given.has(product.product_id) ? (free.get(product.product_id) ?? 0) : 0;
    return { ...product, budget_minor: product.budget_minor - freeMinor };
  });
  return { asked: {}, proposed: { products, budget_minor: budgetOf(buy, products) }, issues: [] };
}

interface Found {
  readonly buy: MediaBuyRow;
  readonly wanted: WantedChange;
  readonly open: readonly MediaBuyChangeRow[];
}

/** What stands against it: what waits has the budgets of before, and nothing else is changed beside it. */
export function givenUpIssues({ buy, wanted, open }: Found): Issue[] {
  if (wanted.remade !== undefined || !isGivingUp(buy, wanted)) return [];
  const { name, startTime, endTime, packages, pacingPeriods, goals, called } = wanted;
  const isAlone = [name, startTime, endTime, packages, pacingPeriods, goals].every(
    (one) => one === undefined,
  );
  const waits = open.some(({ proposed }) => fromJson(proposed).products !== undefined);
  const path = called('products');
  return [
    ...(isAlone
      ? []
      : [{ path, message: 'Give up what its seller does not list in a call of its own, before or after.' }]),
    ...(waits
      ? [
          {
            path,
            message: 'Another change of its budgets waits for its seller: ask again once that is answered.',
          },
        ]
      : []),
  ];
}
