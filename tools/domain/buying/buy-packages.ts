import { fromJson } from '../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import { onceOf } from '../../core/once.ts';

/**
 * The packages of a media buy, of which there may be thousands: read once, however many ask for one of them. Pure.
 */

type Bought = Pick<MediaBuyRow, 'packages'>;

export const packagesIn = onceOf(({ packages }: Bought): readonly BuyPackage[] => fromJson(packages));

/** Packages by their ids, whoever tells of them. */
export function byPackageId<Part extends { readonly package_id: string }>(
  parts: readonly Part[],
): ReadonlyMap<string, Part> {
  return new Map(parts.map((part) => [part.package_id, part]));
}

export const packagesById = onceOf((buy: Bought) => byPackageId(packagesIn(buy)));

const placesById = onceOf(
  (buy: Bought): ReadonlyMap<string, number> =>
    new Map(packagesIn(buy).map(({ package_id }, place) => [package_id, place])),
);

/** Those of these ids, in the order in which they are stored. */
export function packagesNamed(buy: Bought, ids: readonly string[]): BuyPackage[] {
  const places = ids.flatMap((id) => placesById(buy).get(id) ?? []).sort((one, other) => one - other);
  return places.flatMap((place) => packagesIn(buy)[place] ?? []);
}

/** Those that were not called off. */
export const packagesLeft = onceOf((buy: Bought): readonly BuyPackage[] =>
  packagesIn(buy).filter(({ canceled }) => canceled !== true),
);
