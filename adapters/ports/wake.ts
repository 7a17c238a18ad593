import { EventEmitter } from 'node:events';
import type { Clock, Listener, Wake } from '../../tools/core/ports.ts';

/** Wakes the listeners of this process; those of another find the rows when their wait runs out. */
export function createWake(clock: Clock): Wake {
  const topics = new EventEmitter().setMaxListeners(0);
  return {
    signal: (topic) => {
      topics.emit(topic);
    },
    listen: (topic) => listen(topics, clock, topic),
  };
}

function listen(topics: EventEmitter, clock: Clock, topic: string): Listener {
  let signalled = false;
  let wakeUp = () => {};
  const heard = () => {
    signalled = true;
    wakeUp();
  };
  topics.on(topic, heard);
  return {
    next: async (milliseconds, stop) => {
      if (!signalled && !stop.aborted) {
        await new Promise<void>((resolve) => {
          const end = () => {
            cancel();
            stop.removeEventListener('abort', end);
            resolve();
          };
          const cancel = clock.after(milliseconds, end);
          stop.addEventListener('abort', end, { once: true });
          wakeUp = end;
        });
      }
      signalled = false;
      wakeUp = () => {};
    },
    close: () => {
      topics.off(topic, heard);
    },
  };
}
