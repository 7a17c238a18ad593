import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { firstFew } from '../../counted.ts';
import { productNameOf } from '../../product-name.ts';
import type { Selection } from '../choice/choice-problems.ts';
import type { Remark } from '../choice/choice-warnings.ts';

/**
 * What is chosen of a seller that a campaign has a media buy of already: a campaign orders from a seller once. Pure.
 */

const SHOWN_MAX = 5;

type Held = Pick<MediaBuyRow, 'id' | 'agent_id' | 'products' | 'name' | 'status'>;

/**
 * That the products that are not in the order of their seller are not ordered, with the way to buy them; one remark a
 * media buy.
 */
export function leftUnordered(
  chosen: readonly Pick<Selection, 'agent_id' | 'product_id' | 'product'>[],
  held: readonly Held[],
): Remark[] {
  return held.flatMap((buy): Remark[] => {
    const ordered = new Set(fromJson(buy.products).map(({ product_id }) => product_id));
    const left = chosen.filter((one) => one.agent_id === buy.agent_id && !ordered.has(one.product_id));
    if (left.length === 0) return [];
    const names = left.slice(0, SHOWN_MAX).map(({ product }) => productNameOf(fromJson(product)));
    const named = firstFew(names, { most: SHOWN_MAX, total: left.length });
    const text =
      `Not ordered: ${named}. ${buy.name} is ${buy.status}, and a campaign orders from a seller once. ` +
      'To buy them, choose them in a new session of discover_products, and make a campaign of that with campaign_create.';
    return [{ type: 'not_ordered', text, mediaBuyIds: [buy.id] }];
  });
}
