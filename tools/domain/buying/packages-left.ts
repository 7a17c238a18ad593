import { fromJson } from '../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';

/** The packages of a media buy that were not called off. Pure. */
export function packagesLeft({ packages }: Pick<MediaBuyRow, 'packages'>): BuyPackage[] {
  return fromJson(packages).filter(({ canceled }) => canceled !== true);
}
