import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import type { SellerPackage } from '../../sellers/seller-package.ts';
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
  const named = packages.map((part) => placeIn(products, part.product_id));
  const left = products.flatMap((_, place) => (named.includes(place) ? [] : [place]));
  const isEachLeft = named.filter((place) => place === undefined).length === left.length;
  return named.map((place) => place ?? (isEachLeft ? left.shift() : undefined));
}

function placeIn(products: readonly OfProduct[], id: string | null): number | undefined {
  const place = products.findIndex(({ product_id }) => product_id === id);
  return place === -1 ? undefined : place;
}

/** The packages of a product, of which there may be several. */
export function packagesOf(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
  index: number,
): BuyPackage[] {
  const places = placesOf(products, packages);
  return packages.filter((_, at) => places[at] === index);
}

/** Products as they are held, each with its packages: all of them as one, where one package holds them. */
function heldIn(products: readonly BuyProduct[], packages: readonly BuyPackage[]) {
  const held = asHeld(products, packages);
  return held.map((product, index) => ({ product, parts: packagesOf(held, packages, index), index }));
}

/** The product that a package is of, with all its packages; undefined where that cannot be told. */
export function productWith(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
  part: BuyPackage,
) {
  return heldIn(products, packages).find(({ parts }) => parts.includes(part));
}

/** The products, each with the budget that is made of its packages. */
export function budgetedBy(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
  budgetOf: (held: ReturnType<typeof heldIn>[number]) => number,
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
  const left = [...lines];
  for (const id of taken) {
    const at = left.findIndex(({ product_id }) => product_id === id);
    if (at !== -1) left.splice(at, 1);
  }
  return left;
}
