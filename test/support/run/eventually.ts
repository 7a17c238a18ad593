import { vi } from 'vitest';

/** So long that a machine of a tenth of the usual speed comes to it: what never holds fails all the same. */
const PATIENCE = { timeout: 20_000, interval: 20 };

/** Tries again and again until what has to come has come, and gives what was seen. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, PATIENCE);
}
