import type { Clock } from '../../core/ports.ts';
import { turn } from '../../core/turn.ts';

/**
 * A seller has a lane to itself for so long. Who sells answers later than this, as a rule, and loses nothing by
 * it: it is only that the next one need not wait.
 */
export const LANE_MS = 10;
/** Sellers of one session that were asked and have no lane any more, for each lane. */
const SILENT_PER_LANE = 8;
/** The same of all sessions of this process: each holds a connection. */
const SILENT_MAX = 1_024;

/** Places for sellers that are silent, shared by the sessions of a process. */
export class SilentPlaces {
  readonly #max: number;
  #taken = 0;

  constructor(max = SILENT_MAX) {
    this.#max = max;
  }

  take(): boolean {
    if (this.#taken >= this.#max) return false;
    this.#taken += 1;
    return true;
  }

  give(): void {
    this.#taken -= 1;
  }
}

/** Whoever is to be asked, in an order that may depend on what became of those before. */
interface Queue<T> {
  next(): T | undefined;
}

interface Terms {
  readonly clock: Clock;
  /** How many are begun at a time. */
  readonly lanes: number;
  readonly places: SilentPlaces;
}

type State = 'in its lane' | 'silent in its lane' | 'beside';

/**
 * Asks them all, so many at a time: that many are begun, and the next one only when a lane is free. One that is
 * still silent after a moment steps out of its lane when another waits for it: it is heard as long as before, and
 * holds up nobody meanwhile. Those beside the lanes are bounded as well; beyond that a lane is held until there is
 * an answer. Resolves when all have settled.
 */
export function askInLanes<T>(
  queue: Queue<T>,
  { clock, lanes, places }: Terms,
  ask: (one: T) => Promise<void>,
) {
  const silent = new Set<Asked>();
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
    /** Frees the lane of whoever is silent for longest. */
    const stepOut = () => {
      const [longest] = silent;
      if (longest === undefined || beside >= lanes * SILENT_PER_LANE || !places.take()) return false;
      silent.delete(longest);
      longest.state = 'beside';
      inLanes -= 1;
      beside += 1;
      return true;
    };
    const begin = (one: T) => {
      const asked: Asked = { state: 'in its lane' };
      inLanes += 1;
      const forget = clock.after(LANE_MS, () => {
        asked.state = 'silent in its lane';
        silent.add(asked);
        void goOn();
      });
      ask(one)
        .finally(() => {
          forget();
          silent.delete(asked);
          if (asked.state === 'beside') {
            beside -= 1;
            places.give();
          } else inLanes -= 1;
        })
        .then(goOn, reject);
    };
    void goOn();
  });
}

interface Asked {
  state: State;
}
