import { fromJson, toFlag, toJson } from '../../../../store/engine/codec.ts';
import type { DeliveredBeside } from '../../../../store/media-buy-figures.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import { roundToMinor } from '../../money.ts';
import type { DeliveryReport } from '../../sellers/delivery.ts';
import type { ShownBuy } from '../../sellers/port.ts';
import { reportedAt } from './awaited-figures.ts';
import { inOtherCurrency, isUnreportedDoubt, notReported, notTaken } from './doubted-reports.ts';
import { packagesTold, type ToldOfPackages } from './package-reports.ts';

/**
 * How many times what is bound for it a buy may be reported to have spent, before the report is taken for a mistake.
 */
const BELIEVED_OVERSPEND = 2;

type Believed = { readonly spendMinor: number } | { readonly doubt: string };

interface Bought extends Pick<MediaBuyRow, 'currency'> {
  /** Its budget; that of a raise which its seller may have taken, where one waits. */
  readonly boundMinor: number;
}

/** When a report was heard, and what was bound by then: without that the budget. */
export interface HeardAt {
  readonly now: string;
  readonly boundMinor?: number;
}

/** What a seller says was spent of a buy, in whole or in part, or why that is not taken. */
export function believedSpend({ boundMinor, currency }: Bought, told: Spent): Believed {
  const { spend, currency: in_ = currency } = told;
  if (in_ !== currency) {
    return { doubt: notTaken(inOtherCurrency(spend, in_, currency)) };
  }
  const spendMinor = roundToMinor(spend, currency);
  if (spendMinor !== undefined && spendMinor <= boundMinor * BELIEVED_OVERSPEND) return { spendMinor };
  return {
    doubt: notTaken(`The seller reports ${spend} ${currency} spent, more than twice the budget`),
  };
}

type Spent = Pick<DeliveryReport, 'spend' | 'currency'>;

/** What a report of the delivery changes. One that cannot be is left out, and its sum is named. */
export function afterDelivery(
  buy: Delivering & Pick<MediaBuyRow, 'currency' | 'budget_minor' | 'spend_minor' | 'packages'>,
  { delivery: delivered, packages, unreported }: Reported,
  { now, boundMinor = buy.budget_minor }: HeardAt,
): Partial<MediaBuyRow> {
  if (unreported !== undefined) return standingStill(buy, unreported, now);
  if (delivered === undefined) return {};
  const { currency } = buy;
  if ('unread' in delivered) return notBelieved(buy, notTaken(delivered.unread));
  const spent = believedSpend({ boundMinor, currency }, delivered);
  if ('doubt' in spent) return notBelieved(buy, spent.doubt);
  const parts = [...fromJson(buy.packages), ...packages].map(({ package_id }) => package_id);
  const told = packagesTold(delivered, { currency, parts: new Set(parts), spendMinor: spent.spendMinor });
  const beside = besideOf(delivered, told);
  const standing = leavesOut(buy, delivered) ? { ...delivered, isFinal: false } : delivered;
  return {
    impressions: delivered.impressions,
    spend_minor: spent.spendMinor,
    clicks: delivered.clicks,
    // What is late says nothing of how it stands by now.
    ...(delivered.isDelayed === true ? {} : { performance_at: now }),
    ...reportedAt(buy, standing, now),
    figures_final: toFlag(standing.isFinal === true),
    // What was doubted of the one before is told no more.
    report_doubt: 'doubt' in told ? told.doubt : null,
    ...(beside === undefined ? {} : { delivered: toJson(beside) }),
  };
}

/** Of a package that is left out, unless it was called off, more may come although all that are listed are final. */
function leavesOut(
  { packages }: Pick<MediaBuyRow, 'packages'>,
  { isFinalByPackages, packages: listed = [] }: DeliveryReport,
): boolean {
  if (isFinalByPackages !== true) return false;
  const ids = new Set(listed.map(({ packageId }) => packageId));
  const all = fromJson(packages);
  const open = all.filter(({ canceled }) => canceled !== true);
  // Some name packages otherwise in their reports: then it can only be told whether there are as many.
  const areOurs = all.some(({ package_id }) => ids.has(package_id));
  return areOurs ? open.some(({ package_id }) => !ids.has(package_id)) : ids.size < open.length;
}

type Delivering = Pick<
  MediaBuyRow,
  | 'status'
  | 'performance_at'
  | 'start_time'
  | 'end_time'
  | 'figures_awaited_since'
  | 'figures_reported_at'
  | 'report_doubt'
  | 'products'
>;

/** Of others nothing was delivered yet, or nothing more: what they wait for, or why they ended, is enough to say. */
const DELIVERING: ReadonlySet<string> = new Set(['ACTIVE', 'PAUSED', 'COMPLETED', 'CANCELED']);

type Doubt = Partial<Pick<MediaBuyRow, 'report_doubt'>>;

/** Figures stand still once there are any; where none came yet, a failure alone is told, and once it is to run. */
function standingStill(buy: Delivering, unreported: string | null, now: string): Doubt {
  const isExpected = buy.performance_at !== null || (unreported !== null && buy.start_time <= now);
  if (DELIVERING.has(buy.status) && isExpected) return { report_doubt: notReported(unreported, buy) };
  return isUnreportedDoubt(buy.report_doubt) ? { report_doubt: null } : {};
}

function notBelieved({ spend_minor }: Pick<MediaBuyRow, 'spend_minor'>, report_doubt: string) {
  return { spend_minor, report_doubt };
}

const NO_COUNTS = { views: 0, completedViews: 0, conversions: 0, leads: 0 };

type Reported = Pick<ShownBuy, 'delivery' | 'packages' | 'unreported'>;

/** What is counted beside; undefined where nothing is. */
function besideOf({ counts, window }: DeliveryReport, told: ToldOfPackages): DeliveredBeside | undefined {
  const packages = 'doubt' in told ? [] : told.packages;
  const isUntold = counts === undefined && window === undefined && packages.length === 0;
  if (isUntold && !('doubt' in told)) return undefined;
  const { completedViews, ...others } = counts ?? NO_COUNTS;
  return {
    ...others,
    completed_views: completedViews,
    ...(window === undefined ? {} : { window }),
    packages,
  };
}
