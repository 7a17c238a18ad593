import type { Log } from './context.ts';

/**
 * Lets work go on that nobody waits for. What it fails with is in the log, with what it was: a rejection that nobody
 * hears would end the process, and every other caller's call with it.
 */
export function unawaited(work: Promise<unknown>, log: Pick<Log, 'error'>, doing: string): void {
  work.catch((err: unknown) => log.error({ err }, `${doing} failed`));
}
