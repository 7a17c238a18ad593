import type { EmbeddedPackage } from '../../../../store/embedded-buys.ts';
import { findOffered } from '../../../../store/embedded-products.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Ids } from '../../../core/ports.ts';
import { readMoney, toMinor } from '../../money.ts';
import type { OrderPackage, Seller } from '../port.ts';
import { scopeOf } from './buys.ts';
import { type EmbeddedProduct, embeddedProduct } from './catalog.ts';

/** What the embedded seller makes of packages that are ordered. */

interface Refusal {
  readonly code: string;
  readonly message: string;
}

interface Ordered {
  readonly wanted: readonly OrderPackage[];
  readonly currency: string;
}

/** A package for each, or why one of them cannot be. */
export async function packagesFor(
  { db, ids }: { readonly db: Db; readonly ids: Ids },
  seller: Seller,
  { wanted, currency }: Ordered,
): Promise<EmbeddedPackage[] | Refusal> {
  const packages: EmbeddedPackage[] = [];
  for (const one of wanted) {
    const key = { sourceId: seller.source.id, productId: one.product_id };
    const row = await findOffered(db, scopeOf(seller), key);
    const product = row === undefined ? undefined : embeddedProduct.parse(fromJson(row.product));
    const made = packageFor(ids, product, { wanted: one, currency });
    if ('code' in made) return made;
    packages.push(withTerms(made, one));
  }
  return packages;
}

function withTerms(
  made: EmbeddedPackage,
  { targeting_overlay, start_time, end_time }: OrderPackage,
): EmbeddedPackage {
  return {
    ...made,
    ...(targeting_overlay === undefined ? {} : { targeting_overlay }),
    ...(start_time === undefined ? {} : { start_time }),
    ...(end_time === undefined ? {} : { end_time }),
  };
}

function packageFor(
  ids: Ids,
  product: EmbeddedProduct | undefined,
  { wanted, currency }: { wanted: OrderPackage; currency: string },
): EmbeddedPackage | Refusal {
  if (product === undefined)
    return { code: 'PRODUCT_NOT_FOUND', message: 'The product is not offered any more.' };
  const option = product.pricing_options.find(
    (known) => known.pricing_option_id === wanted.pricing_option_id,
  );
  if (option === undefined)
    return { code: 'INVALID_REQUEST', message: `${product.name} has no such pricing option.` };
  if (option.currency !== currency) {
    return { code: 'INVALID_REQUEST', message: `${product.name} is sold in ${option.currency}.` };
  }
  const budget_minor = toMinor(wanted.budget, currency) ?? 0;
  const least = toMinor(option.min_spend_per_package ?? 0, currency) ?? 0;
  if (budget_minor < least) {
    return { code: 'BUDGET_TOO_LOW', message: `${product.name} starts at ${readMoney(least, currency)}.` };
  }
  const rate = option.fixed_price ?? wanted.bid_price ?? option.floor_price ?? 0;
  if (rate < (option.floor_price ?? 0)) {
    return { code: 'INVALID_REQUEST', message: `The bid for ${product.name} is below its floor.` };
  }
  return {
    package_id: ids.make('pkg'),
    product_id: product.product_id,
    pricing_option_id: option.pricing_option_id,
    budget_minor,
    pricing_model: option.pricing_model,
    rate,
  };
}
