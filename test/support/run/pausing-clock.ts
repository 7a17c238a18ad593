import { type SkippingClock, skippingClock } from './skipping-clock.ts';

/** The pause after a seller has put something off for the first time, and what goes on after it. */
const PAUSE_MS = 500;
const GOES_ON = 'go';

export interface PausingClock extends SkippingClock {
  /** Resolves when an order or a change waits to be sent once more. */
  pauses(): Promise<void>;
}

/** A clock that tells when something waits to be sent once more; that goes on when a test has skipped it. */
export function pausingClock(): PausingClock {
  const clock = skippingClock();
  const waiting = new Set<() => void>();
  let told = () => {};
  return {
    ...clock,
    after: (milliseconds, callback) => {
      // Keys are looked after by waits of the same length.
      const isPause = milliseconds === PAUSE_MS && callback.name === GOES_ON;
      if (!isPause) return clock.after(milliseconds, callback);
      waiting.add(callback);
      told();
      return () => void waiting.delete(callback);
    },
    skip: (milliseconds) => {
      clock.skip(milliseconds);
      for (const go of [...waiting]) go();
    },
    pauses: () =>
      new Promise((resolve) => {
        told = resolve;
      }),
  };
}
