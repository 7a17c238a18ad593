import type { Targeting } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct, MediaBuyRow, Pacing } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { grossBudgetOf, mediaBudgetOf } from '../../ledger/pricing.ts';
import { noSuchAmount, readMoney, toMajor, toMinor } from '../../money.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import { isUnsent } from '../answers/unsent.ts';
import { spentOf } from '../spend/buy-commitment.ts';
import { spendByPackage, spentOfBudget } from '../spend/package-spend.ts';
import { pastEndIssues } from './change-dates.ts';
import { type Asking, targetingAsked } from './change-targeting.ts';

/** What a change makes of the packages of a buy. Pure. */

export interface WantedPackage {
  readonly packageId: string;
  /** Major units, with the fee in it as in every budget: the seller gets its part. */
  readonly budget?: number | undefined;
  readonly pacing?: Pacing | undefined;
  readonly bidPrice?: number | undefined;
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  /** All of it; what is left out goes. */
  readonly targetingOverlay?: Targeting | undefined;
}

interface Part {
  readonly asked: PackageUpdate;
  readonly proposed: Partial<BuyPackage>;
  /** Its budget with the fee; undefined where it stays. */
  readonly grossMinor: number | undefined;
  readonly issues: readonly Issue[];
}

export function partOf(
  buy: MediaBuyRow,
  wanted: WantedPackage,
  { called, flight, now }: Asking & { readonly now: string },
): Part {
  const { packages, currency, fee_bps } = buy;
  const { packageId: package_id, budget, pacing, bidPrice: bid_price } = wanted;
  const { startTime: start_time, endTime: end_time } = wanted;
  const grossMinor = budget === undefined ? undefined : toMinor(budget, currency);
  const media = grossMinor === undefined ? undefined : mediaBudgetOf(grossMinor, fee_bps);
  const said = Object.fromEntries(
    Object.entries({ pacing, bid_price, start_time, end_time }).filter(([, value]) => value !== undefined),
  );
  const targeted = targetingAsked(buy, wanted, { called, flight });
  const known = fromJson(packages);
  const before = known.find((one) => one.package_id === package_id);
  const unreadable = budget !== undefined && grossMinor === undefined;
  const spent = before && spentIssue(buy, { given: givenNow(before, known, buy), before }, grossMinor);
  return {
    asked: {
      package_id,
      ...said,
      ...(media === undefined ? {} : { budget: toMajor(media, currency) }),
      ...targeted.asked,
    },
    proposed: { ...said, ...(media === undefined ? {} : { budget_minor: media }), ...targeted.proposed },
    grossMinor,
    issues: [
      ...unknownPackage(buy, package_id, called('packageId')),
      ...targeted.issues,
      ...pastEndIssues(wanted, {
        before: { start: buy.start_time, ...before },
        path: called('endTime'),
        now,
      }),
      ...(unreadable ? [{ path: called('budget'), message: noSuchAmount(currency) }] : []),
      ...(spent === undefined ? [] : [{ path: called('budget'), message: spent }]),
    ],
  };
}

/** Who is concerned by what is wanted of a package: its seller, or nobody but us; undefined where nothing would be other. */
export function concernedBy(part: Part, buy: MediaBuyRow): 'seller' | 'here' | undefined {
  const { asked, proposed, issues, grossMinor } = part;
  const known = fromJson(buy.packages);
  const before = known.find(({ package_id }) => package_id === asked.package_id);
  if (issues.length > 0 || JSON.stringify({ ...before, ...proposed }) !== JSON.stringify(before))
    return 'seller';
  const given = before && givenNow(before, known, buy);
  if (grossMinor === undefined || given === undefined || grossMinor === given) return undefined;
  // A cent may be the fee's alone: the seller has what falls to it already.
  return mediaBudgetOf(given, buy.fee_bps) === mediaBudgetOf(grossMinor, buy.fee_bps) ? 'here' : 'seller';
}

/** That a package is to have less than it spent, by what its seller tells of it; undefined where it is not. */
function spentIssue(
  buy: MediaBuyRow,
  { given: budgetMinor, before }: { readonly given: number | undefined; readonly before: BuyPackage },
  grossMinor: number | undefined,
): string | undefined {
  const { currency, fee_bps } = buy;
  const spendMinor = spendByPackage(buy).get(before.package_id);
  if (grossMinor === undefined || budgetMinor === undefined || spendMinor === undefined) return undefined;
  const spent = spentOfBudget(spendMinor, { budgetMinor, feeBps: fee_bps });
  if (grossMinor >= spent) return undefined;
  return `${readMoney(spent, currency)} of it is spent, the fee with it: give at least that.`;
}

/** The budget of a package with the fee, as its product counts it; undefined where it is of no product known. */
function givenNow(part: BuyPackage, known: readonly BuyPackage[], buy: MediaBuyRow): number | undefined {
  const mine = productWith(fromJson(buy.products), known, part);
  if (mine === undefined) return undefined;
  const alone = mine.parts.length === 1 ? mine.product : undefined;
  return grossOf(part, { wanted: new Map(), alone, buy });
}

export function unknownPackage(buy: MediaBuyRow, id: string, path: string): Issue[] {
  const known = fromJson(buy.packages);
  const found = known.find(({ package_id }) => package_id === id);
  if (found?.canceled === true) return [{ path, message: 'The package is canceled.' }];
  if (found !== undefined) return [];
  const ids = known.filter(({ canceled }) => canceled !== true).map(({ package_id }) => package_id);
  const told = ids.length === 0 ? noneOf(buy) : `It has: ${ids.slice(0, 20).join(', ')}.`;
  return [{ path, message: `The media buy has no such package. ${told}` }];
}

function noneOf(buy: MediaBuyRow): string {
  return isUnsent(buy)
    ? 'No seller holds its order: change its products, with products, and execute the campaign again.'
    : 'The seller has named no package yet.';
}

/** What the products may spend together; never less than was spent, with its fee. */
export function budgetOf(buy: MediaBuyRow, products: readonly BuyProduct[]): number {
  return Math.max(givenTo(products), spentOf(buy));
}

/** What products were given together. */
export function givenTo(products: readonly BuyProduct[]): number {
  return products.reduce((sum, { budget_minor }) => sum + budget_minor, 0);
}

type Wanted = ReadonlyMap<string, number | undefined>;

/** What was ordered, with the budgets that its packages are to have. */
export function productsAfter(
  buy: MediaBuyRow,
  packages: readonly BuyPackage[],
  wanted: Wanted,
): BuyProduct[] {
  const products = fromJson(buy.products);
  return products.map((product, index) => {
    const parts = packagesOf(products, packages, index);
    const isChanged = parts.some(
      ({ package_id, canceled }) => canceled === true || wanted.get(package_id) !== undefined,
    );
    if (!isChanged) return product;
    const budgets = parts.map((part) =>
      grossOf(part, { wanted, alone: parts.length === 1 ? product : undefined, buy }),
    );
    return { ...product, budget_minor: budgets.reduce((sum, minor) => sum + minor, 0) };
  });
}

/** The packages of a product, of which there may be several. */
export function packagesOf(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
  index: number,
): BuyPackage[] {
  return packages.filter(({ product_id }, at) =>
    // A seller that names no product names its packages as they were ordered.
    product_id === null && packages.length === products.length
      ? at === index
      : product_id === products[index]?.product_id,
  );
}

/** The product that a package is of, with all its packages; undefined where it is of none that is known. */
export function productWith(
  products: readonly BuyProduct[],
  packages: readonly BuyPackage[],
  part: BuyPackage,
) {
  const all = products.map((product, index) => ({ product, parts: packagesOf(products, packages, index) }));
  return all.find(({ parts }) => parts.includes(part));
}

function grossOf(
  { package_id, budget_minor, canceled, kept_minor = 0 }: BuyPackage,
  { wanted, alone, buy }: { wanted: Wanted; alone: BuyProduct | undefined; buy: MediaBuyRow },
): number {
  if (canceled === true) return kept_minor;
  return wanted.get(package_id) ?? alone?.budget_minor ?? grossBudgetOf(budget_minor ?? 0, buy.fee_bps);
}
