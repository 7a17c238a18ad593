import type { EmbeddedPackage } from '../../../../store/embedded-buys.ts';
import { findOffered } from '../../../../store/embedded-products.ts';
import type { Db } from '../../../../store/engine/db.ts';
import type { Ids } from '../../../core/ports.ts';
import { readMoney, roundToMinor, toMinor } from '../../money.ts';
import { leastSpend, wrongBid } from '../../pricing.ts';
import type { PackageUpdate } from '../abilities.ts';
import type { OrderPackage, Seller } from '../port.ts';
import { scopeOfSeller } from './buys.ts';
import { type EmbeddedOption, type EmbeddedProduct, embeddedIn } from './catalog.ts';

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
  const row = await findOffered(db, scopeOfSeller(seller), { sourceId: seller.source.id, productId });
  return row === undefined ? undefined : embeddedIn(row);
}

/** A change of packages that are sold. */
interface Changing extends Pick<Ordered, 'currency'> {
  readonly packages: readonly EmbeddedPackage[];
  readonly updates: readonly PackageUpdate[];
}

/**
 * Why packages that are sold cannot be changed so: a bid that their product does not take, or a budget beneath what
 * it is sold for. What is not sold so any more is held to nothing.
 */
export async function notAsOffered(
  db: Db,
  seller: Seller,
  { packages, updates, currency }: Changing,
): Promise<Refusal | undefined> {
  for (const update of updates) {
    const part = packages.find(({ package_id }) => package_id === update.package_id);
    if (part === undefined || update.canceled || (update.budget ?? update.bid_price) === undefined) continue;
    const product = await offered(db, seller, part.product_id);
    const refused = product && againstOffer(product, part, { ...update, currency });
    if (refused !== undefined) return refused;
  }
  return undefined;
}

/** One that stands beneath what its product is sold for may stay, or be raised. */
function againstOffer(
  product: EmbeddedProduct,
  { pricing_option_id: id, budget_minor: has, rate }: EmbeddedPackage,
  { budget, bid_price: bid, currency }: PackageUpdate & Pick<Ordered, 'currency'>,
): Refusal | undefined {
  const option = product.pricing_options.find(({ pricing_option_id }) => pricing_option_id === id);
  if (option === undefined) return undefined;
  const refused = bid === undefined ? undefined : bidRefused(product, option, bid);
  if (refused !== undefined) return refused;
  const minor = budget === undefined ? has : toMinor(budget, currency);
  const least = leastOf(option, { bidPrice: bid ?? rate, currency });
  const isNoMore =
    minor === undefined || minor < has || least > leastOf(option, { bidPrice: rate, currency });
  return isNoMore && minor !== undefined && minor < least ? startsAt(product, least, currency) : undefined;
}

function bidRefused(
  { name }: EmbeddedProduct,
  { fixed_price, floor_price: floorPrice, currency }: EmbeddedOption,
  bid: number,
): Refusal | undefined {
  const wrong = wrongBid({ isFixed: fixed_price !== undefined, floorPrice, currency }, bid);
  return wrong === undefined ? undefined : { code: 'INVALID_REQUEST', message: `${name}: ${wrong}` };
}

function startsAt({ name }: EmbeddedProduct, least: number, currency: string): Refusal {
  return { code: 'BUDGET_TOO_LOW', message: `${name} starts at ${readMoney(least, currency)}.` };
}

function withTerms(
  made: EmbeddedPackage,
  { targeting_overlay, pacing, start_time, end_time }: OrderPackage,
): EmbeddedPackage {
  return {
    ...made,
    ...(targeting_overlay === undefined ? {} : { targeting_overlay }),
    ...(pacing === undefined ? {} : { pacing }),
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
  const { bid_price: bid } = wanted;
  const refused = bid === undefined ? undefined : bidRefused(product, option, bid);
  if (refused !== undefined) return refused;
  return {
    package_id: ids.make('pkg'),
    product_id: product.product_id,
    pricing_option_id: option.pricing_option_id,
    budget_minor,
    pricing_model: option.pricing_model,
    rate: option.fixed_price ?? bid ?? option.floor_price ?? 0,
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
