import type { EmbeddedPackage } from '../../../../store/embedded-buys.ts';
import { findOffered } from '../../../../store/embedded-products.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Ids } from '../../../core/ports.ts';
import { readMoney, roundToMinor, toMinor } from '../../money.ts';
import { leastSpend } from '../../pricing.ts';
import type { PackageUpdate } from '../abilities.ts';
import type { OrderPackage, Seller } from '../port.ts';
import { scopeOf } from './buys.ts';
import { type EmbeddedOption, type EmbeddedProduct, embeddedProduct } from './catalog.ts';

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
    const product = await offered(db, seller, one.product_id);
    const made = packageFor(ids, product, { wanted: one, currency });
    if ('code' in made) return made;
    packages.push(withTerms(made, one));
  }
  return packages;
}

async function offered(db: Db, seller: Seller, productId: string): Promise<EmbeddedProduct | undefined> {
  const row = await findOffered(db, scopeOf(seller), { sourceId: seller.source.id, productId });
  return row === undefined ? undefined : embeddedProduct.parse(fromJson(row.product));
}

/** A change of packages that are sold. */
interface Changing extends Pick<Ordered, 'currency'> {
  readonly packages: readonly EmbeddedPackage[];
  readonly updates: readonly PackageUpdate[];
}

/** Why packages that are sold cannot have these budgets: less than the product is sold for, and than they have. */
export async function loweredTooFar(
  db: Db,
  seller: Seller,
  { packages, updates, currency }: Changing,
): Promise<Refusal | undefined> {
  for (const part of packages) {
    const update = updates.find(({ package_id }) => package_id === part.package_id);
    const minor = loweredTo(part, update, currency);
    const product = minor === undefined ? undefined : await offered(db, seller, part.product_id);
    if (minor === undefined || product === undefined) continue;
    const least = leastAsSold(product, part, { ...update, currency });
    if (minor < least) return startsAt(product, least, currency);
  }
  return undefined;
}

/** What is left to a package of its budget; undefined where it has no less, or ends. */
function loweredTo(
  { budget_minor }: EmbeddedPackage,
  { budget, canceled }: Partial<PackageUpdate> = {},
  currency: string,
): number | undefined {
  const minor = budget === undefined || canceled ? undefined : toMinor(budget, currency);
  return minor === undefined || minor >= budget_minor ? undefined : minor;
}

/** What is not sold so any more is held to nothing. */
function leastAsSold(
  { pricing_options: options }: EmbeddedProduct,
  { pricing_option_id: id, rate }: EmbeddedPackage,
  { bid_price: bidPrice = rate, currency }: Pick<PackageUpdate, 'bid_price'> & Pick<Ordered, 'currency'>,
): number {
  const option = options.find(({ pricing_option_id }) => pricing_option_id === id);
  return option === undefined ? 0 : leastOf(option, { bidPrice, currency });
}

function startsAt({ name }: EmbeddedProduct, least: number, currency: string): Refusal {
  return { code: 'BUDGET_TOO_LOW', message: `${name} starts at ${readMoney(least, currency)}.` };
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
  const least = leastOf(option, { bidPrice: wanted.bid_price, currency });
  if (budget_minor < least) return startsAt(product, least, currency);
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

/** The least that a package of an option takes, in minor units. */
function leastOf(
  { pricing_model, min_spend_per_package, fixed_price, floor_price }: EmbeddedOption,
  { bidPrice, currency }: { bidPrice: number | undefined; currency: string },
): number {
  const said = { pricingModel: pricing_model, minSpend: min_spend_per_package };
  const prices = { fixedPrice: fixed_price, floorPrice: floor_price };
  return roundToMinor(leastSpend({ ...said, ...prices }, bidPrice), currency) ?? 0;
}
