import { fromJson } from '../../../store/engine/codec.ts';
import type { ChangeAction, ProposedBuy } from '../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { Issue } from '../../core/errors/app-error.ts';
import { readMoney, toMajor } from '../money.ts';
import type { BuyUpdate } from '../sellers/port.ts';
import {
  budgetOf,
  isOther,
  partOf,
  productsAfter,
  unknownPackage,
  type WantedPackage,
} from './change-packages.ts';

/** What a wanted change makes of a buy, and what is wrong with it. Pure: the row and the wish in, both sides out. */

/** A wanted change of one buy, as the contract's mediaBuys[] entries say it, valid in shape. */
export interface WantedChange {
  readonly mediaBuyId: string;
  readonly action: ChangeAction;
  /** Why: told to the seller when it is a cancel, and kept with the version. */
  readonly reason?: string | undefined;
  readonly suggestionId?: string | undefined;
  readonly name?: string | undefined;
  /** A moment, or `asap`. */
  readonly startTime?: string | undefined;
  readonly endTime?: string | undefined;
  /** With cancel: these packages only. */
  readonly packageIds?: readonly string[] | undefined;
  readonly packages?: readonly WantedPackage[] | undefined;
  /** The version that the change was made on, as version_hash shows it. */
  readonly versionHash?: string | undefined;
  /** Where it stands in the input, such as `mediaBuys.0`; empty for a call that is about one buy. */
  readonly path?: string | undefined;
}

/** The flight that a buy runs within. */
export interface Flight {
  readonly start_at: string;
  readonly end_at: string;
}

export type Asked = Omit<BuyUpdate, 'party' | 'idempotencyKey'>;

export interface Terms {
  readonly asked: Asked;
  readonly proposed: ProposedBuy;
  readonly issues: readonly Issue[];
}

const REASON_MAX = 500;

export function at(path: string | undefined, field: string): string {
  return path === undefined || path === '' ? field : `${path}.${field}`;
}

export function termsOf(
  buy: MediaBuyRow,
  wanted: WantedChange,
  { flight, now }: { flight: Flight; now: string },
): Terms {
  switch (wanted.action) {
    case 'pause':
    case 'resume':
      return { asked: { paused: wanted.action === 'pause' }, proposed: {}, issues: [] };
    case 'archive':
      return { asked: { canceled: true, ...why(wanted) }, proposed: {}, issues: [] };
    case 'cancel':
      return wanted.packageIds === undefined
        ? { asked: { canceled: true, ...why(wanted) }, proposed: {}, issues: [] }
        : cancelOf(buy, wanted, wanted.packageIds);
    case 'update':
      return updateOf(buy, wanted, { flight, now });
  }
}

function why({ reason }: WantedChange): { cancellationReason?: string } {
  return reason === undefined ? {} : { cancellationReason: reason.slice(0, REASON_MAX) };
}

/** Some of the packages are called off, and the others go on. */
function cancelOf(buy: MediaBuyRow, wanted: WantedChange, ids: readonly string[]): Terms {
  const packages = fromJson(buy.packages);
  const issues = ids.flatMap((id, index) =>
    unknownPackage(packages, id, at(wanted.path, `packageIds.${index}`)),
  );
  const { cancellationReason } = why(wanted);
  const reason = cancellationReason === undefined ? {} : { cancellation_reason: cancellationReason };
  const after = packages.map((part) =>
    ids.includes(part.package_id) ? { ...part, canceled: true as const } : part,
  );
  const products = productsAfter(buy, after, new Map());
  return {
    asked: { packages: ids.map((package_id) => ({ package_id, canceled: true, ...reason })) },
    proposed: { packages: after, products, budget_minor: budgetOf(buy, products) },
    issues,
  };
}

function updateOf(
  buy: MediaBuyRow,
  wanted: WantedChange,
  { flight, now }: { flight: Flight; now: string },
): Terms {
  const { path } = wanted;
  const name = other(wanted.name, buy.name);
  const startTime = other(wanted.startTime === 'asap' ? now : wanted.startTime, buy.start_time);
  const endTime = other(wanted.endTime, buy.end_time);
  const known = fromJson(buy.packages);
  const parts = (wanted.packages ?? [])
    .map((part, index) => partOf(buy, part, at(path, `packages.${index}`)))
    .filter((part) => isOther(part, known));
  const packages = known.map((part) => ({
    ...part,
    ...parts.find(({ asked }) => asked.package_id === part.package_id)?.proposed,
  }));
  const products = productsAfter(
    buy,
    packages,
    new Map(parts.map((part) => [part.asked.package_id, part.grossMinor])),
  );
  const budget_minor = budgetOf(buy, products);
  const changed = parts.length > 0;
  return {
    asked: {
      ...(startTime === undefined ? {} : { startTime }),
      ...(endTime === undefined ? {} : { endTime }),
      ...(changed ? { packages: parts.map(({ asked }) => asked) } : {}),
    },
    proposed: {
      ...(name === undefined ? {} : { name }),
      ...(startTime === undefined ? {} : { start_time: startTime }),
      ...(endTime === undefined ? {} : { end_time: endTime }),
      ...(changed ? { packages, budget_minor, products } : {}),
    },
    issues: [
      ...parts.flatMap(({ issues }) => issues),
      ...dateIssues(buy, { path, startTime, endTime }, { flight, now }),
      ...spentIssues(buy, changed ? budget_minor : undefined, at(path, 'packages')),
    ],
  };
}

/** What is as it was asked for already is asked of nobody. */
function other(wanted: string | undefined, known: string): string | undefined {
  return wanted === known ? undefined : wanted;
}

interface Dates {
  readonly path: string | undefined;
  readonly startTime: string | undefined;
  readonly endTime: string | undefined;
}

function dateIssues(
  buy: MediaBuyRow,
  { path, startTime, endTime }: Dates,
  { flight, now }: { flight: Flight; now: string },
): Issue[] {
  const [start, end] = [startTime ?? buy.start_time, endTime ?? buy.end_time];
  const last = endTime === undefined ? 'startTime' : 'endTime';
  const starts = startTime !== undefined && startTime !== buy.start_time;
  const checks: [boolean, string, string][] = [
    [starts && buy.start_time <= now, 'startTime', `The media buy began at ${buy.start_time}.`],
    [starts && start < flight.start_at, 'startTime', `The campaign starts at ${flight.start_at}.`],
    [endTime !== undefined && end > flight.end_at, 'endTime', `The campaign ends at ${flight.end_at}.`],
    [endTime !== undefined && end <= now, 'endTime', `It is past: it is ${now}.`],
    [(startTime ?? endTime) !== undefined && end <= start, last, 'The end is not after the start.'],
  ];
  return checks.flatMap(([holds, field, message]) => (holds ? [{ path: at(path, field), message }] : []));
}

function spentIssues(buy: MediaBuyRow, budgetMinor: number | undefined, path: string): Issue[] {
  if (budgetMinor === undefined || budgetMinor >= buy.spend_minor) return [];
  const spent = readMoney(buy.spend_minor, buy.currency);
  return [
    {
      path,
      message: `The budgets are ${toMajor(budgetMinor, buy.currency)} together, and ${spent} is spent.`,
    },
  ];
}
