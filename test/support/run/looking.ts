import { systemClock } from '../../../adapters/ports/clock.ts';

/** Looks that follow each other at once: most of what is waited for is there by then. */
const AT_ONCE = 20;
const PAUSE_MS = 20;

/**
 * What is seen, once it is as a test wants it. Who takes over from a process that died does so after a time: to look
 * at it without a pause would take the processors from it, and from other tests.
 */
export async function lookUntil<T>(look: () => Promise<T>, holds: (seen: T) => boolean): Promise<T> {
  for (let looks = 1; ; looks += 1) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (looks >= AT_ONCE) await new Promise<void>((resolve) => void systemClock.after(PAUSE_MS, resolve));
  }
}
