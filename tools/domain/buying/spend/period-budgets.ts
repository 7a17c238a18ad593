import type { CampaignRow, PacingPeriods } from '../../../../store/campaigns.ts';
import { fromJson } from '../../../../store/engine/codec.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { AppError } from '../../../core/errors/app-error.ts';
import { insufficientMediaBudget } from '../../../core/errors/money-refusals.ts';
import { runsIn, sharesOf } from '../../campaigns/pacing-periods.ts';
import { readMoney, shareByWeight, toMajor } from '../../money.ts';
import { isLive } from '../machines.ts';
import { owedOf } from './buy-commitment.ts';
import { columnsProposed } from './columns-proposed.ts';
import { type Piece, pieceOfLine, piecesOf } from './period-pieces.ts';
import { type AskedOf, type Taking, takenMinor } from './taking.ts';

/**
 * What media buys take of periods that have a budget each. A buy with periods of its own is held to these, and takes
 * nothing of those of its campaign. Gross, in minor units. Pure.
 */

type Takers = Pick<Taking, 'buys' | 'open'>;

/** What of each period is taken already, by the buys that share them. */
export function takenByPeriods(
  { pacing_periods, currency }: Pick<CampaignRow, 'pacing_periods' | 'currency'>,
  takers: Takers,
): number[] | undefined {
  const pacing = pacing_periods === null ? undefined : fromJson(pacing_periods);
  if (pacing?.mode !== 'budget') return undefined;
  return takenOf(pacing, currency, {
    ...takers,
    buys: takers.buys.filter((buy) => buy.pacing_periods === null),
  });
}

function takenOf(pacing: PacingPeriods, currency: string, { buys, open }: Takers): number[] {
  const shares = sharesOf(pacing, currency);
  const each = buys.map((buy) => takenBy(buy, open, { pacing, shares }));
  return shares.map((_, index) => each.reduce((sum, parts) => sum + (parts[index] ?? 0), 0));
}

interface Periods {
  readonly pacing: PacingPeriods;
  readonly shares: readonly number[];
}

/** Of each period the most that it takes by any of its ways: as it stands, or as its seller was asked for. */
function takenBy(buy: MediaBuyRow, open: readonly AskedOf[], periods: Periods): number[] {
  const ways = waysOf(buy, open).map((pieces) => amongPeriods(pieces, periods));
  return periods.shares.map((_, index) => Math.max(0, ...ways.map((parts) => parts[index] ?? 0)));
}

function waysOf(buy: MediaBuyRow, open: readonly AskedOf[]): Piece[][] {
  if (!isLive(buy)) return [owedPieces(buy)];
  const asked = open.filter(({ media_buy_id }) => media_buy_id === buy.id);
  return [
    piecesOf(buy),
    ...asked.map(({ proposed, newPackages = [] }) => {
      const added = newPackages.map((line) => pieceOfLine(line, buy));
      const after = { ...buy, ...columnsProposed(proposed) };
      const budget_minor = added.reduce((rest, { minor }) => rest - minor, after.budget_minor);
      return [...piecesOf({ ...after, budget_minor: Math.max(0, budget_minor) }), ...added];
    }),
  ];
}

/** What is owed of a buy that is over: what was told of each package, and of the rest the earliest the most. */
function owedPieces(buy: MediaBuyRow): Piece[] {
  const pieces = piecesOf(buy).toSorted((one, other) => (one.start_time < other.start_time ? -1 : 1));
  let left = pieces.reduce((rest, { spent }) => rest - spent, owedOf(buy));
  return pieces.map((piece) => {
    const more = Math.max(0, Math.min(left, piece.minor - piece.spent));
    left -= more;
    return { ...piece, minor: piece.spent + more };
  });
}

/** One that runs in several of them, as where its seller holds all in one package, takes of each its part. */
function amongPeriods(pieces: readonly Piece[], { pacing, shares }: Periods): number[] {
  const each = pieces.map((piece) =>
    shareByWeight(
      piece.minor,
      pacing.periods.map((period, index) => (runsIn(piece, period) ? (shares[index] ?? 0) : 0)),
    ),
  );
  return shares.map((_, index) => each.reduce((sum, parts) => sum + (parts[index] ?? 0), 0));
}

/** What stands against what is to be taken of a period. What takes no more of it than before is not asked. Pure. */
export function overPeriods(before: Taking, after: Taking): AppError | undefined {
  const { currency } = after.campaign;
  const refused = roomsOf(after).map(({ pacing, buys }) => {
    const shares = sharesOf(pacing, currency);
    const ids = new Set(buys.map(({ id }) => id));
    const had = takenOf(pacing, currency, { ...before, buys: before.buys.filter(({ id }) => ids.has(id)) });
    const has = takenOf(pacing, currency, { ...after, buys });
    const rounded = roundedUp(before, { ...after, buys });
    const index = has.findIndex((minor, at) => minor > Math.max((shares[at] ?? 0) + rounded, had[at] ?? 0));
    return index === -1
      ? undefined
      : beyond(after, { pacing, index, share: shares[index] ?? 0, taken: has[index] ?? 0 });
  });
  return refused.find((one) => one !== undefined);
}

/** Periods, and the buys that share them. */
interface Room {
  readonly pacing: PacingPeriods;
  readonly buys: readonly MediaBuyRow[];
}

function roomsOf({ campaign, buys }: Taking): Room[] {
  const shared = campaign.pacing_periods;
  const rooms = [
    ...(shared === null
      ? []
      : [{ pacing: fromJson(shared), buys: buys.filter(({ pacing_periods }) => pacing_periods === null) }]),
    ...buys.flatMap((buy) =>
      buy.pacing_periods === null ? [] : [{ pacing: fromJson(buy.pacing_periods), buys: [buy] }],
    ),
  ];
  return rooms.filter(({ pacing }) => pacing.mode === 'budget');
}

/** Budgets are whole, and what falls to a product of a period is not: each new one but the last may have one more. */
function roundedUp(before: Pick<Taking, 'buys'>, after: Pick<Taking, 'buys'>): number {
  const had = new Set(before.buys.filter(isLive).map(({ id }) => id));
  const fresh = after.buys.filter((buy) => isLive(buy) && !had.has(buy.id));
  return Math.max(0, fresh.reduce((sum, { products }) => sum + fromJson(products).length, 0) - 1);
}

interface Beyond {
  readonly pacing: PacingPeriods;
  readonly index: number;
  readonly share: number;
  readonly taken: number;
}

function beyond(after: Taking, { pacing, index, share, taken }: Beyond): AppError {
  const { budget_minor, currency } = after.campaign;
  const label = pacing.periods[index]?.label ?? '';
  return insufficientMediaBudget(
    `Within the period ${label} ${readMoney(share, currency)} can be spent; with this the media buys take ${readMoney(taken, currency)} of it.`,
    {
      requestedTotal: toMajor(budget_minor, currency),
      committedAllocation: toMajor(takenMinor(after), currency),
      period: label,
      periodBudget: toMajor(share, currency),
      inPeriod: toMajor(taken, currency),
      currency,
    },
    {
      field: `pacingPeriods.periods.${index}.budget`,
      suggestion:
        'Give less to what runs in that period, or lower other packages of it first. Budgets that are lowered count as they were until their sellers have confirmed.',
    },
  );
}
