import type { Clock } from '../../tools/core/ports.ts';

/** However short a wait a seller asks for, and however often: it does not set our pace. */
const WAIT_MIN_MS = 1_000;
const ATTEMPTS_MAX = 3;

interface Situation {
  /** How often it was asked already. */
  readonly attempt: number;
  /** Milliseconds of the clock, as `endsAt`, the moment until which an answer is of use. */
  readonly now: number;
  readonly endsAt: number;
}

/**
 * Milliseconds to wait until a seller that answered 429 is asked again (RFC 9110, Retry-After: seconds or a date).
 * Undefined when it does not say, says too long, or has said so too often.
 */
export function busyWait(
  retryAfter: string | undefined,
  { attempt, now, endsAt }: Situation,
): number | undefined {
  if (retryAfter === undefined || attempt >= ATTEMPTS_MAX) return undefined;
  const said = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1_000 : Date.parse(retryAfter) - now;
  if (Number.isNaN(said)) return undefined;
  const wait = Math.max(WAIT_MIN_MS, said);
  return now + wait < endsAt ? wait : undefined;
}

/** Resolves when the time has passed: false when the signal came first. */
export function passed(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = clock.after(milliseconds, () => resolve(true));
    const stop = () => {
      cancel();
      resolve(false);
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}
