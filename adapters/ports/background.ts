import { setMaxListeners } from 'node:events';
import type { Log } from '../../tools/core/context.ts';
import type { Background } from '../../tools/core/ports.ts';

export interface BackgroundWork extends Background {
  /** Tells all work to come to an end and resolves when it has. */
  stop(): Promise<void>;
}

export function createBackground(log: Log): BackgroundWork {
  const running = new Set<Promise<void>>();
  const abort = new AbortController();
  // All work listens, as much of it as there is.
  setMaxListeners(0, abort.signal);
  return {
    run: (name, work) => {
      const task = work(abort.signal)
        .catch((err: unknown) => log.error({ err, work: name }, 'background work failed'))
        .finally(() => running.delete(task));
      running.add(task);
    },
    stop: async () => {
      abort.abort();
      while (running.size > 0) await Promise.all(running);
    },
  };
}
