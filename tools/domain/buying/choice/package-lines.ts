import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Targeting } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import type { SellerPackage } from '../../sellers/seller-package.ts';
import { earlier, later } from '../../time.ts';
import { byPackageId, packagesIn } from '../buy-packages.ts';
import { orderLines } from '../payloads.ts';
import { linePlaces } from './line-places.ts';

/** What packages were ordered as: it holds of them for as long as nothing else was said. Pure. */

const packageStatuses = ['active', 'paused', 'canceled'] as const;

export const packageStatus = z
  .enum(packageStatuses)
  .describe(
    'Held or called off, itself or with its media buy, else active: whether that runs its own status says.',
  );

/** Where a package stands: what is held or called off is so with all its packages. */
export function statusOfPackage(
  { status, adcp_status }: Pick<MediaBuyRow, 'status' | 'adcp_status'>,
  { paused, canceled }: Pick<BuyPackage, 'paused' | 'canceled'>,
): (typeof packageStatuses)[number] {
  // What is put away was called off, unless it had come to its end.
  const isPutAway = status === 'ARCHIVED' && adcp_status !== 'completed';
  if (canceled || isPutAway || status === 'CANCELED' || status === 'REJECTED') return 'canceled';
  return paused || status === 'PAUSED' ? 'paused' : 'active';
}

/** A package, and the line of the order that it is of; undefined where none is certain. */
export interface Ordered {
  readonly part: BuyPackage;
  readonly line: OrderPackage | undefined;
}

/** Whether it is known when a package was to run: by its line, as was said of it, or with all that was ordered. */
export function isDated({ part, line }: Ordered, lines: readonly OrderPackage[]): boolean {
  if (line !== undefined || (part.start_time ?? part.end_time) !== undefined) return true;
  return isOneFlight(lines);
}

const isOneFlight = onceOf(
  (lines: readonly OrderPackage[]) =>
    new Set(lines.map(({ start_time, end_time }) => `${start_time} ${end_time}`)).size < 2,
);

type Buy = Pick<MediaBuyRow, 'packages' | 'order_payload' | 'currency'>;

/** Each package of a buy with its line. */
export function packagesOrdered(buy: Buy): readonly Ordered[] {
  return withLinesLeft(buy).ordered;
}

/** The same by the ids of packages. */
export const orderedById = onceOf(
  (buy: Buy): ReadonlyMap<string, Ordered> =>
    new Map(withLinesLeft(buy).ordered.map((one) => [one.part.package_id, one])),
);

interface WithLinesLeft {
  readonly ordered: readonly Ordered[];
  readonly left: readonly OrderPackage[];
}

/** Each package with its line, with the lines that no package is known to be of. */
export const withLinesLeft = onceOf((buy: Buy): WithLinesLeft => {
  const lines = orderLines(buy);
  const packages = packagesIn(buy);
  const shown = packages.map((part) => ({
    ...part,
    start: part.shown_start ?? part.start_time,
    end: part.shown_end ?? part.end_time,
  }));
  const places = linePlaces(shown, lines, buy.currency);
  const taken = new Set(places.values());
  const isOfAll = packages.some(({ of_all }) => of_all === true);
  return {
    ordered: packages.map((part) => ({
      part,
      line: part.of_all === true ? lineOfAll(lines) : lines[places.get(part.package_id) ?? -1],
    })),
    left: isOfAll ? [] : lines.filter((_, at) => !taken.has(at)),
  };
});

/**
 * Packages that each keep the line they are of by now, whatever their seller lists first from here on: those that were
 * there before come before those that it shows for the first time.
 */
export function withLines(
  packages: readonly BuyPackage[],
  { told, known, buy }: { told: readonly Told[]; known: readonly BuyPackage[]; buy: Omit<Buy, 'packages'> },
): BuyPackage[] {
  const before = new Set(known.map(({ package_id }) => package_id));
  const isKnown = ({ package_id }: BuyPackage) => before.has(package_id);
  const saidOf = byPackageId(told);
  const shown = [...packages.filter(isKnown), ...packages.filter((part) => !isKnown(part))].map((part) => {
    const said = saidOf.get(part.package_id);
    return {
      ...part,
      line: isKnown(part) ? part.line : null,
      start: said?.start_time ?? part.shown_start ?? part.start_time,
      end: said?.end_time ?? part.shown_end ?? part.end_time,
    };
  });
  const lines = orderLines(buy);
  const places = linePlaces(shown, lines, buy.currency);
  return packages.map((part) => {
    const line = places.get(part.package_id) ?? part.line ?? null;
    // What was asked for of it comes before what it was ordered for.
    const { gross_minor = line === null ? undefined : lines[line]?.gross_minor } = part;
    return { ...part, line, ...(gross_minor === undefined ? {} : { gross_minor }) };
  });
}

type Told = Pick<SellerPackage, 'package_id' | 'start_time' | 'end_time'>;

/**
 * What one package of all products was ordered as: the budgets of all, from the first moment to the last; a pace and a
 * bid where all have the same. Whatever else is of one product stays that of the first.
 */
function lineOfAll([first, ...others]: readonly OrderPackage[]): OrderPackage | undefined {
  if (first === undefined) return undefined;
  const { pacing, bid_price, start_time, end_time, gross_minor: _, ...rest } = first;
  const isShared = (field: 'pacing' | 'bid_price') => others.every((line) => line[field] === first[field]);
  const at = (field: 'start_time' | 'end_time', other: typeof later) =>
    others.reduce((moment, line) => moment && line[field] && other(moment, line[field]), first[field]);
  const [start, end] = [at('start_time', earlier), at('end_time', later)];
  return {
    ...rest,
    budget: others.reduce((sum, { budget }) => sum + budget, first.budget),
    ...(pacing !== undefined && isShared('pacing') ? { pacing } : {}),
    ...(bid_price !== undefined && isShared('bid_price') ? { bid_price } : {}),
    ...(start === undefined ? {} : { start_time: start }),
    ...(end === undefined ? {} : { end_time: end }),
  };
}

/** The packages of a buy with all that holds of them, said of them or ordered. */
export function packagesNow(buy: Buy & Pick<MediaBuyRow, 'products'>): BuyPackage[] {
  const products = fromJson(buy.products);
  return packagesOrdered(buy).map(({ part, line = {} }) => {
    const { pacing, bid_price, start_time, end_time }: Partial<OrderPackage> = line;
    const targeting_overlay = targetingNow(products, part);
    const ordered = { pacing, bid_price, start_time, end_time };
    const said = Object.entries(ordered).filter(([, value]) => value !== undefined);
    const isTargeted = Object.keys(targeting_overlay).length > 0;
    return { ...Object.fromEntries(said), ...(isTargeted ? { targeting_overlay } : {}), ...part };
  });
}

/** Whom a package is to reach, beside what its campaign says: nobody in particular, where nothing was said. */
export function targetingNow(products: readonly BuyProduct[], part: BuyPackage): Targeting {
  return targetingKnown(products, part) ?? {};
}

/** The same; undefined where it is of products that were to reach different people. */
export function targetingKnown(products: readonly BuyProduct[], part: BuyPackage): Targeting | undefined {
  if (part.targeting_overlay !== undefined) return part.targeting_overlay;
  const [first = {}, ...others] = productsOf(products, part).map(
    ({ targeting_overlay = {} }) => targeting_overlay,
  );
  return others.every((one) => isDeepStrictEqual(one, first)) ? first : undefined;
}

/** The products that a package is of: all of them, where its seller holds them in it; none where nobody can tell. */
export function productsOf(products: readonly BuyProduct[], part: BuyPackage): readonly BuyProduct[] {
  if (part.of_all === true) return products;
  const one = productOf(products, part);
  return one === undefined ? [] : [one];
}

/** The ids of these, or what its seller calls the one it is of. */
export function productIdsOf(products: readonly BuyProduct[], part: BuyPackage): string[] {
  if (part.of_all === true) return products.map(({ product_id }) => product_id);
  return part.product_id === null ? [] : [part.product_id];
}

/** Of one product alone all packages are, whatever their seller calls it. */
function productOf(products: readonly BuyProduct[], { product_id }: BuyPackage): BuyProduct | undefined {
  if (products.length === 1) return products[0];
  return product_id === null ? undefined : productsById(products).get(product_id);
}

/** The first of each id. */
const productsById = onceOf(
  (products: readonly BuyProduct[]): ReadonlyMap<string, BuyProduct> =>
    new Map(products.map((one) => [one.product_id, one] as const).reverse()),
);
