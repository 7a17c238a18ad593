import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow, MediaBuyStatus } from '../../../../store/media-buys.ts';
import { onceOf } from '../../../core/once.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { isSameBudget, roundToMinor, toMajor } from '../../money.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import type { BuyUpdate } from '../../sellers/buy-update.ts';
import type { ShownBuy } from '../../sellers/port.ts';
import { otherCurrency, type SellerPackage } from '../../sellers/seller-package.ts';
import { statusFor } from '../answers/buy-status.ts';
import { eventTold } from '../answers/told-words.ts';
import { byPackageId, packagesById } from '../buy-packages.ts';
import { targetingNow } from '../choice/package-lines.ts';
import { targetingDifferences } from '../choice/targeting-differences.ts';
import { hasEnded } from '../machines.ts';
import { updateIn } from '../payloads.ts';
import { calledOffIn } from './called-off.ts';
import { isMergedAsAsked } from './merged-as-asked.ts';
import { type Reading, timeReadings, timesOf } from './time-readings.ts';

/** How a buy reads after a change, held against what was asked for. Pure. */

export type ChangeAsked = Pick<MediaBuyChangeRow, 'payload' | 'action'> &
  Partial<Pick<MediaBuyChangeRow, 'proposed'>>;
export type BuyRead = Pick<MediaBuyRow, 'currency' | 'status' | 'products' | 'packages' | 'fee_bps'>;

/**
 * Each thing that was asked for and that the report shows. What it leaves out stands for nothing: neither for the
 * change nor against it.
 */
export function readingsOf(change: ChangeAsked, buy: BuyRead, report: ShownBuy): Reading[] {
  const update = updateIn(change);
  const isMerged = isMergedAsAsked(change, buy, report);
  // One package shows all budgets together, and none of those that were asked for alone.
  const read = isMerged ? { ...report, packages: report.packages.map(withoutBudget) } : report;
  return [
    ...statusReadings(change.action, update, { before: buy.status, told: report.status }),
    ...timeReadings('', { start_time: update.startTime, end_time: update.endTime }, timesOf(report)),
    ...newReadings(update, report),
    ...totalReadings(update, report, buy),
    ...partsRead(change, update, buy).flatMap((asked) => packageReadings(asked, buy, read)),
    ...(isMerged ? [null] : []),
  ];
}

function withoutBudget(told: SellerPackage): SellerPackage {
  return { ...told, budget: null };
}

/** A report with what the answer to a change says in another currency, of packages that the report leaves out. */
export function withOtherCurrencies(
  report: ShownBuy | undefined,
  { packages, status }: Pick<ShownBuy, 'packages' | 'status'>,
  { currency }: Pick<BuyRead, 'currency'>,
): ShownBuy | undefined {
  const shown = new Set(report?.packages.map(({ package_id }) => package_id));
  const others = packages.filter(
    (told) => otherCurrency(told, currency) !== undefined && !shown.has(told.package_id),
  );
  if (others.length === 0) return report;
  const buy: ShownBuy = report ?? { kind: 'buy', mediaBuyId: '', status, packages: [] };
  return { ...buy, packages: [...buy.packages, ...others] };
}

/** Whether the buy reads in no way otherwise, where its seller has said that it took the change. */
export function isNowhereOtherwise(change: ChangeAsked, buy: BuyRead, report: ShownBuy): boolean {
  return readingsOf(change, buy, report).every((one) => one === null);
}

/**
 * Whether a budget, or the end of a package, was asked for of which a report says nothing: it lists other packages, or
 * its seller has a task for it or showed it otherwise before, which says more than a list that leaves it out.
 */
export function leavesOutMoney(
  change: ChangeAsked,
  buy: BuyRead,
  { report, isSaidElsewhere }: { readonly report: ShownBuy; readonly isSaidElsewhere: boolean },
): boolean {
  const parts = partsRead(change, updateIn(change), buy);
  const asked = parts.filter(({ budget, canceled }) => budget !== undefined || canceled === true);
  if (asked.length === 0) return false;
  if (report.packages.length === 0) return isSaidElsewhere;
  if (isMergedAsAsked(change, buy, report)) return false;
  const listed = new Set(report.packages.map(({ package_id }) => package_id));
  const isLeftOut = asked.some(({ package_id, canceled }) => canceled !== true && !listed.has(package_id));
  return isLeftOut || (isSaidElsewhere && readingsOf(change, buy, report).length === 0);
}

/** Packages that were called off since say nothing of a change that is about others too. */
function partsRead({ action }: ChangeAsked, update: BuyUpdate, buy: BuyRead): readonly PackageUpdate[] {
  const { packages = [], startTime, endTime, newPackages } = update;
  const gone = calledOffIn(buy);
  const left = packages.filter(({ package_id }) => !gone.has(package_id));
  const isOfOthers = left.length > 0 || (startTime ?? endTime ?? newPackages) !== undefined;
  return (action === 'update' || action === 'resume') && isOfOthers ? left : packages;
}

function statusReadings(
  action: MediaBuyChangeRow['action'],
  update: BuyUpdate,
  { before, told }: { before: MediaBuyStatus; told: string | null },
): Reading[] {
  if ((update.paused ?? update.canceled) === undefined || told === null) return [];
  // A word that nobody knows says nothing for it, and nothing against it.
  if (eventTold(told) === undefined) return [];
  return [isOtherThan(action, update, statusFor(told, before)) ? `it is ${told}` : null];
}

/** Whether a status says that what was asked of the buy as a whole did not come to be. */
function isOtherThan(
  action: MediaBuyChangeRow['action'],
  { paused, canceled }: BuyUpdate,
  status: MediaBuyStatus,
): boolean {
  const isOver = hasEnded(status) || status === 'REJECTED';
  if (canceled && action !== 'update') return !isOver;
  if (paused === true) return status !== 'PAUSED' && !isOver;
  return paused === false && status === 'PAUSED';
}

/** Whether the report lists the packages of the buy, and those that were to be added are not among them. */
export function lacksAdded(change: Pick<ChangeAsked, 'payload'>, report: ShownBuy): boolean {
  return newReadings(updateIn(change), report).some((reading) => reading !== null);
}

/** Whether the report shows every budget that was asked for, and whatever it shows of the change is otherwise. */
export function showsNothingOf(change: ChangeAsked, buy: BuyRead, report: ShownBuy): boolean {
  const asked = partsRead(change, updateIn(change), buy);
  const budgeted = asked.filter(({ budget }) => budget !== undefined);
  const ours = report.packages.filter((told) => otherCurrency(told, buy.currency) === undefined);
  const shown = new Map(ours.map(({ package_id, budget }) => [package_id, budget]));
  const isShown =
    budgeted.length > 0 && budgeted.every((part) => (shown.get(part.package_id) ?? null) !== null);
  return isShown && readingsOf(change, buy, report).every((reading) => reading !== null);
}

function newReadings(
  { newPackages = [], knownPackages, packagesBefore = 0 }: BuyUpdate,
  { packages }: ShownBuy,
): Reading[] {
  // Who lists no package at all says nothing of them.
  const going = packages.filter(({ canceled }) => canceled !== true).length;
  if (newPackages.length === 0 || packages.length === 0) return [];
  const known = new Set(knownPackages);
  const added =
    knownPackages === undefined
      ? going - packagesBefore
      : packages.filter(({ package_id }) => !known.has(package_id)).length;
  const isShort = going > 0 && added < newPackages.length;
  return [isShort ? 'its new packages are not there' : null];
}

/** A total in another currency says of no budget that it was taken. */
function totalReadings({ packages = [] }: BuyUpdate, { total }: ShownBuy, { currency }: BuyRead): Reading[] {
  const isAsked = packages.some(({ budget }) => budget !== undefined);
  const other = total === undefined ? undefined : otherCurrency(total, currency);
  return isAsked && other !== undefined ? [`all of it is shown in ${other}`] : [];
}

const shownById = onceOf(({ packages }: ShownBuy) => byPackageId(packages));

function packageReadings(asked: PackageUpdate, buy: BuyRead, shown: ShownBuy): Reading[] {
  const told = shownById(shown).get(asked.package_id);
  // Sellers list no more what they called off.
  if (told === undefined) return asked.canceled === true && shown.packages.length > 0 ? [null] : [];
  const name = `package ${asked.package_id}`;
  const apart = told.listedApart?.filter((field) => field in asked) ?? [];
  return [
    ...(apart.length === 0 ? [] : [`${name} is listed more than once, with another ${apart.join(', ')}`]),
    ...budgetReadings(asked, told, buy),
    ...termReadings(asked, told, buy),
    ...timeReadings(name, asked, told),
    ...targetingReadings(asked, told, buy),
  ];
}

function budgetReadings(
  { package_id, budget }: PackageUpdate,
  told: SellerPackage,
  { currency, fee_bps }: BuyRead,
): Reading[] {
  if (budget === undefined) return [];
  if (told.unread?.budget !== undefined) return [`package ${package_id} shows ${told.unread.budget}`];
  if (told.budget === null) return [];
  const other = otherCurrency(told, currency);
  if (other !== undefined) return [`package ${package_id} has a budget of ${told.budget} ${other}`];
  const shown = roundToMinor(told.budget, currency);
  const wanted = roundToMinor(budget, currency);
  if (shown !== undefined && wanted !== undefined && isSameBudget(shown, wanted)) return [null];
  // As the buyer asked for it: with the fee, which is none of the seller's business.
  const gross = shown === undefined ? told.budget : toMajor(grossBudgetOf(shown, fee_bps), currency);
  return [`package ${package_id} has a budget of ${gross}`];
}

function termReadings(
  { package_id, pacing, bid_price, paused, canceled }: PackageUpdate,
  told: SellerPackage,
  { currency }: BuyRead,
): Reading[] {
  const name = `package ${package_id}`;
  const bid = bidIn(told, currency);
  return [
    ...valueReadings(pacing, told.pacing, `${name} is paced ${told.pacing}`),
    ...valueReadings<number | string>(bid_price, bid, `${name} bids ${bid}`),
    ...valueReadings<boolean>(paused, told.paused, `${name} is paused`),
    ...valueReadings(canceled, told.canceled, `${name} is not canceled`),
  ];
}

/** In another currency it is no number that could be the one that was asked for. */
function bidIn(told: SellerPackage, currency: string): number | string | undefined {
  const other = otherCurrency(told, currency);
  return told.bid_price === undefined || other === undefined ? told.bid_price : `${told.bid_price} ${other}`;
}

function valueReadings<T>(asked: T | undefined, told: T | undefined, other: string): Reading[] {
  if (asked === undefined || told === undefined) return [];
  return [asked === told ? null : other];
}

function targetingReadings(asked: PackageUpdate, told: SellerPackage, buy: BuyRead): Reading[] {
  if (asked.targeting_overlay === undefined || told.targeting_overlay === undefined) return [];
  const part = packagesById(buy).get(asked.package_id);
  const { shown, other } = targetingDifferences({
    asked: asked.targeting_overlay,
    told: told.targeting_overlay,
    before: part === undefined ? {} : targetingNow(fromJson(buy.products), part),
  });
  if (other.length > 0) return [`package ${asked.package_id} is targeted otherwise by ${other.join(', ')}`];
  return shown ? [null] : [];
}
