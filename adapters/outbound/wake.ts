import { EventEmitter } from 'node:events';
import type { Clock, Wake } from '../../tools/ports.ts';

/** Wakes the waiters of this process; those of another find the rows when their wait runs out. */
export function createWake(clock: Clock): Wake {
  const topics = new EventEmitter().setMaxListeners(0);
  return {
    signal: (topic) => {
      topics.emit(topic);
    },
    wait: (topic, milliseconds, stop) =>
      new Promise((resolve) => {
        if (stop.aborted) return resolve();
        const done = () => {
          topics.off(topic, done);
          stop.removeEventListener('abort', done);
          cancel();
          resolve();
        };
        const cancel = clock.after(milliseconds, done);
        topics.once(topic, done);
        stop.addEventListener('abort', done, { once: true });
      }),
  };
}
