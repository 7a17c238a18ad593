import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { withLinesLeft } from '../choice/package-lines.ts';
import { productWith } from '../choice/package-products.ts';
import { orderLines } from '../payloads.ts';
import { ownGross } from './package-budgets.ts';

/** Packages that a seller shows beside those that were ordered. Pure. */

type Bought = Pick<MediaBuyRow, 'products' | 'packages' | 'order_payload' | 'currency' | 'fee_bps'>;

/**
 * Whether a package is beside others that have each line of the order that it may be of, and all that its product has.
 * A seller may hold in several packages what was ordered as one: where nobody knows which has a line, each may.
 */
export function isNeverOrdered({ package_id }: BuyPackage, buy: Bought): boolean {
  const stored = fromJson(buy.packages);
  const part = stored.find((one) => one.package_id === package_id);
  if (part === undefined || orderLines(buy).length === 0) return false;
  const { ordered, left } = withLinesLeft(buy);
  const own = ordered.find((one) => one.part.package_id === package_id);
  if (own?.line !== undefined) return false;
  const mine = productWith(fromJson(buy.products), stored, part);
  if (mine === undefined) return left.length === 0;
  if (left.some(({ product_id }) => product_id === mine.product.product_id)) return false;
  const others = mine.parts.filter((one) => one.package_id !== package_id && one.canceled !== true);
  const kept = mine.parts.reduce((sum, { kept_minor = 0 }) => sum + kept_minor, 0);
  const has = others.reduce((sum, one) => sum + (ownGross(one, buy.fee_bps) ?? 0), kept);
  return has >= mine.product.budget_minor;
}
