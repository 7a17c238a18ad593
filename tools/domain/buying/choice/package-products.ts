import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import type { SellerPackage } from '../../sellers/seller-package.ts';
import { packagesIn } from '../buy-packages.ts';
import { asHeld, asOrdered } from './package-of-all.ts';

/** Which of the products that were ordered a package is of, however its seller names products. Pure. */

type OfProduct = Pick<BuyPackage, 'product_id'>;

/**
 * The place of its product for each package; undefined where that cannot be told. Of one product alone they all are.
 * Those that name none of them are of those that no other package is of, in the order of both, where these are as many.
 */
function placesOf(
  products: readonly OfProduct[],
  packages: readonly OfProduct[],
): readonly (number | undefined)[] {
  if (products.length === 1) return packages.map(() => 0);
  const byId = new Map(products.map(({ product_id }, place) => [product_id, place] as const).reverse());
  const named = packages.map(({ product_id }) => (product_id === null ? undefined : byId.get(product_id)));
  const taken = new Set(named);
  const left = products.flatMap((_, place) => (taken.has(place) ? [] : [place]));
  const isEachLeft = named.filter((place) => place === undefined).length === left.length;
  const open = left.values();
  return named.map((place) => place ?? (isEachLeft ? open.next().value : undefined));
}

/** The packages of each product, of which there may be several. */
export function packagesByProduct(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
): readonly (readonly BuyPackage[])[] {
  const places = placesOf(products, packages);
  const parts = products.map((): BuyPackage[] => []);
  for (const [at, part] of packages.entries()) parts[places[at] ?? -1]?.push(part);
  return parts;
}

/** A product as it is held, with all its packages. */
export interface Held {
  readonly product: BuyProduct;
  readonly parts: readonly BuyPackage[];
  readonly index: number;
}

/** Products as they are held, each with its packages: all of them as one, where one package holds them. */
function heldIn(products: readonly BuyProduct[], packages: readonly BuyPackage[]): Held[] {
  const held = asHeld(products, packages);
  const parts = packagesByProduct(held, packages);
  return held.map((product, index) => ({ product, parts: parts[index] ?? [], index }));
}

/** Tells the product that each of these packages is of; undefined where that cannot be told. */
export function productsAmong(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
): (part: BuyPackage) => Held | undefined {
  const held = heldIn(products, packages).flatMap((one) => one.parts.map((part) => [part, one] as const));
  const byPart = new Map(held);
  return (part) => byPart.get(part);
}

type Bought = Pick<MediaBuyRow, 'products' | 'packages'>;

/** The product of each package of a buy, by the id of the package. */
const productsOfBuy = onceOf((buy: Bought): ReadonlyMap<string, Held> => {
  const held = heldIn(fromJson(buy.products), packagesIn(buy));
  return new Map(held.flatMap((one) => one.parts.map(({ package_id }) => [package_id, one] as const)));
});

/** The product that a package of a buy is of, with all its packages; undefined where that cannot be told. */
export function productOfPackage(buy: Bought, { package_id }: Pick<BuyPackage, 'package_id'>) {
  return productsOfBuy(buy).get(package_id);
}

/** The products, each with the budget that is made of its packages. */
export function budgetedBy(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
  budgetOf: (held: Held) => number,
): BuyProduct[] {
  const held = heldIn(products, packages).map((one) => {
    const budget_minor = budgetOf(one);
    return budget_minor === one.product.budget_minor ? one.product : { ...one.product, budget_minor };
  });
  return asOrdered(products, held);
}

/** Packages with the ids of the products that they are of, as far as that can be told. */
export function withProducts(packages: readonly BuyPackage[], products: readonly BuyProduct[]): BuyPackage[] {
  const places = placesOf(products, packages);
  return packages.map((part, at) => ({
    ...part,
    product_id: products[places[at] ?? -1]?.product_id ?? part.product_id,
  }));
}

interface Ordered {
  readonly products: readonly BuyProduct[];
  readonly lines: readonly OrderPackage[];
  /** The packages as they are stored, with their products. */
  readonly known: readonly BuyPackage[];
}

/**
 * The id of the product for each package that its seller lists: the one that it is known by, whatever its seller calls
 * it since; else what its seller says, where that was ordered; else the line of the order that is left for it. Where
 * none of these tells, as its seller has it.
 */
export function productsTold(
  told: readonly SellerPackage[],
  { products, lines, known }: Ordered,
): readonly (string | null)[] {
  const ids = new Set(products.map(({ product_id }) => product_id));
  const isOrdered = (id: string | null | undefined) => id !== null && id !== undefined && ids.has(id);
  const before = new Map(known.map((part) => [part.package_id, part.product_id]));
  const found = told.map(({ package_id, product_id }) =>
    [before.get(package_id), product_id].find(isOrdered),
  );
  const listed = new Set(told.map(({ package_id }) => package_id));
  const gone = known.filter(({ package_id, canceled }) => canceled === true && !listed.has(package_id));
  const left = linesLeft(lines, [...found, ...gone.map(({ product_id }) => product_id)]);
  const isEachLeft = found.filter((id) => id === undefined).length === left.length;
  const only = products.length === 1 ? products[0]?.product_id : undefined;
  return found.map((id, at) => {
    const own = told[at]?.product_id ?? before.get(told[at]?.package_id ?? '') ?? null;
    return id ?? only ?? (isEachLeft ? left.shift()?.product_id : undefined) ?? own;
  });
}

/** The lines of an order that no package of these products has taken. */
function linesLeft(
  lines: readonly OrderPackage[],
  taken: readonly (string | null | undefined)[],
): OrderPackage[] {
  const counts = new Map<string | null | undefined, number>();
  for (const id of taken) counts.set(id, (counts.get(id) ?? 0) + 1);
  return lines.filter(({ product_id }) => {
    const count = counts.get(product_id) ?? 0;
    counts.set(product_id, count - 1);
    return count <= 0;
  });
}
