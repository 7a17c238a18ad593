import type { MediaBuyRow } from '../../../store/media-buys.ts';

type Named = Pick<MediaBuyRow, 'storefront_id' | 'id'>;

/** What a media buy is called when talking to its seller. */
export function referenceOf({ storefront_id, id }: Named): string {
  return `sf:${storefront_id}:${id}`;
}

export function askSeller(buy: Named): string {
  return `Ask the seller, naming ${referenceOf(buy)}`;
}
