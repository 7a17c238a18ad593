import {
  type DiscoveryProductRow,
  findProductPlaces,
  listCheapest,
  listProductsAt,
} from '../../../../store/discovery-products.ts';
import type { DiscoverySessionRow } from '../../../../store/discovery-sessions.ts';
import type { Context } from '../../../core/context.ts';
import { productIn } from '../asking/kept-products.ts';
import type { Candidate } from './asks.ts';

/** Products that a choice for a buyer is made of: the cheapest of the session, and those that the buyer names. */
export const LOOKED_AT = 500;

/** Sellers of one id that are looked at. */
const SELLERS_EACH = 20;
/** Ids that are looked up in one statement, which has a part for each place of each. */
const SLICE = 5;

/** The candidates of a session. A product that is named is among them whatever it costs, and however it is sold. */
export async function candidatesIn(
  ctx: Context,
  session: DiscoverySessionRow,
  named: readonly string[],
): Promise<Candidate[]> {
  const { id } = session;
  const rows = await listCheapest(ctx.db, ctx.scope, { id, limit: LOOKED_AT });
  const candidates = rows.map(asCandidate);
  const known = new Set(candidates.map(({ product }) => product.productId));
  const others = [...new Set(named)].filter((one) => !known.has(one));
  for (let start = 0; start < others.length; start += SLICE) {
    const wanted = others.slice(start, start + SLICE).map((productId) => ({ productId }));
    const places = await findProductPlaces(ctx.db, ctx.scope, { id, wanted, each: SELLERS_EACH });
    candidates.push(...(await listProductsAt(ctx.db, ctx.scope, { id, places })).map(asCandidate));
  }
  return candidates;
}

function asCandidate(row: Pick<DiscoveryProductRow, 'product' | 'group_id'>): Candidate {
  return { product: productIn(row), groupId: row.group_id };
}
