import { type SkippingClock, skippingClock } from './skipping-clock.ts';

/** The pause after a seller has put something off for the first time. */
const PAUSE_MS = 500;

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
      if (milliseconds !== PAUSE_MS) return clock.after(milliseconds, callback);
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
