import type { PacingPeriod, PacingPeriods } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AddedPart } from '../../campaigns/added-periods.ts';
import { sharesOf } from '../../campaigns/pacing-periods.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { roundToMinor } from '../../money.ts';
import type { BuyUpdate, Order, OrderPackage } from '../../sellers/port.ts';
import { isUnsent } from '../answers/unsent.ts';
import { goingBudgets } from './kept-budgets.ts';

/** Which periods of a campaign its orders have no packages for, and what each of them gets of those. Pure. */

interface Paced {
  readonly pacing: PacingPeriods;
  readonly currency: string;
  /** All media buys of the campaign, with what was asked of them and may still come true. */
  readonly buys: readonly MediaBuyRow[];
  readonly open: readonly Pick<MediaBuyChangeRow, 'media_buy_id' | 'payload'>[];
}

/** A media buy, and the places of the periods that it is to be asked for. */
interface Lacking {
  readonly buy: MediaBuyRow;
  readonly indexes: readonly number[];
}

/** Those among media buys whose orders lack any of some periods that get something. */
export function lackingAmong(
  asked: readonly MediaBuyRow[],
  indexes: readonly number[],
  paced: Paced,
): Lacking[] {
  const shares = sharesOf(paced.pacing, paced.currency);
  return asked.flatMap((buy) => {
    const packages = orderedOf(buy, paced);
    const lacks = indexes.filter((index) => (shares[index] ?? 0) > 0 && !isAmong(packages, index, paced));
    return lacks.length === 0 ? [] : [{ buy, indexes: lacks }];
  });
}

/** What was ordered of a seller, and what it was asked for beside that; an order without dates runs as the media buy. */
function orderedOf(buy: MediaBuyRow, { open }: Pick<Paced, 'open'>): OrderPackage[] {
  const { packages = [] } = fromJson<Partial<Order>>(buy.order_payload);
  const asked = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
  const added = asked.flatMap(({ payload }) => (JSON.parse(payload) as BuyUpdate).newPackages ?? []);
  return [...packages, ...added].map((one) => ({
    ...one,
    start_time: one.start_time ?? buy.start_time,
    end_time: one.end_time ?? buy.end_time,
  }));
}

function isAmong(
  packages: readonly OrderPackage[],
  index: number,
  { pacing }: Pick<Paced, 'pacing'>,
): boolean {
  const period = pacing.periods[index];
  return period !== undefined && packages.some((one) => isIn(one, period));
}

/** Whether a package runs on any day of a period: periods share none. */
function isIn({ start_time = '', end_time = '' }: OrderPackage, { start, end }: PacingPeriod): boolean {
  const last = new Date(Date.parse(end_time) - 1).toISOString().slice(0, start.length);
  return start_time.slice(0, start.length) <= end && last >= start;
}

/**
 * What each gets of the periods that it lacks. By budget the amount of a period, as far as nobody was ordered to spend
 * it, in the proportion of their budgets; by weight as much for each day as for those it was ordered with.
 */
export function partsOf(all: readonly Lacking[], paced: Paced): AddedPart[][] {
  const { pacing, currency } = paced;
  const shares = sharesOf(pacing, currency);
  const base = (lacking: Lacking) => knownShare(lacking, shares, paced);
  return all.map((lacking, at) =>
    lacking.indexes.map((index) => {
      if (pacing.mode === 'budget') {
        const sharers = all.filter((other) => other.indexes.includes(index));
        const before = sharers.slice(0, sharers.indexOf(lacking));
        const weight = leftOf(index, shares[index] ?? 0, paced);
        return { index, weight, of: goingOf(sharers), behindMinor: goingOf(before) };
      }
      const of = base(lacking);
      const behindMinor = goingOf(all.slice(0, at).filter((other) => base(other) === of));
      return { index, weight: shares[index] ?? 0, of, behindMinor };
    }),
  );
}

/** What the periods count together that its packages are of. */
function knownShare({ buy, indexes }: Lacking, shares: readonly number[], paced: Paced): number {
  const packages = orderedOf(buy, paced);
  return shares.reduce(
    (sum, share, index) => (!indexes.includes(index) && isAmong(packages, index, paced) ? sum + share : sum),
    0,
  );
}

function goingOf(all: readonly Lacking[]): number {
  return all.flatMap(({ buy }) => goingBudgets(buy)).reduce((sum, minor) => sum + minor, 0);
}

/** What of the amount of a period no seller was asked to spend, in minor units. */
function leftOf(index: number, amountMinor: number, paced: Paced): number {
  const period = paced.pacing.periods[index];
  const others = paced.buys.filter((buy) => buy.pacing_periods === null && !isUnsent(buy));
  const taken = others.flatMap((buy) =>
    orderedOf(buy, paced)
      .filter((one) => period !== undefined && isIn(one, period))
      .map(({ budget }) => grossBudgetOf(roundToMinor(budget, buy.currency) ?? 0, buy.fee_bps)),
  );
  return taken.reduce((left, minor) => Math.max(0, left - minor), amountMinor);
}
