import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { AnyDefinition } from '../../tools/core/define.ts';
import { unavailable } from '../../tools/core/errors/refusals.ts';
import type { Tally } from '../../tools/core/ports.ts';
import { latenessOf } from '../ports/lateness.ts';
import type { Config } from '../settings/config.ts';

/** How often it is looked how far behind the event loop is. */
export const LOOK_EVERY_MS = 500;
const RETRY_SECONDS = 2;
/**
 * Of the room that there was when the service got behind, so much is left, and less with each look that finds it so.
 */
const LESS = 0.7;
const MORE = 1.2;
/** So many looks in a row at which nobody was refused and nothing late end it. */
const CALM_LOOKS = 6;

/** What is refused first, because it costs most and can wait: reads, changes and above all stops go on. */
type Work = 'discovery' | 'execute' | 'creation';

export function workOf({
  effect,
  asksOnly,
  buys,
}: Pick<AnyDefinition, 'effect' | 'asksOnly' | 'buys'>): Work | undefined {
  if (buys === true) return 'execute';
  if (effect !== 'create') return undefined;
  return asksOnly === true ? 'discovery' : 'creation';
}

/** Whose work it is: an organization, or the address of somebody without. */
type Whose = number | string;

/** Keeps work that costs much away while the process is behind with what it has. */
export interface Overload {
  /** Takes a place and gives the way to leave it; throws SERVICE_UNAVAILABLE where there is none. */
  enter(work: Work, whose: Whose): () => void;
  /** Looks how far behind the event loop is. */
  look(): void;
  readonly isShedding: boolean;
}

interface Parts {
  readonly tally: Tally;
  /** How many milliseconds late the event loop was since the last look, on average. */
  delay(): number;
}

type Settings = Pick<Config, 'overloadDelayMs' | 'overloadAfterMs' | 'overloadCallsMin'>;

/**
 * A process that stays behind takes no more of such work than what its room is, and shares it among those who ask. The
 * room shrinks while it is behind and grows while it is not, so that as much is done as can be; there is no bound
 * again once nobody had to be refused for a while.
 */
export function createOverload(settings: Settings, { tally, delay }: Parts): Overload {
  const places = new Places(tally, settings.overloadCallsMin);
  const looks = new Looks(settings, places);
  return {
    enter: (work, whose) => places.enter(work, whose),
    look: () => {
      if (settings.overloadDelayMs > 0) looks.settle(delay());
      places.forgetAsked();
    },
    get isShedding() {
      return places.isBounded;
    },
  };
}

/** What is made of one look after the other. */
class Looks {
  readonly #mostMs: number;
  /** So many late ones in a row bound what may be under way. */
  readonly #bound: number;
  readonly #places: Places;
  #late = 0;
  #calm = 0;

  constructor({ overloadDelayMs, overloadAfterMs }: Settings, places: Places) {
    this.#mostMs = overloadDelayMs;
    this.#bound = Math.max(1, Math.ceil(overloadAfterMs / LOOK_EVERY_MS));
    this.#places = places;
  }

  settle(behindMs: number): void {
    if (behindMs > this.#mostMs) this.#noteLate();
    else this.#noteInTime(behindMs);
  }

  #noteLate(): void {
    this.#calm = 0;
    this.#late += 1;
    if (this.#late >= this.#bound) this.#places.shrink();
  }

  #noteInTime(behindMs: number): void {
    this.#late = 0;
    // Between half of it and all of it there is just as much under way as can be done.
    const isCalm = behindMs < this.#mostMs / 2;
    if (isCalm) this.#places.grow();
    this.#calm = isCalm && !this.#places.refusedSome ? this.#calm + 1 : 0;
    if (this.#calm >= CALM_LOOKS) this.#places.open();
  }
}

/** What is under way, and of whom. */
class Places {
  readonly #tally: Tally;
  readonly #least: number;
  readonly #taken = new Map<Whose, number>();
  /** Who asked since the last look, and since the one before: who is refused has its share kept. */
  #asked = new Set<Whose>();
  #askedBefore = new Set<Whose>();
  #all = 0;
  #room = Number.POSITIVE_INFINITY;
  refusedSome = false;

  constructor(tally: Tally, least: number) {
    this.#tally = tally;
    this.#least = least;
  }

  get isBounded(): boolean {
    return this.#room !== Number.POSITIVE_INFINITY;
  }

  enter(work: Work, whose: Whose): () => void {
    if (this.isBounded && !this.#hasRoomFor(whose)) {
      this.refusedSome = true;
      this.#tally.shed(work);
      throw unavailable('The service has more to do than it can.', {
        retryAfter: RETRY_SECONDS,
        suggestion: 'Nothing was done. Send the same call again after the time in Retry-After.',
      });
    }
    this.#all += 1;
    this.#taken.set(whose, (this.#taken.get(whose) ?? 0) + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#leave(whose);
    };
  }

  #leave(whose: Whose): void {
    this.#all -= 1;
    const rest = (this.#taken.get(whose) ?? 0) - 1;
    if (rest > 0) this.#taken.set(whose, rest);
    else this.#taken.delete(whose);
  }

  /** Everybody has a share; who has nothing under way gets in beside one who came first and has all the room. */
  #hasRoomFor(whose: Whose): boolean {
    this.#asked.add(whose);
    const mine = this.#taken.get(whose) ?? 0;
    const among = new Set([...this.#taken.keys(), ...this.#asked, ...this.#askedBefore]).size;
    if (mine >= Math.max(1, Math.floor(this.#room / among))) return false;
    return this.#all < (mine === 0 ? 2 * this.#room : this.#room);
  }

  shrink(): void {
    const from = this.isBounded ? this.#room : this.#all;
    this.#room = Math.max(this.#least, Math.floor(from * LESS));
  }

  grow(): void {
    if (this.isBounded) this.#room = Math.ceil(this.#room * MORE);
  }

  open(): void {
    this.#room = Number.POSITIVE_INFINITY;
  }

  forgetAsked(): void {
    this.#askedBefore = this.#asked;
    this.#asked = new Set();
    this.refusedSome = false;
  }
}

const RESOLUTION_MS = 20;

/** Asks the system, which measures beside the event loop and costs it nothing. */
export function loopDelay(): () => number {
  const monitor = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  monitor.enable();
  return () => {
    const { mean } = monitor;
    monitor.reset();
    return latenessOf(mean, RESOLUTION_MS);
  };
}
