import type { MediaBuyRow } from '../../../store/media-buys.ts';
import type { AppError } from '../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../core/errors/money-refusals.ts';
import { readMoney, toMajor } from '../money.ts';
import { later } from '../time.ts';
import type { AskedOf, Taking } from './budget-keeping.ts';
import { isBinding } from './buy-commitment.ts';

/** What media buys spend a day at an even pace, held against the daily cap of their campaign. Pure. */

const DAY_MS = 86_400_000;

/** So much a day, between two moments. */
interface Pace {
  readonly from: string;
  readonly to: string;
  readonly perDay: number;
}

/** A part of a day is a whole one where it is all there is. */
function days(from: string, to: string): number {
  return Math.max(1, (Date.parse(to) - Date.parse(from)) / DAY_MS);
}

/** How a buy is spread, as it stands and as it would once its seller has confirmed what was asked. */
function pacesOf(buy: MediaBuyRow, open: readonly AskedOf[], now: string): Pace[] {
  const { start_time, end_time, budget_minor } = buy;
  const asIs = budget_minor / days(start_time, end_time);
  const asked = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
  const wished = asked.map(({ proposed }) => {
    const { budget_minor: budget = budget_minor, end_time: to = end_time, start_time: given } = proposed;
    const start = given ?? start_time;
    const from = later(start, now);
    // What it has run of its time went at the pace it had.
    const gone = from === start ? 0 : asIs * ((Date.parse(from) - Date.parse(start)) / DAY_MS);
    return { from, to, perDay: Math.max(0, budget - gone) / days(from, to) };
  });
  return [{ from: start_time, to: end_time, perDay: asIs }, ...wished];
}

/** The most that is spent on any day, of each buy by whichever of its paces is the faster one. */
function mostADay({ buys, open }: Taking, now: string): number {
  const paces = buys.filter(isBinding).map((buy) => pacesOf(buy, open, now));
  const sums = paces.flat().map(({ from: moment }) =>
    paces.reduce((sum, ofBuy) => {
      const running = ofBuy.filter(({ from, to }) => from <= moment && moment < to);
      return sum + Math.max(0, ...running.map(({ perDay }) => perDay));
    }, 0),
  );
  return Math.max(0, ...sums);
}

/** What stands against so much a day. What is no faster than before is not asked; periods have a pace of their own. */
export function overDay(before: Taking, after: Taking, now: string): AppError | undefined {
  const { daily_cap_minor: cap, pacing_periods: periods, currency } = after.campaign;
  if (cap === null || periods !== null) return undefined;
  const most = mostADay(after, now);
  const isLower = cap < (before.campaign.daily_cap_minor ?? cap);
  // Budgets are whole minor units, and shares of them a day are not.
  if (most <= cap + after.buys.length) return undefined;
  if (!isLower && most <= mostADay(before, now) + after.buys.length) return undefined;
  const minor = Math.ceil(most);
  return insufficientMediaBudget(
    `Within budget.dailyCap ${readMoney(cap, currency)} can be spent a day; the media buys would take ${readMoney(minor, currency)} a day.`,
    { dailyCap: toMajor(cap, currency), perDay: toMajor(minor, currency), currency },
    {
      field: 'budget.dailyCap',
      suggestion:
        'Give the media buys more days or less budget, or raise budget.dailyCap with campaign_update.',
    },
  );
}
