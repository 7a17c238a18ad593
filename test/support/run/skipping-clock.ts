import type { Clock } from '../../../tools/core/ports.ts';
import { runningClock, START } from './clock.ts';

export interface SkippingClock extends Clock {
  /** Jumps ahead: every call that falls due on the way is made now, in order. */
  skip(milliseconds: number): void;
}

/** A clock that runs, and that a test can put forward: nobody has to wait for a deadline of half a minute. */
export function skippingClock(start?: number): SkippingClock {
  return skippingOver(runningClock(start));
}

/** The same for tests of what is spent by the hour: between two skips no time passes, however slow the machine is. */
export function standingClock(): SkippingClock {
  return skippingOver({ ...runningClock(), now: () => START });
}

function skippingOver(base: Clock): SkippingClock {
  const due = new Set<{ readonly at: number; readonly fire: () => void }>();
  let skipped = 0;
  const now = () => base.now() + skipped;
  return {
    now,
    after: (milliseconds, callback) => {
      const cancelTimer = base.after(milliseconds, () => entry.fire());
      const entry = {
        at: now() + milliseconds,
        fire: () => {
          cancelTimer();
          if (due.delete(entry)) callback();
        },
      };
      due.add(entry);
      return () => {
        cancelTimer();
        due.delete(entry);
      };
    },
    skip: (milliseconds) => {
      skipped += milliseconds;
      const fallen = [...due].filter(({ at }) => at <= now()).sort((one, other) => one.at - other.at);
      for (const { fire } of fallen) fire();
    },
  };
}
