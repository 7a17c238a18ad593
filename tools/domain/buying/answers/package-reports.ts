import type { DeliveredBeside } from '../../../../store/media-buy-figures.ts';
import { readMoney, roundToMinor } from '../../money.ts';
import type { DeliveryReport, PackageDelivery, UnreadPackage, UnreadReport } from '../../sellers/delivery.ts';
import { inOtherCurrency, takenForTheWhole } from './doubted-reports.ts';

/**
 * What a report tells of single packages. They are parts of the whole, which is what is owed: where one of them can be
 * no part of it, or all of them are more, nobody knows which of them is wrong, and the report tells of the whole alone.
 * Pure.
 */

interface Whole {
  readonly currency: string;
  /** The ids of the packages that the buy has. */
  readonly parts: ReadonlySet<string>;
  readonly spendMinor: number;
}

type Told = DeliveredBeside['packages'];
export type ToldOfPackages = { readonly packages: Told } | { readonly doubt: string };

/** Each package that the buy has; or why none is taken. */
export function packagesTold(report: Pick<DeliveryReport, 'packages'>, whole: Whole): ToldOfPackages {
  const { currency, parts, spendMinor } = whole;
  const ours = (report.packages ?? []).filter(({ packageId }) => parts.has(packageId));
  const seen = new Set<string>();
  const twice = ours.map(({ packageId }) => packageId).find((id) => seen.has(id) || !seen.add(id));
  if (twice !== undefined) {
    return { doubt: takenForTheWhole(`Package ${twice}: The seller reports on it more than once`) };
  }
  const read = ours.map((one) => readIn(one, currency));
  const [unread] = read.flatMap((one) => ('unread' in one ? [one.unread] : []));
  if (unread !== undefined) return { doubt: takenForTheWhole(unread) };
  const packages = read.flatMap((one) => ('unread' in one ? [] : [one]));
  const sum = packages.reduce((all, part) => all + part.spend_minor, 0);
  // The figures of sellers are rounded package by package.
  if (sum <= spendMinor + packages.length) return { packages };
  const [those, all] = [sum, spendMinor].map((minor) => readMoney(minor, currency));
  const what = `The seller reports ${those} spent of the packages, and ${all} in all`;
  return { doubt: takenForTheWhole(what) };
}

function readIn(one: PackageDelivery | UnreadPackage, currency: string): Told[number] | UnreadReport {
  const { packageId } = one;
  const named = `Package ${packageId}: `;
  if ('unread' in one) return { unread: `${named}${one.unread}` };
  const { impressions, spend, clicks, currency: in_ = currency } = one;
  if (in_ !== currency) return { unread: `${named}${inOtherCurrency(spend, in_, currency)}` };
  const spend_minor = roundToMinor(spend, currency);
  return spend_minor === undefined
    ? { unread: `${named}The seller reports ${spend} as spend, which can be no figure` }
    : { package_id: packageId, impressions, spend_minor, clicks };
}
