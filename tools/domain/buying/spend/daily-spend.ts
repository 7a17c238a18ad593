import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../../core/errors/money-refusals.ts';
import { dayOf, endMeant } from '../../../core/moments.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { readMoney, roundToMinor, toMajor } from '../../money.ts';
import { isLive } from '../machines.ts';
import { columnsProposed } from './columns-proposed.ts';
import { aheadOf, runsOf, type Share, spentOn, spentThatDay, turningDays } from './pace.ts';
import { type AskedOf, type Taking, takenMinor } from './taking.ts';

/** What media buys spend a day at an even pace, held against the daily cap of their campaign. Pure. */

/** How a buy may go on: as it stands, or as it would once its seller has confirmed what was asked. */
function waysOn(buy: MediaBuyRow, open: readonly AskedOf[], now: string): Share[][] {
  if (!isLive(buy)) return [];
  const asked = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
  // What is held spends nothing until it is to go on.
  if (buy.status === 'PAUSED' && asked.every(({ action }) => action !== 'resume')) return [];
  const asIs = aheadOf(buy, buy, now);
  return [asIs, ...asked.map((one) => [...aheadOf(buy, termsOf(buy, one), now), ...addedBy(buy, one)])];
}

/** Packages that are added have budgets and days of their own, and leave the others as they are. */
function termsOf(buy: MediaBuyRow, { proposed, newPackages = [] }: AskedOf): MediaBuyRow {
  return newPackages.length > 0 ? buy : { ...buy, ...columnsProposed(proposed) };
}

function addedBy(
  { start_time, end_time, currency, fee_bps }: MediaBuyRow,
  { newPackages = [] }: AskedOf,
): Share[] {
  return newPackages.map(({ budget, start_time: from = start_time, end_time: to = end_time }) => {
    return { from, to: endMeant(to), minor: grossBudgetOf(roundToMinor(budget, currency) ?? 0, fee_bps) };
  });
}

/** The most that is spent on any day from now on, of each buy by whichever of its ways is the faster one. */
function mostADay({ buys, open }: Taking, now: string): number {
  const ways = buys.map((buy) => waysOn(buy, open, now));
  const already = buys.reduce((sum, buy) => sum + spentThatDay(buy, now), 0);
  const days = turningDays(ways.flat(2), now).map((day) =>
    ways.reduce(
      (sum, ofBuy) => sum + Math.max(0, ...ofBuy.map((shares) => spentOn(day, shares))),
      day === dayOf(now) ? already : 0,
    ),
  );
  return Math.max(...days);
}

interface Moment {
  readonly now: string;
  /** How many times the cap may be taken. */
  readonly slack: number;
}

/** The most a day of what is more than the cap and faster than before; undefined where it is not. */
function beyondCap(before: Taking, after: Taking, { now, slack }: Moment): number | undefined {
  const { daily_cap_minor: cap } = after.campaign;
  if (cap === null) return undefined;
  const most = mostADay(after, now);
  const isLower = cap < (before.campaign.daily_cap_minor ?? Number.POSITIVE_INFINITY);
  // Budgets are whole minor units, and shares of them a day are not.
  const parts = after.buys.reduce((sum, buy) => sum + runsOf(buy).length, 0);
  if (most <= cap * slack + parts) return undefined;
  return !isLower && most <= mostADay(before, now) + parts ? undefined : most;
}

/** What fits to the cent does not a minute later: so much of a cap is not spoken of when a change comes true. */
const WAITING_SLACK = 1.01;

/** The same of a change that has waited since it was held against the cap. */
export function beyondCapLate(before: Taking, after: Taking, now: string): number | undefined {
  return beyondCap(before, after, { now, slack: WAITING_SLACK });
}

/** What stands against so much a day. What is no faster than before is not asked. */
export function overDay(before: Taking, after: Taking, now: string): AppError | undefined {
  const { daily_cap_minor: cap, currency } = after.campaign;
  const most = beyondCap(before, after, { now, slack: 1 });
  if (cap === null || most === undefined) return undefined;
  const minor = Math.ceil(most);
  return insufficientMediaBudget(
    `Within budget.dailyCap ${readMoney(cap, currency)} can be spent a day; the media buys would take ${readMoney(minor, currency)} a day.`,
    {
      requestedTotal: toMajor(after.campaign.budget_minor, currency),
      committedAllocation: toMajor(takenMinor(after), currency),
      dailyCap: toMajor(cap, currency),
      perDay: toMajor(minor, currency),
      currency,
    },
    {
      field: 'budget.dailyCap',
      suggestion:
        'Give the media buys more days or less budget, or raise budget.dailyCap with campaign_update.',
    },
  );
}
