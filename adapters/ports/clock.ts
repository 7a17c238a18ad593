import type { Clock } from '../../tools/core/ports.ts';

/** The machine's own clock. A pending call never keeps the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, milliseconds).unref();
    return () => clearTimeout(timer);
  },
};
