import { DAY_MS } from '../../../core/moments.ts';
import { onceOf } from '../../../core/once.ts';
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

/** Times; undefined where none is shown, and no number where what is shown is none. */
interface Dates {
  readonly start: number | undefined;
  readonly end: number | undefined;
}

interface Line extends Dates {
  readonly at: number;
  readonly product_id: string;
  readonly budget: number | undefined;
}

type Part = Omit<Placed, 'start' | 'end'> & Dates;

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
  const parts = packages.map((part): Part => ({ ...part, ...timesOf(part.start, part.end) }));
  const places = new Places();
  places.take(parts.flatMap((part) => pairOf(part, lines[part.line ?? -1])));
  const [linesOf, partsOf] = [byProduct(lines), byProduct(parts)];
  for (const [id, all] of linesOf) {
    const own = linesOf.size === 1 ? parts : (partsOf.get(id) ?? []);
    for (const round of ROUNDS) places.take(round({ ...places.leftOf(own, all), all }));
  }
  const { open, free } = places.leftOf(partsOf.get(null) ?? [], lines);
  if (open.length === free.length) places.take(inOrder(open, free));
  return places.found;
}

/** A package has one line, and a line one package. */
class Places {
  readonly found = new Map<string, number>();
  readonly #taken = new Set<number>();

  take(pairs: readonly Pair[]): void {
    for (const [{ package_id }, { at }] of pairs) {
      if (this.found.has(package_id) || this.#taken.has(at)) continue;
      this.found.set(package_id, at);
      this.#taken.add(at);
    }
  }

  leftOf(parts: readonly Part[], lines: readonly Line[]): Pick<Left, 'open' | 'free'> {
    return {
      open: parts.filter(({ package_id }) => !this.found.has(package_id)),
      free: lines.filter(({ at }) => !this.#taken.has(at)),
    };
  }
}

function lineAt(
  { product_id, budget, start_time, end_time }: OrderPackage,
  at: number,
  currency: string,
): Line {
  return { at, product_id, budget: roundToMinor(budget, currency), ...timesOf(start_time, end_time) };
}

/** There may be thousands of lines and packages: each date is read once, and not with every line it may be of. */
function timesOf(start: string | undefined, end: string | undefined): Dates {
  return { start: timeOf(start), end: timeOf(end) };
}

function timeOf(moment: string | undefined): number | undefined {
  return moment === undefined ? undefined : Date.parse(moment);
}

function byProduct<Of extends { readonly product_id: string | null }>(
  some: readonly Of[],
): ReadonlyMap<string | null, readonly Of[]> {
  const found = new Map<string | null, Of[]>();
  for (const one of some) {
    const own = found.get(one.product_id);
    if (own === undefined) found.set(one.product_id, [one]);
    else own.push(one);
  }
  return found;
}

/** What is left of one product. */
interface Left {
  readonly open: readonly Part[];
  readonly free: readonly Line[];
  /** All lines of the product. */
  readonly all: readonly Line[];
}

type Pair = readonly [Part, Line];

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
  const isElsewhere = elsewhereAmong(all);
  const fits = (part: Part, line: Line) => hasBudgetOf(part, line) && !isElsewhere(part, line);
  const fitting = onceOf((line: Line) => open.filter((part) => fits(part, line)).length);
  const alike = (line: Line) => free.filter(({ budget }) => budget === line.budget).length;
  const isCertain = onceOf((line: Line) => all.length === 1 || fitting(line) <= alike(line));
  return pairs(open, free, (part, line) => fits(part, line) && isCertain(line));
}

function byDates({ open, free }: Left): readonly Pair[] {
  return open.length === free.length ? pairs(open, free, hasDatesOf) : [];
}

/** Sellers name packages in the order in which they were ordered. */
function oneByOne({ open, free, all }: Left): readonly Pair[] {
  if (open.length !== free.length) return [];
  const isElsewhere = elsewhereAmong(all);
  return inOrder(open, free).filter(([part, line]) => !isElsewhere(part, line));
}

function pairs(
  open: readonly Part[],
  free: readonly Line[],
  fits: (part: Part, line: Line) => boolean,
): Pair[] {
  const taken = new Set<Line>();
  return open.flatMap((part): Pair[] => {
    const line = free.find((one) => !taken.has(one) && fits(part, one));
    if (line !== undefined) taken.add(line);
    return pairOf(part, line);
  });
}

function inOrder(parts: readonly Part[], lines: readonly Line[]): Pair[] {
  return parts.flatMap((part, index) => pairOf(part, lines[index]));
}

function pairOf(part: Part, line: Line | undefined): Pair[] {
  return line === undefined ? [] : [[part, line]];
}

function hasBudgetOf({ budget_minor }: Part, { budget }: Line): boolean {
  return budget_minor !== null && budget !== undefined && isSameBudget(budget_minor, budget);
}

/** Sellers round to days: what they do not show is no other. */
function hasDatesOf(part: Part, line: Line): boolean {
  const isShown = part.start !== undefined || part.end !== undefined;
  return isShown && isNear(part.start, line.start) && isNear(part.end, line.end);
}

function isNear(shown: number | undefined, ordered: number | undefined): boolean {
  if (shown === undefined) return true;
  return ordered !== undefined && Math.abs(shown - ordered) < DAY_MS;
}

/** Tells whether a package runs on the days of another one of these lines. */
function elsewhereAmong(all: readonly Line[]): (part: Part, line: Line) => boolean {
  const isOfSome = onceOf((part: Part) => all.some((other) => hasDatesOf(part, other)));
  return (part, line) => !hasDatesOf(part, line) && isOfSome(part);
}
