import type { ServerResponse } from 'node:http';
import type { Log } from '../../tools/core/context.ts';
import { unawaited } from '../../tools/core/unawaited.ts';

/**
 * Lets an answer be made. Where not even its refusal can be written its connection ends, because whoever waits for
 * it would wait for ever.
 */
export function answering(work: Promise<void>, res: ServerResponse, log: Pick<Log, 'error'>): void {
  const made = work.catch((thrown: unknown) => {
    res.destroy();
    throw thrown;
  });
  unawaited(made, log, 'answering');
}
