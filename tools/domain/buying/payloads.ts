import { fromJson } from '../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { onceOf } from '../../core/once.ts';
import type { BuyUpdate } from '../sellers/buy-update.ts';
import type { Order, OrderPackage } from '../sellers/port.ts';

/** What sellers are asked for, as it is kept with media buys and their changes: the store knows it as a text. Pure. */

export function orderIn({ order_payload }: Pick<MediaBuyRow, 'order_payload'>): Order {
  return fromJson<Order>(order_payload);
}

/** The packages that were ordered. */
export const orderLines = onceOf(
  ({ order_payload }: Pick<MediaBuyRow, 'order_payload'>): readonly OrderPackage[] =>
    fromJson<Partial<Order>>(order_payload).packages ?? [],
);

export function updateIn({ payload }: Pick<MediaBuyChangeRow, 'payload'>): BuyUpdate {
  return fromJson<BuyUpdate>(payload);
}
