import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import { orderedById, withLinesLeft } from '../choice/package-lines.ts';
import { type Held, productOfPackage } from '../choice/package-products.ts';
import { orderLines } from '../payloads.ts';
import { ownGross } from './package-budgets.ts';

/** Packages that a seller shows beside those that were ordered. Pure. */

type Bought = Pick<MediaBuyRow, 'products' | 'packages' | 'order_payload' | 'currency' | 'fee_bps'>;

/**
 * Whether a package is beside others that have each line of the order that it may be of, and all that its product has.
 * A seller may hold in several packages what was ordered as one: where nobody knows which has a line, each may.
 */
export function isNeverOrdered({ package_id }: BuyPackage, buy: Bought): boolean {
  const own = orderedById(buy).get(package_id);
  if (own === undefined || own.line !== undefined || orderLines(buy).length === 0) return false;
  const { left } = withLinesLeft(buy);
  const mine = productOfPackage(buy, own.part);
  if (mine === undefined) return left.length === 0;
  if (left.some(({ product_id }) => product_id === mine.product.product_id)) return false;
  const has = hasIn(buy)(mine) - grossGoing(own.part, buy.fee_bps);
  return has >= mine.product.budget_minor;
}

/** What the packages of a product have together: of those that were called off, what they keep. */
const hasIn = onceOf(({ fee_bps: feeBps }: Bought) =>
  onceOf(({ parts }: Held) =>
    parts.reduce((sum, part) => sum + (part.kept_minor ?? 0) + grossGoing(part, feeBps), 0),
  ),
);

function grossGoing(part: BuyPackage, feeBps: number): number {
  return part.canceled === true ? 0 : (ownGross(part, feeBps) ?? 0);
}
