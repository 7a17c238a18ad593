import type { Log } from '../../tools/core/context.ts';

/**
 * What becomes of failures that nobody caught, in place of Node's own answer, which is to end the process there and
 * then (docs/decisions/0027-failures-that-nobody-caught.md).
 */
export function catchTheRest(log: Pick<Log, 'error'>, stop: () => void): void {
  // One piece of work failed and nobody waits for it: nothing else is the worse for it.
  process.on('unhandledRejection', (err) => log.error({ err }, 'a promise failed that nobody waited for'));
  // What was left half done, and whose it was, nobody can say.
  process.on('uncaughtException', (err) => {
    log.error({ err }, 'an exception that nobody caught: the service stops');
    stop();
  });
}
