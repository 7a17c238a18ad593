import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Targeting } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct, MediaBuyRow } from '../../../../store/media-buys.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { earlier, later } from '../../time.ts';
import { orderLines } from '../payloads.ts';

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

/** A package, and the line of the order that it is of; undefined where it was not ordered here. */
export interface Ordered {
  readonly part: BuyPackage;
  readonly line: OrderPackage | undefined;
}

/** Each package of a buy with its line. */
export function packagesOrdered(buy: Pick<MediaBuyRow, 'packages' | 'order_payload'>): Ordered[] {
  const lines = [...orderLines(buy)];
  const packages = fromJson(buy.packages);
  return packages.map((part) => ({
    part,
    line: part.of_all === true ? lineOfAll(orderLines(buy)) : takeLine(lines, part.product_id),
  }));
}

/**
 * What one package of all products was ordered as: the budgets of all, from the first moment to the last; a pace and a
 * bid where all have the same. Whatever else is of one product stays that of the first.
 */
function lineOfAll([first, ...others]: readonly OrderPackage[]): OrderPackage | undefined {
  if (first === undefined) return undefined;
  const { pacing, bid_price, start_time, end_time, ...rest } = first;
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

/** Sellers name packages in the order in which they were ordered: the first of its product that is left. */
function takeLine(lines: OrderPackage[], productId: string | null): OrderPackage | undefined {
  const index = lines.findIndex(({ product_id }) => productId === null || product_id === productId);
  return index === -1 ? undefined : lines.splice(index, 1)[0];
}

/** The packages of a buy with all that holds of them, said of them or ordered. */
export function packagesNow(buy: Pick<MediaBuyRow, 'packages' | 'products' | 'order_payload'>): BuyPackage[] {
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
export function productOf(
  products: readonly BuyProduct[],
  { product_id }: BuyPackage,
): BuyProduct | undefined {
  if (products.length === 1) return products[0];
  return products.find((one) => one.product_id === product_id);
}
