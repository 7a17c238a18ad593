import { fromJson, toJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { roundToMinor } from '../../money.ts';
import { otherCurrency, type SellerPackage } from '../../sellers/seller-package.ts';
import type { BuyChange } from '../answers/buy-status.ts';
import { withShownDates } from '../answers/shown-package-dates.ts';
import { byPackageId } from '../buy-packages.ts';
import { withThose } from '../changes/called-off.ts';
import { budgetMeant } from '../changes/packages-after.ts';
import { withLines } from '../choice/package-lines.ts';
import { markedOfAll } from '../choice/package-of-all.ts';
import { productsTold, withProducts } from '../choice/package-products.ts';
import { orderLines } from '../payloads.ts';
import { packagesKept, saidWith } from './packages-kept.ts';

/** The columns of a change, the packages as the seller tells of them. */
export function toldColumnsOf(
  buy: Pick<
    MediaBuyRow,
    | 'currency'
    | 'products'
    | 'packages'
    | 'order_payload'
    | 'fee_bps'
    | 'source_message'
    | 'start_time'
    | 'end_time'
    | 'created_at'
  >,
  { sellerPackages = [], ...columns }: BuyChange,
): Partial<MediaBuyRow> {
  if (sellerPackages.length === 0) return columns;
  const products = fromJson(buy.products);
  const known = withProducts(fromJson(buy.packages), products);
  const { packages: kept, leftOut } = packagesKept(sellerPackages, known, buy);
  const lines = Math.max(orderLines(buy).length, products.length);
  const marked = markedOfAll(asPackages(kept, { buy, products, known }), {
    products,
    known,
    feeBps: buy.fee_bps,
    lines,
  });
  const lined = withLines(withThose(marked, known, isCalledOff), { told: kept, known, buy });
  const { source_message: said = buy.source_message } = columns;
  return {
    ...columns,
    packages: toJson(withShownDates(lined, kept, buy)),
    source_message: saidWith(leftOut, said),
  };
}

/** What was called off stays so, with what it keeps, whether its seller lists it or not. */
function isCalledOff({ canceled }: BuyPackage): boolean {
  return canceled === true;
}

interface Known {
  readonly buy: Pick<MediaBuyRow, 'currency' | 'order_payload'>;
  readonly products: readonly BuyProduct[];
  /** The packages as they are stored. */
  readonly known: readonly BuyPackage[];
}

/** What the seller does not say of a package, or says in another currency, stays as it was agreed. */
function asPackages(told: readonly SellerPackage[], { buy, products, known }: Known): BuyPackage[] {
  const ids = productsTold(told, { products, lines: orderLines(buy), known });
  const byId = byPackageId(known);
  return told.map((one, at) => {
    const { package_id, paused, canceled } = one;
    const before = byId.get(package_id);
    return {
      ...before,
      package_id,
      product_id: ids[at] ?? null,
      budget_minor: budgetShown(one, before?.budget_minor ?? null, buy.currency),
      ...heldAs(paused, before),
      ...(canceled === true ? { canceled } : {}),
      ...onThere(canceled, before),
      shown_in: otherCurrency(one, buy.currency),
      listed_apart: one.listedApart,
      unread: one.unread ?? tooPrecise(one, buy.currency),
    };
  });
}

/** One that was called off, and that its seller does not show as over. */
function onThere(
  told: boolean | undefined,
  before: BuyPackage | undefined,
): Pick<BuyPackage, 'shown_on' | 'listed_on'> {
  const isCalledOffHere = before?.canceled === true;
  return {
    shown_on: isCalledOffHere && told === false ? true : undefined,
    listed_on: isCalledOffHere && told === undefined ? true : undefined,
  };
}

/** More than is counted of the currency. */
function tooPrecise({ budget, ...told }: SellerPackage, currency: string): BuyPackage['unread'] {
  if (budget === null || otherCurrency(told, currency) !== undefined) return undefined;
  const isCounted = roundToMinor(budget, currency) !== undefined;
  return isCounted ? undefined : { budget: `${budget} as a budget, which can be none` };
}

/** Most packages never were held: of these nothing is kept. */
function heldAs(told: boolean | undefined, before: BuyPackage | undefined): Pick<BuyPackage, 'paused'> {
  return told === undefined || told === (before?.paused ?? false) ? {} : { paused: told };
}

/** What was called off keeps the budget it had: what it spent of that is owed. */
function budgetShown(
  { canceled, ...told }: SellerPackage,
  before: number | null,
  currency: string,
): number | null {
  const budget = otherCurrency(told, currency) === undefined ? told.budget : null;
  const shown = budget === null ? undefined : roundToMinor(budget, currency);
  if (shown === undefined || (canceled === true && before !== null)) return before;
  return budgetMeant(shown, before);
}
