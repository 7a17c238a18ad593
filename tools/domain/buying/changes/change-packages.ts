import type { Targeting } from '../../../../store/discovery-selections.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { BuyPackage, BuyProduct, Pacing } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { grossBudgetOf, mediaBudgetOf } from '../../ledger/pricing.ts';
import { noSuchAmount, readMoney, toMajor, toMinor } from '../../money.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import { packagesById, packagesNamed } from '../buy-packages.ts';
import { givenTo, packageOfAll } from '../choice/package-of-all.ts';
import { budgetedBy, productOfPackage } from '../choice/package-products.ts';
import { askSeller } from '../references.ts';
import { spentOf } from '../spend/buy-commitment.ts';
import { isNeverOrdered } from '../spend/never-ordered.ts';
import { orderedFor } from '../spend/ordered-for.ts';
import { grossAmong, ownGross } from '../spend/package-budgets.ts';
import { spendByPackage, spentOfBudget } from '../spend/package-spend.ts';
import { pastEndIssues } from './change-dates.ts';
import { type Asking, targetingAsked } from './change-targeting.ts';
import { unknownPackage } from './unknown-package.ts';

/** What a change makes of the packages of a buy. Pure. */

export interface WantedPackage {
  readonly packageId: string;
  /** Major units, with the fee in it as in every budget: the seller gets its part. */
  readonly budget?: number | undefined;
  readonly pacing?: Pacing | undefined;
  /** Null: none, which a seller can be told of no package that has one. */
  readonly bidPrice?: number | null | undefined;
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
  const { currency, fee_bps } = buy;
  const { packageId: package_id, budget, pacing } = wanted;
  const bid_price = wanted.bidPrice ?? undefined;
  const { startTime: start_time, endTime: end_time } = wanted;
  const grossMinor = budget === undefined ? undefined : toMinor(budget, currency);
  const media = grossMinor === undefined ? undefined : mediaBudgetOf(grossMinor, fee_bps);
  const said = Object.fromEntries(
    Object.entries({ pacing, bid_price, start_time, end_time }).filter(([, value]) => value !== undefined),
  );
  const targeted = targetingAsked(buy, wanted, { called, flight });
  const before = packagesById(buy).get(package_id);
  return {
    asked: {
      package_id,
      ...said,
      ...(media === undefined ? {} : { budget: toMajor(media, currency) }),
      ...targeted.asked,
    },
    proposed: { ...said, ...budgetAsked(grossMinor, fee_bps), ...targeted.proposed },
    grossMinor,
    issues: [
      ...unknownPackage(buy, package_id, called('packageId')),
      ...targeted.issues,
      ...pastEndIssues(wanted, {
        before: { start: buy.start_time, ...before },
        path: called('endTime'),
        now,
      }),
      ...budgetIssues({ wanted: budget, grossMinor, before }, buy).map((message) => ({
        path: called('budget'),
        message,
      })),
      ...(wanted.bidPrice === null ? bidTakenBack(before, buy) : []).map((message) => ({
        path: called('bidPrice'),
        message,
      })),
    ],
  };
}

/** AdCP's update_media_buy sets another bid, and takes none back: of a product nobody can tell, one that any has. */
function bidTakenBack(before: BuyPackage | undefined, buy: MediaBuyRow): string[] {
  if (before === undefined) return [];
  const bought = productOfPackage(buy, before)?.product;
  const bids = [bought ?? fromJson(buy.products)].flat().map(({ bid_price }) => bid_price);
  if ([before.bid_price ?? null, ...bids].every((bid) => bid === null)) return [];
  return ['A seller takes no bid back: give another one, or leave it out to keep the one that stands.'];
}

/** A budget that is asked for, as its package is to have it. */
function budgetAsked(grossMinor: number | undefined, feeBps: number): Partial<BuyPackage> {
  if (grossMinor === undefined) return {};
  return { budget_minor: mediaBudgetOf(grossMinor, feeBps), gross_minor: grossMinor };
}

interface Budgeted {
  /** Major units, as it is asked for. */
  readonly wanted: number | undefined;
  /** The same in minor units; undefined where it is none. */
  readonly grossMinor: number | undefined;
  readonly before: BuyPackage | undefined;
}

function budgetIssues({ wanted, grossMinor, before }: Budgeted, buy: MediaBuyRow): string[] {
  if (wanted === undefined) return [];
  if (grossMinor === undefined) return [noSuchAmount(buy.currency)];
  if (before === undefined) return [];
  const isOther = mediaBudgetOf(grossMinor, buy.fee_bps) !== before.budget_minor;
  if (isOther && productOfPackage(buy, before) === undefined) return [ofNone(buy)];
  const spent = spentIssue(buy, { given: givenNow(before, buy), before }, grossMinor);
  return spent === undefined ? [] : [spent];
}

/** Nobody can tell which product it is of: nothing could be bound for another budget of it. */
function ofNone(buy: MediaBuyRow): string {
  return `${buy.agent_name} does not say which of the products that were ordered it is of, so nothing could be bound for it. ${askSeller(buy)}, to show that, or cancel the media buy and order anew with other budgets.`;
}

/**
 * Who is concerned by what is wanted of a package: its seller, or nobody but us; undefined where nothing would be
 * other.
 */
export function concernedBy(part: Part, buy: MediaBuyRow): 'seller' | 'here' | undefined {
  const { asked, proposed, issues, grossMinor } = part;
  const before = packagesById(buy).get(asked.package_id);
  const { gross_minor: _, ...told } = proposed;
  if (issues.length > 0 || JSON.stringify({ ...before, ...told }) !== JSON.stringify(before)) return 'seller';
  const given = before && givenNow(before, buy);
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
function givenNow(part: BuyPackage, buy: MediaBuyRow): number | undefined {
  const mine = productOfPackage(buy, part);
  if (mine === undefined) return undefined;
  return grossOf(part, { wanted: new Map(), before: givenIn(mine.product, mine.parts, buy), buy });
}

/** What the products may spend together; never less than was spent, with its fee. */
export function budgetOf(buy: MediaBuyRow, products: readonly BuyProduct[]): number {
  return Math.max(givenTo(products), spentOf(buy));
}

type Wanted = ReadonlyMap<string, number | undefined>;

/** What was ordered, with the budgets that its packages are to have. */
export function productsAfter(
  buy: MediaBuyRow,
  packages: readonly BuyPackage[],
  wanted: Wanted,
): BuyProduct[] {
  return budgetedBy(fromJson(buy.products), packages, ({ product, parts }) => {
    const isChanged = parts.some(
      ({ package_id, canceled }) => canceled === true || wanted.get(package_id) !== undefined,
    );
    if (!isChanged) return product.budget_minor;
    const before = givenIn(product, parts, buy);
    const isGiven = parts.some(({ package_id }) => wanted.get(package_id) !== undefined);
    // What is called off gives nothing to what was never ordered.
    const has = isGiven
      ? parts
      : parts.filter((part) => part.canceled === true || !isNeverOrdered(part, buy));
    const sum = has.reduce((whole, part) => whole + grossOf(part, { wanted, before, buy }), 0);
    return isGiven && !isLoweredBeside(parts, wanted, buy) ? sum : Math.min(sum, product.budget_minor);
  });
}

/** What a seller shows beside the package of all was never ordered: nothing more is bound for a lowering. */
function isLoweredBeside(parts: readonly BuyPackage[], wanted: Wanted, buy: MediaBuyRow): boolean {
  if (parts.length === 1 || packageOfAll(parts) === undefined) return false;
  const shown = (part: BuyPackage) => grossOf(part, { wanted: new Map(), buy });
  return parts.every((part) => (wanted.get(part.package_id) ?? 0) <= shown(part));
}

/** What packages of a product have as they are stored: of one alone what the product has. */
function givenIn(
  product: BuyProduct,
  parts: readonly BuyPackage[],
  buy: MediaBuyRow,
): ReadonlyMap<string, number> {
  const [only, ...others] = parts;
  const budgetMinor = product.budget_minor;
  if (only !== undefined && others.length === 0) return new Map([[only.package_id, budgetMinor]]);
  const stored = packagesNamed(
    buy,
    parts.map(({ package_id }) => package_id),
  );
  const asStored = new Map(stored.map((part) => [part.package_id, part.budget_minor]));
  const given = grossAmong(stored, { budgetMinor, feeBps: buy.fee_bps });
  // One that is to have another budget has not that one.
  const same = parts.filter(({ package_id, budget_minor }) => asStored.get(package_id) === budget_minor);
  const sameIds = new Set(same.map(({ package_id }) => package_id));
  return new Map([...given].filter(([id]) => sameIds.has(id)));
}

function grossOf(
  part: BuyPackage,
  { wanted, before, buy }: { wanted: Wanted; before?: ReadonlyMap<string, number>; buy: MediaBuyRow },
): number {
  const { package_id, canceled, kept_minor = 0 } = part;
  if (canceled === true) return kept_minor;
  const asked = wanted.get(package_id) ?? before?.get(package_id) ?? ownGross(part, buy.fee_bps);
  return asked ?? grossBudgetOf(orderedFor(package_id, buy), buy.fee_bps);
}
