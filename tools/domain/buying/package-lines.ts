import { fromJson } from '../../../store/engine/codec.ts';
import type { BuyPackage, MediaBuyRow } from '../../../store/media-buys.ts';
import type { Order, OrderPackage } from '../sellers/port.ts';
import { targetingNow } from './change-targeting.ts';

/** What packages were ordered as: it holds of them for as long as nothing else was said. Pure. */

export const packageStatuses = ['active', 'paused', 'canceled'] as const;

/** Where a package stands. */
export function packageStatus({
  paused,
  canceled,
}: Pick<BuyPackage, 'paused' | 'canceled'>): (typeof packageStatuses)[number] {
  return canceled ? 'canceled' : paused ? 'paused' : 'active';
}

/** A package, and the line of the order that it is of; undefined where it was not ordered here. */
interface Ordered {
  readonly part: BuyPackage;
  readonly line: OrderPackage | undefined;
}

export function orderLines({ order_payload }: Pick<MediaBuyRow, 'order_payload'>): OrderPackage[] {
  return [...(fromJson<Partial<Order>>(order_payload).packages ?? [])];
}

/** Each package of a buy with its line. */
export function packagesOrdered(buy: Pick<MediaBuyRow, 'packages' | 'order_payload'>): Ordered[] {
  const lines = orderLines(buy);
  return fromJson(buy.packages).map((part) => ({ part, line: takeLine(lines, part.product_id) }));
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
