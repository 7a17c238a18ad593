import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import { roundToMinor } from '../../money.ts';
import { orderedById, withLinesLeft } from '../choice/package-lines.ts';

type Bought = Pick<MediaBuyRow, 'packages' | 'order_payload' | 'currency'>;

/** What a package was ordered for, without the fee: a seller that shows no budget has that. Pure. */
export function orderedFor(id: string, buy: Bought): number {
  const own = orderedById(buy).get(id);
  if (own?.line !== undefined) return roundToMinor(own.line.budget, buy.currency) ?? 0;
  return partsOfLeft(buy).get(own?.part.product_id ?? '') ?? 0;
}

/** Of the lines of a product that several packages may be of each has as much: by the ids of products. */
const partsOfLeft = onceOf((buy: Bought): ReadonlyMap<string, number> => {
  const { ordered, left } = withLinesLeft(buy);
  const counts = new Map<string | null, number>();
  for (const { part, line } of ordered)
    if (line === undefined) counts.set(part.product_id, (counts.get(part.product_id) ?? 0) + 1);
  const sums = new Map<string, number>();
  for (const { product_id: id, budget } of left)
    sums.set(id, (sums.get(id) ?? 0) + (roundToMinor(budget, buy.currency) ?? 0));
  return new Map([...sums].map(([id, whole]) => [id, Math.ceil(whole / (counts.get(id) ?? 1))]));
});
