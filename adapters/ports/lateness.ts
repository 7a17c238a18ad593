const NANOSECONDS_A_MS = 1e6;

/**
 * How late the event loop was, in milliseconds, by what Node’s monitor of it measured: the time from one of its ticks
 * to the next, of which it waits for its resolution in any case. Without a tick it measured nothing.
 */
export function latenessOf(nanoseconds: number, resolutionMs: number): number {
  return Number.isNaN(nanoseconds) ? 0 : Math.max(0, nanoseconds / NANOSECONDS_A_MS - resolutionMs);
}
