import type { Sample } from './exposition.ts';

/** Series of one name: beyond this many, what is new is counted together. A mistake must not fill the memory. */
const SERIES_MAX = 5_000;
const OTHER = 'other';

interface Cell {
  value: number;
}

/** Counts by two labels. Counting is two look-ups in a map, and nothing is made the second time. */
export class Counts {
  readonly #rows = new Map<string, Map<string, Cell>>();
  #series = 0;

  add(first: string, second: string, times = 1): void {
    const cell = this.#rows.get(first)?.get(second) ?? this.#make(first, second);
    cell.value += times;
  }

  *entries(): Generator<readonly [first: string, second: string, value: number]> {
    for (const [first, row] of this.#rows)
      for (const [second, { value }] of row) yield [first, second, value];
  }

  #make(first: string, second: string): Cell {
    if (this.#series >= SERIES_MAX) return this.#cell(OTHER, OTHER);
    this.#series += 1;
    return this.#cell(first, second);
  }

  #cell(first: string, second: string): Cell {
    const row = this.#rows.get(first) ?? new Map<string, Cell>();
    this.#rows.set(first, row);
    const cell = row.get(second) ?? { value: 0 };
    row.set(second, cell);
    return cell;
  }
}

/** Counts by one label, of words that we choose. */
export class Singles {
  readonly #label: string;
  readonly #counts = new Map<string, number>();

  /** `known`: what is told as 0 before it happens. */
  constructor(label: string, known: readonly string[] = []) {
    this.#label = label;
    for (const one of known) this.know(one);
  }

  know(one: string): void {
    this.#counts.set(one, this.#counts.get(one) ?? 0);
  }

  add(one: string): void {
    this.#counts.set(one, (this.#counts.get(one) ?? 0) + 1);
  }

  samples(): Sample[] {
    return [...this.#counts].map(([one, value]) => ({ labels: { [this.#label]: one }, value }));
  }
}

/** Upper ends of the buckets, in seconds: from a read in memory to a call that waits for sellers. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** How long something took, as a histogram. */
export class Durations {
  /** Of each bucket alone; the last one is beyond them all. */
  readonly #counts = new Float64Array(BUCKETS.length + 1);
  #seconds = 0;

  add(seconds: number): void {
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#seconds += seconds;
  }

  get seconds(): number {
    return this.#seconds;
  }

  /** Each bucket with all that is below it, the last without an upper end. */
  cumulative(): { readonly upTo: number; readonly count: number }[] {
    let count = 0;
    return [...BUCKETS, Number.POSITIVE_INFINITY].map((upTo, index) => {
      count += this.#counts[index] ?? 0;
      return { upTo, count };
    });
  }
}
