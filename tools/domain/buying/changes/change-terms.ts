import { fromJson } from '../../../../store/engine/codec.ts';
import type { ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import { beginningOf } from '../../../core/text-beginning.ts';
import { readMoney, toMajor } from '../../money.ts';
import { withoutShown } from '../answers/shown-package-dates.ts';
import { packagesNow } from '../choice/package-lines.ts';
import { givenTo } from '../choice/package-of-all.ts';
import { spentOf } from '../spend/buy-commitment.ts';
import { maybeGoingOnIn, withCalledOff } from './called-off.ts';
import {
  dateIssues,
  keptDateIssues,
  packageDateIssues,
  periodDateIssues,
  withinLastDay,
} from './change-dates.ts';
import { goalIssues, goalsAfter, partsAsked } from './change-goals.ts';
import { budgetOf, concernedBy, partOf, productsAfter } from './change-packages.ts';
import { termsAdded } from './change-periods.ts';
import { productsAsPackages } from './change-targeting.ts';
import { isGivingUp, termsGivenUp } from './given-up.ts';
import { withKept } from './kept-budgets.ts';
import { unknownPackage } from './unknown-package.ts';
import type { Flight, Terms, WantedChange } from './wanted-change.ts';

/** What a wanted change makes of a buy, and what is wrong with it. Pure: the row and the wish in, both sides out. */

const REASON_MAX = 500;

interface Within {
  readonly flight: Flight;
  readonly now: string;
  /** Packages whose budgets are asked for whatever they have: what was asked for before may yet come true. */
  readonly again?: ReadonlySet<string>;
}

export function termsOf(buy: MediaBuyRow, wanted: WantedChange, within: Within): Terms {
  const { flight, now } = within;
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
      if (wanted.added !== undefined) return termsAdded(buy, wanted.added, { flight, now });
      return wanted.remade === undefined && isGivingUp(buy, wanted)
        ? termsGivenUp(buy, wanted)
        : updateOf(buy, wanted, within);
  }
}

function why({ reason }: WantedChange): { cancellationReason?: string } {
  return reason === undefined ? {} : { cancellationReason: beginningOf(reason, REASON_MAX) };
}

/** Some of the packages are called off, and the others go on. */
function cancelOf(buy: MediaBuyRow, wanted: WantedChange, ids: readonly string[]): Terms {
  const goingOn = maybeGoingOnIn(buy);
  const issues = ids.flatMap((id, index) =>
    // What its seller does not show as over although it was called off can be called off once more.
    goingOn.has(id) ? [] : unknownPackage(buy, id, wanted.called(`packageIds.${index}`)),
  );
  const { cancellationReason } = why(wanted);
  const reason = cancellationReason === undefined ? {} : { cancellation_reason: cancellationReason };
  return {
    asked: { packages: [...new Set(ids)].map((package_id) => ({ package_id, canceled: true, ...reason })) },
    proposed: withCalledOff(buy, new Set(ids)),
    issues,
  };
}

/** What is wanted of packages, as far as it makes other ones of them, and what the buy is with that. */
function partsOf(buy: MediaBuyRow, { packages: wanted = [], called }: WantedChange, within: Within) {
  const { flight, now, again } = within;
  const all = wanted.map((one, index) => {
    const part = partOf(buy, one, { called: (field) => called(`packages.${index}.${field}`), flight, now });
    const isAgain = part.grossMinor !== undefined && again?.has(part.asked.package_id) === true;
    return { ...part, concerned: isAgain ? 'seller' : concernedBy(part, buy) };
  });
  const parts = all.filter(({ concerned }) => concerned !== undefined);
  const proposedById = new Map(parts.map(({ asked, proposed }) => [asked.package_id, proposed]));
  const proposed = fromJson(buy.packages).map((part) => {
    const own = proposedById.get(part.package_id);
    return { ...withoutShown(part, own), ...own };
  });
  // One may have been called off by its seller.
  const packages = withKept(buy, proposed);
  const grosses = new Map(parts.map((part) => [part.asked.package_id, part.grossMinor]));
  const products = productsAsPackages(productsAfter(buy, packages, grosses), packages);
  return { parts, told: parts.filter(({ concerned }) => concerned === 'seller'), packages, products };
}

function updateOf(buy: MediaBuyRow, given: WantedChange, within: Within): Terms {
  const { flight, now } = within;
  const wanted = withinLastDay(given, buy, flight);
  const { called } = wanted;
  const name = other(wanted.name, buy.name);
  const startTime = other(wanted.startTime === 'asap' ? now : wanted.startTime, buy.start_time);
  const endTime = other(wanted.endTime, buy.end_time);
  const dates = { startTime, endTime: aheadOnly(endTime, now) };
  const known = fromJson(buy.packages);
  const { parts, told, packages, products } = partsOf(buy, wanted, within);
  const budget_minor = budgetOf(buy, products);
  const changed = parts.length > 0;
  const goals = goalsAfter(buy, wanted);
  const askedParts = partsAsked(told, goals, known);
  return {
    asked: {
      ...datesOf({ startTime, endTime }),
      ...(askedParts.length > 0 ? { packages: askedParts } : {}),
    },
    proposed: {
      ...(name === undefined ? {} : { name }),
      ...datesOf({ start_time: startTime, end_time: endTime }),
      ...(changed ? { packages, budget_minor, products } : {}),
      ...(goals === undefined ? {} : { optimization_goals: goals }),
      ...remadeOf(wanted),
    },
    issues: [
      ...parts.flatMap(({ issues }) => issues),
      ...paceIssues(wanted, flight),
      ...goalIssues(goals, wanted),
      ...ofPackageDates(buy, wanted, { flight, dates, now }),
      ...keptDateIssues(wanted, packagesNow(buy), dates),
      ...dateIssues(buy, { called, startTime, endTime }, { flight, now }),
      ...spentIssues(buy, changed ? givenTo(products) : undefined, called('packages')),
    ],
  };
}

/** One mistake is one complaint: what is beyond its buy is not told that it is beyond its period. */
function ofPackageDates(
  buy: MediaBuyRow,
  wanted: WantedChange,
  { flight, dates, now }: Within & { readonly dates: Parameters<typeof flightOf>[1] },
): Issue[] {
  const issues = packageDateIssues(wanted, flightOf(buy, dates), now);
  const told = new Set(issues.map(({ path }) => path));
  return [...issues, ...periodDateIssues(wanted, { buy, flight }).filter(({ path }) => !told.has(path))];
}

/** An end that is past is told as such, and says nothing of the packages. */
function aheadOnly(endTime: string | undefined, now: string): string | undefined {
  return endTime === undefined || endTime <= now ? undefined : endTime;
}

/** When the buy runs, as it is to be. */
function flightOf(
  { start_time, end_time }: MediaBuyRow,
  {
    startTime = start_time,
    endTime = end_time,
  }: { startTime?: string | undefined; endTime?: string | undefined },
) {
  return { start_at: startTime, end_at: endTime };
}

/** The moments that are told. */
function datesOf<K extends string>(dates: Readonly<Record<K, string | undefined>>): { [N in K]?: string } {
  const told: { [N in K]?: string } = {};
  for (const name in dates) if (dates[name] !== undefined) told[name] = dates[name];
  return told;
}

function remadeOf({ remade }: WantedChange): ProposedBuy {
  const { products, budget_minor } = remade?.columns ?? {};
  if (products === undefined || budget_minor === undefined) return {};
  return { products: fromJson(products), budget_minor };
}

/** A campaign with a daily cap is bought at an even pace: nothing else keeps it. */
function paceIssues(
  { packages = [], products = [], called }: WantedChange,
  { daily_cap_minor: cap = null }: Flight,
): Issue[] {
  if (cap === null) return [];
  const message = 'Give even: no other pace keeps budget.dailyCap of the campaign.';
  return Object.entries({ packages, products }).flatMap(([list, entries]) =>
    entries.flatMap(({ pacing = 'even' }, index) =>
      pacing === 'even' ? [] : [{ path: called(`${list}.${index}.pacing`), message }],
    ),
  );
}

/** What is as it was asked for already is asked of nobody. */
function other(wanted: string | undefined, known: string): string | undefined {
  return wanted === known ? undefined : wanted;
}

function spentIssues(buy: MediaBuyRow, budgetMinor: number | undefined, path: string): Issue[] {
  // What it spent stays spent, with its fee as the budgets have it.
  const spentMinor = spentOf(buy);
  if (budgetMinor === undefined || budgetMinor >= spentMinor) return [];
  const spent = readMoney(spentMinor, buy.currency);
  return [
    {
      path,
      message: `The budgets are ${toMajor(budgetMinor, buy.currency)} together, and ${spent} is spent, the fee with it.`,
    },
  ];
}
