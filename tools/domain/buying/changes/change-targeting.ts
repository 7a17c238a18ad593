import { isDeepStrictEqual } from 'node:util';
import type { Targeting } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import { withCapOfBoth } from '../../sellers/frequency-limit.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { combined, saidIn } from '../../targeting/combined.ts';
import { packagesById, packagesIn } from '../buy-packages.ts';
import { productsOf, targetingKnown } from '../choice/package-lines.ts';
import { overlayProblems, targetingFor } from '../choice/targeting.ts';
import { orderIn } from '../payloads.ts';
import type { WantedPackage } from './change-packages.ts';
import type { Flight } from './wanted-change.ts';

/** Another targeting of packages that a seller holds: it takes the place of the one before. */

interface Targeted {
  readonly asked: Pick<PackageUpdate, 'targeting_overlay'>;
  readonly proposed: Pick<BuyPackage, 'targeting_overlay'>;
  readonly issues: readonly Issue[];
}

/** A package that is asked for, in the words of the caller. */
export interface Asking {
  readonly called: (field: string) => string;
  readonly flight: Flight;
}

const AS_IT_IS: Targeted = { asked: {}, proposed: {}, issues: [] };

/** What a package is to reach from now on: its seller is told what the campaign says as well. Pure. */
export function targetingAsked(
  buy: MediaBuyRow,
  { packageId, targetingOverlay }: WantedPackage,
  { called, flight }: Asking,
): Targeted {
  const part = packagesById(buy).get(packageId);
  if (targetingOverlay === undefined || part === undefined) return AS_IT_IS;
  const own = saidIn(targetingOverlay);
  if (isDeepStrictEqual(own, targetingKnown(fromJson(buy.products), part))) return AS_IT_IS;
  const { constraints = null } = flight;
  const { targeting } = combined(targetingFor({ constraints }), own);
  return {
    asked: { targeting_overlay: withCapOfBoth(targeting, orderIn(buy).party.frequencyCap) },
    proposed: { targeting_overlay: own },
    issues: overlayProblems(own, { constraints }).map(({ field, message }) => ({
      path: called(`targetingOverlay.${field}`),
      message,
    })),
  };
}

/** Whether all that is said of whom to reach was said before: what is taken away adds nothing. */
export function isSaidAlready(own: Targeting, before: Targeting): boolean {
  return Object.entries(own).every(([field, value]) => isDeepStrictEqual(value, before[field]));
}

/** The products, as their packages bid, are paced and reach people: where these differ, it stays as it was chosen. */
export function productsAsPackages(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
): BuyProduct[] {
  const partsOf = new Map(products.map((product): [BuyProduct, BuyPackage[]] => [product, []]));
  for (const part of packages.filter(({ canceled }) => canceled !== true))
    for (const product of productsOf(products, part)) partsOf.get(product)?.push(part);
  return products.map((product) => {
    const parts = partsOf.get(product) ?? [];
    const [bid_price, pacing] = [sameIn(parts, 'bid_price'), sameIn(parts, 'pacing')];
    return {
      ...targetedAs(product, sameIn(parts, 'targeting_overlay')),
      ...(bid_price === undefined ? {} : { bid_price }),
      ...(pacing === undefined ? {} : { pacing }),
    };
  });
}

/** What all packages have; undefined where they differ, or nothing was said of it since they were ordered. */
function sameIn<K extends keyof BuyPackage>(
  parts: readonly BuyPackage[],
  field: K,
): BuyPackage[K] | undefined {
  const [first] = parts;
  return parts.every((part) => isDeepStrictEqual(part[field], first?.[field])) ? first?.[field] : undefined;
}

function targetedAs(product: BuyProduct, own: Targeting | undefined): BuyProduct {
  if (own === undefined) return product;
  const { targeting_overlay: _, ...others } = product;
  return Object.keys(own).length === 0 ? others : { ...others, targeting_overlay: own };
}

/** A further package bids, is paced and reaches people as those of its product by now. */
export function orderedAsNow(
  ordered: OrderPackage,
  product: BuyProduct,
  { buy, flight }: { buy: MediaBuyRow; flight: Flight },
): OrderPackage {
  const { bid_price, pacing } = product;
  const before: OrderPackage = {
    ...ordered,
    ...(bid_price === null ? {} : { bid_price }),
    ...(pacing === undefined ? {} : { pacing }),
  };
  const products = fromJson(buy.products);
  const changed = packagesIn(buy).findLast(
    (part) =>
      part.targeting_overlay !== undefined &&
      productsOf(products, part).some(({ product_id }) => product_id === product.product_id),
  );
  if (changed === undefined) return before;
  const { targeting_overlay: _, ...others } = before;
  const campaign = targetingFor({ constraints: flight.constraints ?? null });
  const { targeting } = combined(campaign, changed.targeting_overlay ?? {});
  return Object.keys(targeting).length === 0 ? others : { ...others, targeting_overlay: targeting };
}
