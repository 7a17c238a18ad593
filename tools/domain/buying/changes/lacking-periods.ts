import type { PacingPeriods } from '../../../../store/campaigns.ts';
import type { MediaBuyChangeRow } from '../../../../store/media-buy-changes.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AddedPart } from '../../campaigns/added-periods.ts';
import { type Dated, runsIn, sharesOf } from '../../campaigns/pacing-periods.ts';
import { grossBudgetOf } from '../../ledger/pricing.ts';
import { roundToMinor } from '../../money.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { isUnsent } from '../answers/unsent.ts';
import { orderLines, updateIn } from '../payloads.ts';
import { goingBudgets } from './kept-budgets.ts';

/** Which periods of a campaign its orders have no packages for, and what each of them gets of those. Pure. */

type DatedPackage = OrderPackage & Dated;

/** What a campaign is paced by, and what its media buys were ordered and asked for. */
interface Paced {
  readonly pacing: PacingPeriods;
  readonly currency: string;
  /** All media buys of the campaign. */
  readonly buys: readonly MediaBuyRow[];
  /** By the ids of media buys. */
  readonly ordered: ReadonlyMap<string, readonly DatedPackage[]>;
}

/** `open`: what was asked of the media buys and may still come true. */
export function pacedBy({
  open,
  ...campaign
}: Omit<Paced, 'ordered'> & { readonly open: readonly Asked[] }): Paced {
  return { ...campaign, ordered: new Map(campaign.buys.map((buy) => [buy.id, orderedOf(buy, open)])) };
}

type Asked = Pick<MediaBuyChangeRow, 'media_buy_id' | 'payload'>;

/** A media buy, what goes on of its budget, and the places of the periods that it is to be asked for. */
interface Lacking {
  readonly buy: MediaBuyRow;
  readonly goingMinor: number;
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
    const lacks = indexes.filter((index) => (shares[index] ?? 0) > 0 && !isOrderedFor(buy, index, paced));
    const goingMinor = goingBudgets(buy).reduce((sum, minor) => sum + minor, 0);
    return lacks.length === 0 ? [] : [{ buy, goingMinor, indexes: lacks }];
  });
}

/**
 * What was ordered of a seller, and what it was asked for beside that; an order without dates runs as the media buy.
 */
function orderedOf(buy: MediaBuyRow, open: readonly Asked[]): DatedPackage[] {
  const asked = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
  const added = asked.flatMap((change) => updateIn(change).newPackages ?? []);
  return [...orderLines(buy), ...added].map((one) => ({
    ...one,
    start_time: one.start_time ?? buy.start_time,
    end_time: one.end_time ?? buy.end_time,
  }));
}

/** The packages of a media buy that run in a period. */
function orderedFor({ id }: MediaBuyRow, index: number, { pacing, ordered }: Paced): DatedPackage[] {
  const period = pacing.periods[index];
  return period === undefined ? [] : (ordered.get(id) ?? []).filter((one) => runsIn(one, period));
}

function isOrderedFor(buy: MediaBuyRow, index: number, paced: Paced): boolean {
  return orderedFor(buy, index, paced).length > 0;
}

/** What each gets of the periods that it lacks. */
export function partsOf(all: readonly Lacking[], paced: Paced): AddedPart[][] {
  return paced.pacing.mode === 'budget' ? partsByBudget(all, paced) : partsByWeight(all, paced);
}

/** The amount of a period, as far as nobody was ordered to spend it, in the proportion of their budgets. */
function partsByBudget(all: readonly Lacking[], paced: Paced): AddedPart[][] {
  const left = sharesOf(paced.pacing, paced.currency).map((amount, index) => leftOf(index, amount, paced));
  return all.map((lacking) =>
    lacking.indexes.map((index) => {
      const sharers = all.filter(({ indexes }) => indexes.includes(index));
      const before = sharers.slice(0, sharers.indexOf(lacking));
      return { index, weight: left[index] ?? 0, of: goingOf(sharers), behindMinor: goingOf(before) };
    }),
  );
}

/** As much for each day as for those it was ordered with. */
function partsByWeight(all: readonly Lacking[], paced: Paced): AddedPart[][] {
  const shares = sharesOf(paced.pacing, paced.currency);
  const known = all.map((lacking) => knownShare(lacking, shares, paced));
  return all.map(({ indexes }, at) => {
    const of = known[at] ?? 0;
    const behindMinor = goingOf(all.slice(0, at).filter((_, other) => known[other] === of));
    return indexes.map((index) => ({ index, weight: shares[index] ?? 0, of, behindMinor }));
  });
}

/** What the periods count together that its packages are of. */
function knownShare({ buy, indexes }: Lacking, shares: readonly number[], paced: Paced): number {
  return shares.reduce(
    (sum, share, index) => (!indexes.includes(index) && isOrderedFor(buy, index, paced) ? sum + share : sum),
    0,
  );
}

function goingOf(all: readonly Lacking[]): number {
  return all.reduce((sum, { goingMinor }) => sum + goingMinor, 0);
}

/** What of the amount of a period no seller was asked to spend, in minor units. */
function leftOf(index: number, amountMinor: number, paced: Paced): number {
  const others = paced.buys.filter((buy) => buy.pacing_periods === null && !isUnsent(buy));
  const taken = others.flatMap((buy) =>
    orderedFor(buy, index, paced).map(({ budget }) =>
      grossBudgetOf(roundToMinor(budget, buy.currency) ?? 0, buy.fee_bps),
    ),
  );
  return taken.reduce((left, minor) => Math.max(0, left - minor), amountMinor);
}
