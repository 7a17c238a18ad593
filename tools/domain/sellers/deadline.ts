import type { Services } from '../../core/context.ts';
import { follows } from '../../core/traces.ts';
import { SellerError } from './port.ts';

/** A signal that ends by itself. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** When its time is over, in milliseconds of the clock. */
  readonly endsAt: number;
  cancel(): void;
}

interface Terms {
  readonly milliseconds: number;
  readonly parent: AbortSignal | undefined;
  /** What is said when the time is over. */
  readonly late: string;
}

/**
 * A signal that aborts after a time, with its parent, or when a stop has no more time, whichever comes first. Whoever
 * waits for sellers learns from its reason, always a `SellerError`, what became of them.
 */
export function deadline(
  { ports, closing, trace }: Services,
  { milliseconds, parent, late }: Terms,
): Deadline {
  const own = new AbortController();
  follows(own.signal, trace);
  const stopped = () => own.abort(parent?.reason instanceof SellerError ? parent.reason : new StoppedError());
  const endsAt = ports.clock.now() + milliseconds;
  const expire = () => own.abort(new SellerError('timeout', late, { unresolved: true }));
  const cancelTimer = ports.clock.after(milliseconds, expire);
  const unfollow = [parent, closing].flatMap((signal) =>
    signal === undefined ? [] : follow(signal, stopped),
  );
  return {
    signal: own.signal,
    endsAt,
    cancel: () => {
      cancelTimer();
      for (const end of unfollow) end();
    },
  };
}

/** Who follows a signal, behind the one listener that it has. */
const followers = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Does something when a signal aborts. Each listener of a signal is compared with all others when it comes and when
 * it goes: a session with 3,000 sellers would spend millions of steps on that.
 */
function follow(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) {
    act();
    return () => {};
  }
  const all = followers.get(signal) ?? new Set();
  if (!followers.has(signal)) {
    followers.set(signal, all);
    signal.addEventListener('abort', () => all.forEach((one) => void one()), { once: true });
  }
  all.add(act);
  return () => void all.delete(act);
}

/**
 * The service stops, and whoever goes on with the work asks the seller again. Unresolved unless told otherwise: nobody
 * knows what the seller does with what it is being asked.
 */
export class StoppedError extends SellerError {
  constructor({ unresolved = true }: { readonly unresolved?: boolean } = {}) {
    super('error', 'The service was stopped while the seller was being asked.', { unresolved });
  }
}

/**
 * One call to a seller within the time that the settings give it: its answer, or the reason of the signal as
 * soon as that aborts. A seller that hangs holds nobody.
 */
export async function withinSellerTimeout<T>(
  services: Services,
  parent: AbortSignal | undefined,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { sellerTimeoutMs } = services.limits;
  const late = `The seller did not answer within ${Math.round(sellerTimeoutMs / 1000)} s.`;
  const own = deadline(services, { milliseconds: sellerTimeoutMs, parent, late });
  try {
    return await untilAborted(() => ask(own.signal), own.signal);
  } finally {
    own.cancel();
  }
}

/** Why nobody was asked: what a stop comes before reaches no seller. */
export function unasked(reason: unknown): unknown {
  return reason instanceof StoppedError ? new StoppedError({ unresolved: false }) : reason;
}

function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) return reject(unasked(signal.reason));
    signal.addEventListener('abort', abort, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abort));
  });
}
