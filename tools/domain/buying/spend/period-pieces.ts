import type { BuyPackage } from '../../../../store/media-buy-packages.ts';
import type { MediaBuyRow } from '../../../../store/media-buys.ts';
import type { Dated } from '../../campaigns/pacing-periods.ts';
import { roundToMinor, shareByWeight } from '../../money.ts';
import type { OrderPackage } from '../../sellers/port.ts';
import { type Ordered, withLinesLeft } from '../choice/package-lines.ts';
import { orderLines } from '../payloads.ts';
import { ownGross } from './package-budgets.ts';
import { spendByPackage, spentOfBudget } from './package-spend.ts';

/** What a media buy has, in pieces that each run in a time of their own. Gross, in minor units. Pure. */

/** What a package has, and when it runs. */
export interface Piece extends Dated {
  readonly minor: number;
  /** What its seller told that was spent of it. */
  readonly spent: number;
}

/** By the packages of its seller; before it names any, as they were ordered. Together they are its budget. */
export function piecesOf(buy: MediaBuyRow): Piece[] {
  const { ordered, left } = withLinesLeft(buy);
  const lined = ordered.flatMap(({ part, line }) => (line === undefined ? [] : pieceOfPart(part, line, buy)));
  const unlined = ordered.filter(({ line }) => line === undefined);
  const sum = lined.reduce((whole, { minor }) => whole + minor, 0);
  const rest = piecesUnlined(unlined, left, { buy, missing: Math.max(0, buy.budget_minor - sum) });
  const pieces = [...lined, ...rest];
  return ordered.length === 0 ? ofLines(buy) : addingUp(pieces, buy);
}

function ofLines(buy: MediaBuyRow): Piece[] {
  return orderLines(buy).map((line) => pieceOfLine(line, buy));
}

/** A seller may show more than was ordered, or less: what the buy counts for is taken of all periods together. */
function addingUp(pieces: Piece[], buy: MediaBuyRow): Piece[] {
  const minors = pieces.map(({ minor }) => minor);
  const isNothing = minors.every((minor) => minor === 0);
  const whole = isNothing ? ofLines(buy) : pieces;
  const shares = shareByWeight(
    buy.budget_minor,
    whole.map(({ minor }) => minor),
  );
  return whole.map((piece, index) => ({ ...piece, minor: shares[index] ?? 0 }));
}

export function pieceOfLine(line: OrderPackage, buy: MediaBuyRow): Piece {
  const { budget, gross_minor, start_time, end_time } = line;
  const asked = gross_minor === undefined ? {} : { gross_minor };
  const budget_minor = roundToMinor(budget, buy.currency) ?? 0;
  return {
    start_time: start_time ?? buy.start_time,
    end_time: end_time ?? buy.end_time,
    minor: ownGross({ budget_minor, ...asked }, buy.fee_bps) ?? 0,
    spent: 0,
  };
}

function pieceOfPart(part: BuyPackage, line: OrderPackage, buy: MediaBuyRow): Piece {
  const ordered = pieceOfLine(line, buy);
  const minor = minorOf(part, buy) ?? ordered.minor;
  return {
    start_time: part.start_time ?? ordered.start_time,
    end_time: part.end_time ?? ordered.end_time,
    minor,
    spent: spentIn(part, minor, buy),
  };
}

function minorOf(part: BuyPackage, { fee_bps }: MediaBuyRow): number | undefined {
  return part.canceled === true ? (part.kept_minor ?? 0) : ownGross(part, fee_bps);
}

function spentIn({ package_id }: BuyPackage, budgetMinor: number, buy: MediaBuyRow): number {
  const told = spendByPackage(buy).get(package_id) ?? 0;
  return spentOfBudget(told, { budgetMinor, feeBps: buy.fee_bps });
}

interface Missing {
  readonly buy: MediaBuyRow;
  /** What the others have less than the buy counts for: no more is of these. */
  readonly missing: number;
}

/** Packages of which nobody knows the line: by the dates that their seller shows, else as what is left was ordered. */
function piecesUnlined(
  unlined: readonly Ordered[],
  left: readonly OrderPackage[],
  { buy, missing }: Missing,
): Piece[] {
  const has = unlined.map(({ part }) => minorOf(part, buy) ?? 0);
  const sum = has.reduce((whole, minor) => whole + minor, 0);
  const minors = shareByWeight(Math.min(missing, sum), has);
  const placed = unlined.map(({ part }, index) => pieceByDates(part, minors[index] ?? 0, buy));
  const unplaced = unlined.flatMap(({ part: { product_id: id } }, index) => {
    const piece = placed[index];
    return piece === undefined || piece.isPlaced ? [] : [{ ...piece, id }];
  });
  const products = [...new Set(unplaced.map(({ id }) => id))];
  return [
    ...placed.filter(({ isPlaced }) => isPlaced),
    ...products.flatMap((product) => {
      const parts = unplaced.filter(({ id }) => id === product);
      const minor = parts.reduce((whole, one) => whole + one.minor, 0);
      const spent = parts.reduce((whole, one) => whole + one.spent, 0);
      return withSpent(among(linesFor(product, left, buy), { buy, minor }), spent);
    }),
    // What they do not show of it is where it was ordered.
    ...among(left, { buy, minor: missing - Math.min(missing, sum) }),
  ];
}

interface Shown extends Piece {
  /** Whether its seller shows when it runs. */
  readonly isPlaced: boolean;
}

function pieceByDates(part: BuyPackage, minor: number, buy: MediaBuyRow): Shown {
  const start = part.start_time ?? part.shown_start;
  const end = part.end_time ?? part.shown_end;
  return {
    start_time: start ?? buy.start_time,
    end_time: end ?? buy.end_time,
    minor,
    spent: spentIn(part, minor, buy),
    isPlaced: (start ?? end) !== undefined,
  };
}

/** Those of its product that are left; else all that are, or were ordered. */
function linesFor(id: string | null, left: readonly OrderPackage[], buy: MediaBuyRow) {
  const own = left.filter(({ product_id }) => product_id === id);
  return [own, left, orderLines(buy)].find((some) => some.length > 0) ?? [];
}

/** A sum in the proportion of what was ordered. */
function among(lines: readonly OrderPackage[], { buy, minor }: { buy: MediaBuyRow; minor: number }): Piece[] {
  const pieces = lines.map((line) => pieceOfLine(line, buy));
  const shares = shareByWeight(
    minor,
    pieces.map((piece) => piece.minor),
  );
  return pieces.map((piece, index) => ({ ...piece, minor: shares[index] ?? 0 }));
}

/** Of what was spent each has its part. */
function withSpent(pieces: readonly Piece[], spent: number): Piece[] {
  const shares = shareByWeight(
    spent,
    pieces.map(({ minor }) => minor),
  );
  return pieces.map((piece, index) => ({ ...piece, spent: shares[index] ?? 0 }));
}
