import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { roundToMinor } from '../../money.ts';
import { otherCurrency, type SellerPackage, type ShownTotal } from '../../sellers/seller-package.ts';

/** What a seller shows for all of a media buy of which it lists no packages: kept to be told, never counted. Pure. */

interface Told {
  readonly packages: readonly SellerPackage[];
  readonly total?: ShownTotal;
}

/** What is left out stays as it was told; where packages are listed, they tell it. */
export function shownTotal({ packages, total }: Told): Partial<Pick<MediaBuyRow, 'shown_total'>> {
  if (packages.length > 0) return { shown_total: null };
  return total === undefined ? {} : { shown_total: toJson(total) };
}

type Shown = Pick<MediaBuyRow, 'shown_total' | 'currency'>;

/** The currency that all of it is shown in, where that is not that of the order. */
export function totalShownIn({ shown_total: told, currency: ordered }: Shown): string | undefined {
  return told === null ? undefined : otherCurrency(fromJson(told), ordered);
}

/** In words, what is shown for all of it and can be no amount. */
export function totalUnread({ shown_total: told }: Shown): string | undefined {
  return told === null ? undefined : fromJson(told).unread;
}

/** All of it in minor units of the order; undefined where it is not shown, or in another currency. */
export function totalShown(buy: Shown): number | undefined {
  if (buy.shown_total === null || totalShownIn(buy) !== undefined) return undefined;
  const { amount } = fromJson(buy.shown_total);
  return amount === undefined ? undefined : roundToMinor(amount, buy.currency);
}
