import { DAY_MS } from '../../../core/moments.ts';
import { isSameBudget, roundToMinor } from '../../money.ts';
import type { OrderPackage } from '../../sellers/port.ts';

/** Which line of its order each package of a media buy is of. Pure. */

/** What tells the line of a package. */
export interface Placed {
  readonly package_id: string;
  readonly product_id: string | null;
  readonly budget_minor: number | null;
  readonly of_all?: true | undefined;
  /** The place of its line; null where none was its own so far, undefined where nobody asked. */
  readonly line?: number | null | undefined;
  /** When it runs, as its seller shows it. */
  readonly start: string | undefined;
  readonly end: string | undefined;
}

interface Line {
  readonly at: number;
  readonly product_id: string;
  readonly budget: number | undefined;
  readonly start: string | undefined;
  readonly end: string | undefined;
}

/**
 * The places of the lines by the ids of their packages: a line that a package has stays its own. Of packages that may
 * be of the same line the first has it, and none where they may be of several. A package of all is of no single line,
 * and what stands beside it of none.
 */
export function linePlaces(
  packages: readonly Placed[],
  order: readonly OrderPackage[],
  currency: string,
): ReadonlyMap<string, number> {
  if (packages.some(({ of_all }) => of_all === true)) return new Map();
  const lines = order.map((line, at) => lineAt(line, at, currency));
  const places = new Map<string, number>();
  take(
    places,
    packages.flatMap((part) => lines.filter(({ at }) => at === part.line).map((line): Pair => [part, line])),
  );
  const products = [...new Set(order.map(({ product_id }) => product_id))];
  for (const id of products) {
    const all = lines.filter(({ product_id }) => product_id === id);
    const parts = packages.filter((part) => products.length === 1 || part.product_id === id);
    for (const round of ROUNDS) take(places, round({ ...leftOf(places, parts, all), all }));
  }
  const unnamed = packages.filter(({ product_id }) => product_id === null);
  const { open, free } = leftOf(places, unnamed, lines);
  if (open.length === free.length) take(places, inOrder(open, free));
  return places;
}

/** A package has one line, and a line one package. */
function take(places: Map<string, number>, found: readonly Pair[]): void {
  for (const [part, line] of found) {
    const { open, free } = leftOf(places, [part], [line]);
    if (open.length > 0 && free.length > 0) places.set(part.package_id, line.at);
  }
}

function leftOf(
  places: ReadonlyMap<string, number>,
  parts: readonly Placed[],
  lines: readonly Line[],
): Pick<Left, 'open' | 'free'> {
  const taken = new Set(places.values());
  return {
    open: parts.filter(({ package_id }) => !places.has(package_id)),
    free: lines.filter(({ at }) => !taken.has(at)),
  };
}

function lineAt(
  { product_id, budget, start_time: start, end_time: end }: OrderPackage,
  at: number,
  currency: string,
): Line {
  return { at, product_id, budget: roundToMinor(budget, currency), start, end };
}

/** What is left of one product. */
interface Left {
  readonly open: readonly Placed[];
  readonly free: readonly Line[];
  /** All lines of the product. */
  readonly all: readonly Line[];
}

type Pair = readonly [Placed, Line];

const ROUNDS: readonly ((left: Left) => readonly Pair[])[] = [asBefore, byBoth, byBudget, byDates, oneByOne];

/** Those of which nobody asked yet have the lines in their order, where they are as many. */
function asBefore({ open, free }: Left): readonly Pair[] {
  const unasked = open.filter(({ line }) => line === undefined);
  return unasked.length === free.length ? inOrder(unasked, free) : [];
}

function byBoth({ open, free }: Left): readonly Pair[] {
  return pairs(open, free, (part, line) => hasBudgetOf(part, line) && hasDatesOf(part, line));
}

/** Where more packages have the budget than lines, and those are several, nobody knows which are of them. */
function byBudget({ open, free, all }: Left): readonly Pair[] {
  const fits = (part: Placed, line: Line) => hasBudgetOf(part, line) && !isElsewhere(part, line, all);
  return pairs(open, free, (part, line) => {
    const isMeant = (other: Placed) => fits(other, line);
    const alike = free.filter(({ budget }) => budget === line.budget);
    return isMeant(part) && (all.length === 1 || open.filter(isMeant).length <= alike.length);
  });
}

function byDates({ open, free }: Left): readonly Pair[] {
  return open.length === free.length ? pairs(open, free, hasDatesOf) : [];
}

/** Sellers name packages in the order in which they were ordered. */
function oneByOne({ open, free, all }: Left): readonly Pair[] {
  if (open.length !== free.length) return [];
  return inOrder(open, free).filter(([part, line]) => !isElsewhere(part, line, all));
}

function pairs(
  open: readonly Placed[],
  free: readonly Line[],
  fits: (part: Placed, line: Line) => boolean,
): Pair[] {
  const taken = new Set<Line>();
  return open.flatMap((part): Pair[] => {
    const line = free.find((one) => !taken.has(one) && fits(part, one));
    if (line === undefined) return [];
    taken.add(line);
    return [[part, line]];
  });
}

function inOrder(parts: readonly Placed[], lines: readonly Line[]): Pair[] {
  return parts.flatMap((part, index): Pair[] => {
    const line = lines[index];
    return line === undefined ? [] : [[part, line]];
  });
}

function hasBudgetOf({ budget_minor }: Placed, { budget }: Line): boolean {
  return budget_minor !== null && budget !== undefined && isSameBudget(budget_minor, budget);
}

/** Sellers round to days: what they do not show is no other. */
function hasDatesOf(part: Placed, line: Line): boolean {
  const isShown = part.start !== undefined || part.end !== undefined;
  return isShown && isNear(part.start, line.start) && isNear(part.end, line.end);
}

function isNear(shown: string | undefined, ordered: string | undefined): boolean {
  if (shown === undefined) return true;
  return ordered !== undefined && Math.abs(Date.parse(shown) - Date.parse(ordered)) < DAY_MS;
}

/** Whether it runs on the days of another line. */
function isElsewhere(part: Placed, line: Line, all: readonly Line[]): boolean {
  return !hasDatesOf(part, line) && all.some((other) => hasDatesOf(part, other));
}
