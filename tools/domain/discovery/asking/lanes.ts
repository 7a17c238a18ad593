import { turn } from '../../../core/event-loop-turn.ts';
import type { Clock } from '../../../core/ports.ts';
import { Tally } from '../../../core/tally.ts';

/**
 * A seller has a lane to itself for so long. Who sells answers later than this, as a rule, and loses nothing by
 * it: it is only that the next one need not wait.
 */
export const LANE_MS = 10;
/** Sellers of one session that were asked and have no lane any more, for each lane. */
const SILENT_PER_LANE = 8;

/** Whom a place is for, as organizations. */
interface Parties {
  readonly asks: number;
  /** Whose seller is silent. */
  readonly sells: number;
}

/**
 * Places for sellers that are silent, shared by the sessions of a process. Nobody takes more than it leaves free:
 * one organization comes to half of them, two to a third each, and whoever comes next finds some. That holds for
 * those that ask, however many sessions they have, and for those that sell, however many ask them.
 */
export class SilentPlaces {
  readonly #max: number;
  readonly #askers = new Tally<number>();
  readonly #sellers = new Tally<number>();
  #taken = 0;

  /** `max`: of all sessions of this process, SELLERS_SILENT_AT_ONCE. */
  constructor(max: number) {
    this.#max = max;
  }

  /** Takes a place and gives the way to leave it; undefined where there is none. */
  take(parties: Parties): (() => void) | undefined {
    const free = this.#max - this.#taken;
    if (this.#askers.at(parties.asks) >= free || this.#sellers.at(parties.sells) >= free) return undefined;
    this.#count(parties, 1);
    return () => this.#count(parties, -1);
  }

  #count({ asks, sells }: Parties, more: number): void {
    this.#taken += more;
    this.#askers.add(asks, more);
    this.#sellers.add(sells, more);
  }
}

/** Whoever is to be asked, in an order that may depend on what became of those before. */
interface Queue<T> {
  next(): T | undefined;
}

interface Terms<T> {
  readonly clock: Clock;
  /** How many are begun at a time. */
  readonly lanes: number;
  /** Takes a place beside the lanes and gives the way to leave it; undefined where there is none for this one. */
  place(one: T): (() => void) | undefined;
}

/**
 * Asks them all, so many at a time: that many are begun, and the next one only when a lane is free. One that is
 * still silent after a moment steps out of its lane when another waits for it: it is heard as long as before, and
 * holds up nobody meanwhile. Those beside the lanes are bounded as well; beyond that a lane is held until there is
 * an answer. Resolves when all have settled.
 */
export function askInLanes<T>(
  queue: Queue<T>,
  { clock, lanes, place }: Terms<T>,
  ask: (one: T) => Promise<void>,
) {
  const silent = new Set<Asked<T>>();
  let inLanes = 0;
  let beside = 0;
  /** Taken from the queue, and without a lane yet. */
  let waiting = queue.next();

  return new Promise<void>((resolve, reject) => {
    let going = false;
    /** One at a turn of the event loop: who was asked first has its answer read before the last one is asked. */
    const goOn = async () => {
      if (going) return;
      going = true;
      while (beginNext()) await turn();
      going = false;
      if (waiting === undefined && inLanes + beside === 0) resolve();
    };
    const beginNext = () => {
      if (waiting === undefined || !(inLanes < lanes || stepOut())) return false;
      begin(waiting);
      waiting = queue.next();
      return true;
    };
    /** Frees the lane of whoever is silent for longest, of those that there is a place for. */
    const stepOut = () => {
      if (beside >= lanes * SILENT_PER_LANE) return false;
      for (const asked of silent) {
        asked.leave = place(asked.one);
        if (asked.leave === undefined) continue;
        silent.delete(asked);
        inLanes -= 1;
        beside += 1;
        return true;
      }
      return false;
    };
    const begin = (one: T) => {
      const asked: Asked<T> = { one, leave: undefined };
      inLanes += 1;
      const forget = clock.after(LANE_MS, () => {
        silent.add(asked);
        goOn().catch(reject);
      });
      ask(one)
        .finally(() => {
          forget();
          silent.delete(asked);
          if (asked.leave === undefined) inLanes -= 1;
          else {
            beside -= 1;
            asked.leave();
          }
        })
        .then(goOn, reject);
    };
    goOn().catch(reject);
  });
}

interface Asked<T> {
  readonly one: T;
  /** Leaves its place beside the lanes; undefined while it has a lane. */
  leave: (() => void) | undefined;
}
