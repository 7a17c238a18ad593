import type { Clock } from '../../../tools/core/ports.ts';

/** The day on which every test begins. */
export const START = Date.parse('2026-12-01T09:00:00.000Z');

/** A clock that begins on the first day of the tests, or when it is told, and runs. */
export function runningClock(start = START): Clock {
  const began = performance.now();
  return {
    now: () => start + Math.floor(performance.now() - began),
    after: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  };
}

/** A running clock with which nobody waits for a pause between two orders; deadlines are longer and stay. */
export function impatientClock(start?: number): Clock {
  const clock = runningClock(start);
  return {
    now: clock.now,
    after: (milliseconds, callback) => clock.after(milliseconds <= 2_000 ? 0 : milliseconds, callback),
  };
}

export interface ManualClock extends Clock {
  /** Lets time pass: every call that falls due is made, in order. */
  advance(milliseconds: number): void;
  /** How many calls are still due. */
  readonly pending: number;
}

/** A clock that stands still until a test moves it. */
export function manualClock(start = START): ManualClock {
  let now = start;
  const due = new Set<{ at: number; callback: () => void }>();
  const next = (until: number) =>
    [...due].filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
  return {
    now: () => now,
    after: (milliseconds, callback) => {
      const entry = { at: now + milliseconds, callback };
      due.add(entry);
      return () => due.delete(entry);
    },
    advance: (milliseconds) => {
      const until = now + milliseconds;
      for (let entry = next(until); entry !== undefined; entry = next(until)) {
        due.delete(entry);
        now = Math.max(now, entry.at);
        entry.callback();
      }
      now = until;
    },
    get pending() {
      return due.size;
    },
  };
}
