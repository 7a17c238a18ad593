import { isDeepStrictEqual } from 'node:util';
import type { Targeting } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct, MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { combined, saidIn } from '../../targeting/combined.ts';
import { productOf, targetingNow } from '../choice/package-lines.ts';
import { overlayProblems, targetingFor } from '../choice/targeting.ts';
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
  const part = fromJson(buy.packages).find(({ package_id }) => package_id === packageId);
  if (targetingOverlay === undefined || part === undefined) return AS_IT_IS;
  const own = saidIn(targetingOverlay);
  if (isDeepStrictEqual(own, targetingNow(fromJson(buy.products), part))) return AS_IT_IS;
  const { constraints = null } = flight;
  return {
    asked: { targeting_overlay: combined(targetingFor({ constraints }), own).targeting },
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

/** The products, as their packages are to reach people: one whose packages differ stays as it was chosen. */
export function productsTargeted(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
): BuyProduct[] {
  return products.map((product) => {
    const parts = packages.filter((part) => part.canceled !== true && productOf(products, part) === product);
    const [first] = parts;
    const own = first?.targeting_overlay;
    if (own === undefined || parts.some((part) => !isDeepStrictEqual(part.targeting_overlay, own))) {
      return product;
    }
    const { targeting_overlay: _, ...others } = product;
    return Object.keys(own).length === 0 ? others : { ...others, targeting_overlay: own };
  });
}

/** A further package is to reach whom those of its product are to reach by now. */
export function targetedAsNow(
  before: OrderPackage,
  product: BuyProduct,
  { buy, flight }: { buy: MediaBuyRow; flight: Flight },
): OrderPackage {
  const products = fromJson(buy.products);
  const changed = fromJson(buy.packages).findLast(
    (part) =>
      part.targeting_overlay !== undefined && productOf(products, part)?.product_id === product.product_id,
  );
  if (changed === undefined) return before;
  const { targeting_overlay: _, ...others } = before;
  const campaign = targetingFor({ constraints: flight.constraints ?? null });
  const { targeting } = combined(campaign, changed.targeting_overlay ?? {});
  return Object.keys(targeting).length === 0 ? others : { ...others, targeting_overlay: targeting };
}
