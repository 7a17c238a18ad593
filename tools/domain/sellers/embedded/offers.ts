import { setImmediate as nextTurn } from 'node:timers/promises';
import { findOffered, listOffered } from '../../../../store/embedded-products.ts';
import type { Store } from '../../../../store/engine/db.ts';
import type { Seller } from '../port.ts';
import type { OfferedProducts, ProductQuery } from '../product-query.ts';
import { scopeOfSeller } from './buys.ts';
import { type EmbeddedProduct, embeddedIn, offersFor } from './catalog.ts';
import { offeredFor } from './exposures.ts';
import { productsNamedIn, refinedBrief, refinedOffer, repliesTo } from './refining.ts';

/** Products of the catalog that are looked at in one turn. */
const SLICE = 50;

interface Asking {
  readonly query: ProductQuery;
  readonly signal: AbortSignal;
}

/** The offers of the catalog, slice by slice: others have their turn. */
export async function offersOf(
  { store }: { readonly store: Store },
  seller: Seller,
  { query, signal }: Asking,
): Promise<OfferedProducts> {
  const sourceId = seller.source.id;
  const { refine = [], trace } = query;
  const named = await offeredBy(store, seller, { ids: productsNamedIn(refine), query });
  const brief = refinedBrief(query.brief, refine, named);
  const { channels, countries, sale } = query;
  trace?.({
    type: 'request',
    message: 'Looked into the catalog.',
    request: { brief, channels, countries, sale, ...(query.refine === undefined ? {} : { refine }) },
  });
  const offers = offersFor({ ...query, brief });
  for (let after = 0; ; await nextTurn()) {
    signal.throwIfAborted();
    const rows = await listOffered(store.db, scopeOfSeller(seller), { sourceId, after, limit: SLICE });
    for (const row of rows) offers.add(offeredFor(embeddedIn(row), query));
    after = rows.at(-1)?.id ?? after;
    if (rows.length >= SLICE) continue;
    const { products, hidden, briefMatched } = offers.result();
    const offered = refinedOffer(products, refine, named);
    const said =
      query.refine === undefined
        ? {}
        : { refinement_applied: repliesTo(refine, offered, { named, turnedDown: query.turnedDown ?? [] }) };
    trace?.({
      type: 'response',
      message: 'Read the catalog.',
      response: { products: offered.length, ...said },
      raw: { products: offered, ...said },
    });
    return Object.assign(offered, { hidden, briefMatched, said });
  }
}

async function offeredBy(
  store: Store,
  seller: Seller,
  { ids, query }: { readonly ids: readonly string[]; readonly query: ProductQuery },
): Promise<ReadonlyMap<string, EmbeddedProduct>> {
  const found = new Map<string, EmbeddedProduct>();
  for (const productId of ids) {
    const row = await findOffered(store.db, scopeOfSeller(seller), { sourceId: seller.source.id, productId });
    if (row !== undefined) found.set(productId, offeredFor(embeddedIn(row), query));
  }
  return found;
}
