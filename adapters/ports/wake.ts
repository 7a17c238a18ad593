import { EventEmitter } from 'node:events';
import type { Clock, Listener, Wake } from '../../tools/core/ports.ts';
import type { Link } from './link.ts';

/** While other processes cannot be heard, whoever waits looks this often for what they wrote. */
const UNHEARD_MS = 1_000;

/** Wakes the listeners of this process, and over the link those of the others. */
export function createWake(clock: Clock, link?: Link): Wake {
  const topics = new EventEmitter().setMaxListeners(0);
  const unsent = new Set<string>();
  const send = () => {
    link?.tell('wake', [...unsent]);
    unsent.clear();
  };
  link?.hear('wake', (woken) => {
    for (const topic of woken) topics.emit(topic);
  });
  link?.onTurn(() => {
    for (const topic of topics.eventNames()) topics.emit(topic);
  });
  return {
    signal: (topic) => {
      topics.emit(topic);
      if (link === undefined) return;
      if (unsent.size === 0) setImmediate(send);
      unsent.add(topic);
    },
    listen: (topic) => listen({ topics, clock, link }, topic),
  };
}

interface Parts {
  readonly topics: EventEmitter;
  readonly clock: Clock;
  readonly link: Link | undefined;
}

function listen({ topics, clock, link }: Parts, topic: string): Listener {
  let signalled = false;
  let wakeUp = () => {};
  const heard = () => {
    signalled = true;
    wakeUp();
  };
  topics.on(topic, heard);
  return {
    next: async (milliseconds, stop) => {
      const deaf = link?.isUp === false;
      if (!signalled && !stop.aborted) {
        await new Promise<void>((resolve) => {
          const end = () => {
            cancel();
            stop.removeEventListener('abort', end);
            resolve();
          };
          const cancel = clock.after(deaf ? Math.min(milliseconds, UNHEARD_MS) : milliseconds, end);
          stop.addEventListener('abort', end, { once: true });
          wakeUp = end;
        });
      }
      const maybe = signalled || deaf;
      signalled = false;
      wakeUp = () => {};
      return maybe;
    },
    take: () => {
      const was = signalled;
      signalled = false;
      return was;
    },
    close: () => {
      topics.off(topic, heard);
    },
  };
}
