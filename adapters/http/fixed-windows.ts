import type { Clock } from '../../tools/core/ports.ts';

/** Where a caller stands in its window. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly windowSeconds: number;
  /** True when this request is beyond the limit. */
  readonly isOver: boolean;
}

/**
 * Callers of whom one limit knows at a time. Whoever comes from more networks than these could as well use each of
 * them once; the oldest is forgotten, which would be over first.
 */
const KEYS_MAX = 100_000;

interface Window {
  readonly endsAt: number;
  count: number;
}

/** What a limit is told of: others where it counts for them too, and whoever runs the service what it refused. */
interface Told {
  readonly untold?: Untold | undefined;
  /** Called for each that is counted beyond the limit. */
  readonly over?: (() => void) | undefined;
}

/** A caller's requests that other processes have not been told of. */
export type Untold = (key: string, requests: number) => void;

/**
 * Counts requests by key, of this process and of those it is told of, in windows that begin with the first of them.
 * Without promises, because two of these stand in front of every answer.
 */
export class FixedWindows {
  readonly #limit: number;
  readonly #max: number;
  readonly #windowMs: number;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #windows = new Map<string, Window>();
  readonly #told: Told;
  #sweepAt = 0;

  constructor(
    { limit, max = KEYS_MAX, ...told }: { readonly limit: number; readonly max?: number } & Told,
    windowSeconds: number,
    clock: Pick<Clock, 'now'>,
  ) {
    this.#limit = limit;
    this.#max = max;
    this.#windowMs = windowSeconds * 1000;
    this.#clock = clock;
    this.#told = told;
  }

  /** How many keys it holds. */
  get size(): number {
    return this.#windows.size;
  }

  /** Counts so many; with a negative number it takes back what was counted before. */
  take(key: string, requests = 1): Quota {
    const now = this.#clock.now();
    const window = this.#current(key, now);
    window.count += requests;
    this.#told.untold?.(key, requests);
    const isOver = window.count > this.#limit;
    if (isOver && requests > 0) this.#told.over?.();
    return {
      limit: this.#limit,
      remaining: Math.max(0, this.#limit - window.count),
      resetSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)),
      windowSeconds: this.#windowMs / 1000,
      isOver,
    };
  }

  /** Counts what another process let pass. */
  add(key: string, requests: number): void {
    this.#current(key, this.#clock.now()).count += requests;
  }

  #current(key: string, now: number): Window {
    const known = this.#windows.get(key);
    if (known !== undefined && !this.#isOver(known.endsAt, now)) return known;
    this.#sweep(now);
    // Whose window begins anew stands last, so that the first is the oldest.
    this.#windows.delete(key);
    if (this.#windows.size >= this.#max) this.#forgetOldest();
    const window = { endsAt: now + this.#windowMs, count: 0 };
    this.#windows.set(key, window);
    return window;
  }

  #forgetOldest(): void {
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined) this.#windows.delete(oldest);
  }

  /** Forgets windows that are over, once in the length of one. */
  #sweep(now: number): void {
    if (!this.#isOver(this.#sweepAt, now)) return;
    this.#sweepAt = now + this.#windowMs;
    for (const [key, { endsAt }] of this.#windows) if (this.#isOver(endsAt, now)) this.#windows.delete(key);
  }

  /** Also when its end is further away than it is long: then the clock was set back. */
  #isOver(endsAt: number, now: number): boolean {
    return endsAt <= now || endsAt - now > this.#windowMs;
  }
}
