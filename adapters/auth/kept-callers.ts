import { keep } from '../../tools/core/bounded-map.ts';
import type { Caller } from '../../tools/core/context.ts';

/** Credentials of one holder whose callers are kept. Few have more in use; a session alone is a new one each minute. */
const CALLERS_MAX = 100;

/**
 * Callers by what was found of their holder, and by their credential: the same caller as long as the same row is
 * found, and forgotten with it.
 */
export class KeptCallers<Found extends object> {
  readonly #known = new WeakMap<Found, Map<string, Caller>>();

  get(found: Found, credential: string): Caller | undefined {
    return this.#known.get(found)?.get(credential);
  }

  keep(found: Found, credential: string, caller: Caller): Caller {
    const callers = this.#known.get(found) ?? new Map<string, Caller>();
    this.#known.set(found, callers);
    keep(callers, { key: credential, value: caller, max: CALLERS_MAX });
    return caller;
  }

  /** How many are kept of a holder. */
  size(found: Found): number {
    return this.#known.get(found)?.size ?? 0;
  }
}
