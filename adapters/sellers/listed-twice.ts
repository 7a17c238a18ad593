import { isDeepStrictEqual } from 'node:util';
import type {
  Delivered,
  DeliveryReport,
  PackageDelivery,
  UnreadPackage,
} from '../../tools/domain/sellers/delivery.ts';
import type { ShownBuy } from '../../tools/domain/sellers/port.ts';
import { eachOnce } from '../../tools/domain/sellers/seller-package.ts';

/** Media buys that a list of their seller has more than once: what all entries show alike is taken of them. Pure. */

/** What an entry says of the buy, with the field of AdCP that says it. */
const SAID = [
  ['status', 'status'],
  ['startTime', 'start_time'],
  ['endTime', 'end_time'],
  ['validActions', 'valid_actions'],
  ['total', 'total_budget'],
] as const;

/** The buy that its entries tell of; what they do not show alike is not said of it, and named. */
export function agreedBuy([first, ...others]: readonly ShownBuy[]): ShownBuy | undefined {
  if (first === undefined || others.length === 0) return first;
  const apart = SAID.filter(
    ([name]) => !others.every((other) => isDeepStrictEqual(other[name], first[name])),
  );
  const arePackagesAlike = others.every((other) => isDeepStrictEqual(idsOf(other), idsOf(first)));
  const all = [first, ...others].flatMap(({ packages }) => packages);
  const fields = [...apart.map(([, field]) => field), ...(arePackagesAlike ? [] : ['packages'])];
  const names: readonly string[] = apart.map(([name]) => name);
  const left = Object.fromEntries(Object.entries(first).filter(([name]) => !names.includes(name)));
  return {
    status: null,
    ...left,
    kind: 'buy',
    mediaBuyId: first.mediaBuyId,
    // Of packages that some entries leave out nobody knows whether they are there.
    packages: arePackagesAlike ? eachOnce(all) : [],
    ...(fields.length === 0 ? {} : { listedApart: fields }),
  };
}

function idsOf({ packages }: ShownBuy): string[] {
  return packages.map(({ package_id }) => package_id).sort();
}

const TWICE = 'The seller reports on the media buy more than once';
const FIGURES = ['spend', 'impressions', 'clicks', 'currency'] as const;

/** What was delivered by all reports on a buy; where these differ in its figures, nothing of them is taken. */
export function agreedDelivery(told: readonly (Delivered | undefined)[]): Delivered | undefined {
  if (told.length <= 1) return told[0];
  const unread = told.find((one) => one !== undefined && 'unread' in one);
  if (unread !== undefined) return unread;
  const reports = told.flatMap((one) => (one === undefined || 'unread' in one ? [] : [one]));
  const [first, ...others] = reports;
  if (first === undefined) return undefined;
  if (reports.length < told.length) return { unread: `${TWICE}, and not each time with figures` };
  const apart = FIGURES.filter((name) => others.some((other) => other[name] !== first[name]));
  return apart.length === 0
    ? agreedReport(first, others)
    : { unread: `${TWICE}, each time with another ${apart.join(', ')}` };
}

/** Told where all tell it alike. */
const BESIDE = ['counts', 'window', 'placements', 'unreadPlacements'] as const;

/** Of the same figures what is told alike beside them. */
function agreedReport(first: DeliveryReport, others: readonly DeliveryReport[]): DeliveryReport {
  const { spend, impressions, clicks, currency } = first;
  const isAlike = (name: keyof DeliveryReport) =>
    others.every((other) => isDeepStrictEqual(other[name], first[name]));
  const beside = BESIDE.filter((name) => first[name] !== undefined && isAlike(name));
  const packages = packagesOf([first, ...others]);
  return {
    ...{ spend, impressions, clicks },
    ...(currency === undefined ? {} : { currency }),
    ...Object.fromEntries(beside.map((name) => [name, first[name]])),
    ...standingOf([first, ...others], isAlike('isFinal')),
    ...(packages.length === 0 ? {} : { packages }),
  };
}

/** What one of them calls late is, and what not all call final is none. */
function standingOf(
  reports: readonly DeliveryReport[],
  isAlike: boolean,
): Pick<DeliveryReport, 'isDelayed' | 'isFinal' | 'isFinalByPackages'> {
  if (reports.some(({ isDelayed }) => isDelayed === true)) return { isDelayed: true };
  const isFinal = isAlike ? reports[0]?.isFinal : false;
  if (isFinal === undefined) return {};
  const isByPackages = isFinal && reports.some(({ isFinalByPackages }) => isFinalByPackages === true);
  return { isFinal, ...(isByPackages ? { isFinalByPackages: true } : {}) };
}

type Part = PackageDelivery | UnreadPackage;

/** The packages that all reports show alike; the others are none that can be read. */
function packagesOf(reports: readonly DeliveryReport[]): Part[] {
  const [first = [], ...others] = reports.map(({ packages = [] }) => packages);
  if (others.every((other) => isDeepStrictEqual(other, first))) return [...first];
  const ids = new Set([first, ...others].flat().map(({ packageId }) => packageId));
  return [...ids].map((packageId) => {
    const [one, ...more] = [first, ...others].map((parts) =>
      parts.find((part) => part.packageId === packageId),
    );
    const isAlike = one !== undefined && more.every((other) => isDeepStrictEqual(other, one));
    return isAlike
      ? one
      : { packageId, unread: 'The seller reports on it more than once, and not each time the same' };
  });
}
