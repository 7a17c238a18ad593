import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { mediaBudgetOf } from '../../ledger/pricing.ts';
import { packagesById, packagesIn } from '../buy-packages.ts';
import { budgetedBy, productsAmong } from '../choice/package-products.ts';
import { isNeverOrdered } from '../spend/never-ordered.ts';
import { ownGross } from '../spend/package-budgets.ts';
import { spendByPackage, spendUnlisted, spentOfBudget } from '../spend/package-spend.ts';
import { budgetOf } from './change-packages.ts';

/** What packages that were called off keep of their budgets: what they spent is owed, whatever the others do. Pure. */

type Bought = Pick<
  MediaBuyRow,
  'products' | 'packages' | 'order_payload' | 'currency' | 'fee_bps' | 'delivered' | 'spend_minor'
>;

/**
 * Packages with what those that are called off keep, where that is not known yet. Of a seller that does not tell what
 * it spent of each they keep what may be theirs of the whole.
 */
export function withKept(buy: Bought, packages: readonly BuyPackage[]): BuyPackage[] {
  const told = spendByPackage(buy);
  const isEachTold = packages.every(({ package_id }) => told.has(package_id));
  const kept = packages.filter(({ package_id }) => !told.has(package_id)).reduce(keptMediaOf(buy), 0);
  let rest = Math.max(0, spendUnlisted(buy) - kept);
  const mostOf = mostAmong(packages, buy);
  return packages.map((part) => {
    if (part.canceled !== true || part.kept_minor !== undefined) return part;
    // Nothing was bound for it, and nothing is by an end of it.
    if (isNeverOrdered(part, buy)) return { ...part, kept_minor: 0, never_ordered: true as const };
    const own = told.get(part.package_id);
    const shared = own === undefined || isEachTold ? rest : 0;
    const budgetMinor = mostOf(part);
    rest -= Math.min(shared, mediaBudgetOf(budgetMinor, buy.fee_bps));
    return { ...part, kept_minor: spentOfBudget((own ?? 0) + shared, { budgetMinor, feeBps: buy.fee_bps }) };
  });
}

function keptMediaOf({ fee_bps }: Bought): (sum: number, part: BuyPackage) => number {
  return (sum, { kept_minor = 0 }) => sum + mediaBudgetOf(kept_minor, fee_bps);
}

/** The budget that each of these packages had, with the fee: no more is owed of it. */
function mostAmong(packages: readonly BuyPackage[], { products, fee_bps }: Bought): MostOf {
  const ordered = fromJson(products);
  const productOf = productsAmong(ordered, packages);
  const most = ordered.reduce((so, { budget_minor }) => Math.max(so, budget_minor), 0);
  return (part) => {
    if (part.never_ordered === true) return 0;
    const [mine, own] = [productOf(part), ownGross(part, fee_bps)];
    // It is of one of them, whichever it is.
    if (mine === undefined) return Math.min(own ?? most, most);
    const isWhole = part.budget_minor === null || mine.parts.length === 1;
    return isWhole ? Math.max(own ?? 0, mine.product.budget_minor) : (own ?? 0);
  };
}

type MostOf = (part: BuyPackage) => number;

/**
 * What a buy is by a later report of what was called off: sellers count a while after they stopped. `after` is the buy
 * as it is to be written otherwise. Nothing where each keeps what it has.
 */
export function keptByReport(
  buy: Pick<MediaBuyRow, 'packages' | 'delivered'>,
  after: MediaBuyRow,
): Partial<Pick<MediaBuyRow, 'packages' | 'products' | 'budget_minor'>> {
  if (after.delivered === buy.delivered && after.packages === buy.packages) return {};
  const before = new Map(
    fromJson(buy.packages).map(({ package_id, kept_minor }) => [package_id, kept_minor]),
  );
  const had = packagesIn(after);
  const mostOf = mostAmong(had, after);
  const has = had.map((part) => keptAnew(part, { known: before.get(part.package_id), after, mostOf }));
  const hadById = packagesById(after);
  const products = budgetedBy(fromJson(after.products), has, ({ product, parts }) => {
    const keptBefore = keptIn(parts.flatMap(({ package_id }) => hadById.get(package_id) ?? []));
    return product.budget_minor + keptIn(parts) - keptBefore;
  });
  if (keptIn(has) === keptIn(had)) return {};
  return { packages: toJson(has), products: toJson(products), budget_minor: budgetOf(after, products) };
}

/** What packages keep together of those that were called off. */
export function keptIn(packages: readonly BuyPackage[]): number {
  return packages.reduce((sum, { kept_minor = 0 }) => sum + kept_minor, 0);
}

/** The budgets of the products of a buy, without what is kept of packages that were called off. */
export function goingBudgets({ products, packages }: Pick<MediaBuyRow, 'products' | 'packages'>): number[] {
  const [all, parts] = [fromJson(products), fromJson(packages)];
  const going = budgetedBy(all, parts, ({ product, parts: own }) => product.budget_minor - keptIn(own));
  return going.map(({ budget_minor }) => budget_minor);
}

interface Anew {
  /** What it kept by what is stored. */
  readonly known: number | undefined;
  readonly after: MediaBuyRow;
  readonly mostOf: MostOf;
}

function keptAnew(part: BuyPackage, { known = part.kept_minor, after, mostOf }: Anew): BuyPackage {
  if (known === undefined || part.canceled !== true) return part;
  const spendMinor = spendByPackage(after).get(part.package_id);
  if (spendMinor === undefined) return { ...part, kept_minor: known };
  const told = spentOfBudget(spendMinor, { budgetMinor: mostOf(part), feeBps: after.fee_bps });
  // Who does not say of all that was spent which package it was of may have spent more of this one.
  return { ...part, kept_minor: spendUnlisted(after) > 0 ? Math.max(known, told) : told };
}
