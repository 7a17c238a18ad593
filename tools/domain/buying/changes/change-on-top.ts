import type { MediaBuyChangeRow, ProposedBuy } from '../../../../store/media-buy-changes.ts';
import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Issue } from '../../../core/errors/app-error.ts';
import type { PackageUpdate } from '../../sellers/abilities.ts';
import { packagesById } from '../buy-packages.ts';
import { updateIn } from '../payloads.ts';
import { columnsProposed } from '../spend/columns-proposed.ts';
import { calledOffIn } from './called-off.ts';
import { reachesSeller } from './change-refusing.ts';
import {
  endsBuy,
  type Found,
  headedFor,
  insteadOf,
  inTheWay,
  isOfTerms,
  isStopNotDone,
} from './change-standing.ts';
import { termsOf } from './change-terms.ts';
import { letsPartsGoOn, termsOfParts } from './going-on.ts';
import { proposedNow } from './proposed-now.ts';
import { budgetedIn, isTakenOtherwise, proposedAsShown, withoutBudget } from './taken-otherwise.ts';
import type { Asked, Terms } from './wanted-change.ts';

/**
 * What a change comes to beside those of which nobody knows whether their seller took them, or whose budgets or ends
 * of packages it shows otherwise. It says all that they asked for once more, and its own on top: whatever the seller
 * had of them, after this one it has what was asked last. Budgets that it shows otherwise are not asked for again.
 * Pure.
 */
export function termsOnTop(found: Found, within: Parameters<typeof termsOf>[2]): Terms {
  const { buy, wanted, open } = found;
  if (letsPartsGoOn(buy, wanted, headedFor(buy, inTheWay(wanted, open)))) return termsOfParts(buy);
  const feesAlone = ofFeesAlone(found, within);
  const own = termsOf(buy, wanted, { ...within, again: new Set(feesAlone) });
  const unanswered = insteadOf(wanted, found.open).filter(
    (one) =>
      one.action === wanted.action &&
      isOfTerms(one) &&
      (one.state === 'unknown' || isTakenOtherwise(one) || isStopNotDone(one)),
  );
  // Whatever became of them, an end takes all: said once more beside it, they would make a part of it.
  if (unanswered.length === 0 || endsBuy(wanted)) return own;
  const before = proposedBy(unanswered, { buy, now: within.now });
  const asIfTaken: MediaBuyRow = { ...buy, ...columnsProposed(before) };
  const again = new Set([...feesAlone, ...unanswered.filter(isTakenOtherwise).flatMap(budgetedIn)]);
  const last = termsOf(asIfTaken, wanted, { ...within, again });
  // What no seller is told of, as a name, leaves open what became of what one was told.
  if (isNamesAlone(own, wanted) && isNamesAlone(last, wanted)) return own;
  return {
    asked: [...unanswered.map((one) => askedBy(one, { buy, now: within.now })), last.asked].reduce(both),
    proposed: { ...before, ...last.proposed },
    // To call off once more what is to be called off is no mistake.
    issues:
      wanted.action === 'cancel' ? own.issues : [...last.issues, ...lostEnds(unanswered, found, within.now)],
  };
}

/**
 * The packages of a change that is about no more than cents of the fee, while something waits. They are no matter of
 * their seller; but what waits has the budgets of before, and would take them back once it is confirmed.
 */
function ofFeesAlone({ buy, wanted, open }: Found, within: Parameters<typeof termsOf>[2]): string[] {
  const own = termsOf(buy, wanted, within);
  const isAlone = !reachesSeller(own) && !isNamesAlone(own, wanted);
  const waits = open.some(({ action }) => action === 'update');
  return isAlone && waits ? (wanted.packages ?? []).map(({ packageId }) => packageId) : [];
}

/** Whether neither its seller hears of it, nor is a budget of its packages another one here. */
function isNamesAlone(terms: Terms, { packages }: Found['wanted']): boolean {
  return !reachesSeller(terms) && (packages === undefined || terms.proposed.budget_minor === undefined);
}

/**
 * An end that was brought forward, and has gone by, is not left out without a word: it was to save what is spent since.
 */
function lostEnds(
  unanswered: readonly MediaBuyChangeRow[],
  { buy, wanted }: Pick<Found, 'buy' | 'wanted'>,
  now: string,
): Issue[] {
  const lost = unanswered.map((change) => updateIn(change).endTime).findLast((end) => end !== undefined);
  if (lost === undefined || lost > now || lost >= buy.end_time || wanted.endTime !== undefined) return [];
  const message = `Its end was to be ${lost}, which has gone by, and nobody knows whether its seller took that: give an end, or call it off.`;
  return [{ path: wanted.called('endTime'), message }];
}

interface Now {
  readonly buy: MediaBuyRow;
  readonly now: string;
}

/**
 * What a change asks for that can still come true: of packages that were called off since, and of moments gone by,
 * nothing.
 */
function askedBy(change: MediaBuyChangeRow, { buy, now }: Now): Asked {
  const { party: _, idempotencyKey: __, packages = [], ...asked } = updateIn(change);
  const isTaken = isTakenOtherwise(change);
  const gone = calledOffIn(buy);
  const left = packages
    .filter(({ package_id }) => !gone.has(package_id))
    .map((part) => withoutPast(isTaken ? withoutBudget(part) : part, ['start_time', 'end_time'], now))
    .filter((part) => Object.keys(part).length > 1);
  return {
    ...withoutPast(asked, ['startTime', 'endTime'], now),
    ...(left.length === 0 ? {} : { packages: left }),
  };
}

function withoutPast<T extends object>(asked: T, moments: readonly (keyof T)[], now: string): T {
  const past = new Set<PropertyKey>(moments.filter((name) => String(asked[name] ?? now) <= now));
  return Object.fromEntries(Object.entries(asked).filter(([name]) => !past.has(name))) as T;
}

/** What they make of the buy. */
function proposedBy(changes: readonly MediaBuyChangeRow[], { buy, now }: Now): ProposedBuy {
  const all = changes.map((one) =>
    isTakenOtherwise(one) ? proposedAsShown(one, buy) : proposedNow(one, buy),
  );
  const { packages, ...columns }: ProposedBuy = Object.assign({}, ...all);
  const known = packagesById(buy);
  return {
    ...withoutPast(columns, ['start_time', 'end_time'], now),
    ...(packages === undefined
      ? {}
      : { packages: packages.map((part) => datedAsBefore(part, known.get(part.package_id), now)) }),
  };
}

/** Moments of a package that have gone by stay as they are. */
function datedAsBefore(part: BuyPackage, known: BuyPackage | undefined, now: string): BuyPackage {
  const { start_time, end_time } = known ?? {};
  return {
    ...(start_time === undefined ? {} : { start_time }),
    ...(end_time === undefined ? {} : { end_time }),
    ...withoutPast(part, ['start_time', 'end_time'], now),
  };
}

function both(before: Asked, after: Asked): Asked {
  const packages = packagesOfBoth(before.packages ?? [], after.packages ?? []);
  return { ...before, ...after, ...(packages.length === 0 ? {} : { packages }) };
}

function packagesOfBoth(
  before: readonly PackageUpdate[],
  after: readonly PackageUpdate[],
): readonly PackageUpdate[] {
  const merged = new Map(before.map((part) => [part.package_id, part]));
  for (const part of after) merged.set(part.package_id, { ...merged.get(part.package_id), ...part });
  return [...merged.values()];
}
