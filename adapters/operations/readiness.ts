import type { Store } from '../../store/engine/db.ts';
import { lastBeat } from '../../store/unscoped/processes.ts';
import type { Log } from '../../tools/core/context.ts';
import type { Clock } from '../../tools/core/ports.ts';
import type { Keyring } from '../auth/tokens.ts';

/** A database that takes longer than this does not answer, as far as callers are concerned. */
const DATABASE_WAIT_MS = 2_000;

/** A service as those see it who look after it. */
export interface Watched {
  readonly store: Pick<Store, 'db'>;
  readonly clock: Clock;
  readonly processId: string;
  readonly processLeaseMs: number;
  readonly stopping: AbortSignal;
  readonly keyring: Pick<Keyring, 'whyUnsigned'>;
  readonly log: Pick<Log, 'error'>;
}

/** Why the service should get no requests; undefined when it should. Before it is there, it is starting. */
export async function unreadiness(watched: Watched | undefined): Promise<string | undefined> {
  if (watched === undefined) return 'The service is starting.';
  if (watched.stopping.aborted) return 'The service is stopping.';
  const { store, processId, clock, processLeaseMs } = watched;
  const beat = await inTime(watched, lastBeat(store.db, processId));
  if (beat === NO_ANSWER) return NO_ANSWER;
  // A process writes several times within its lease.
  const isRecent = beat !== undefined && clock.now() - Date.parse(beat) <= processLeaseMs;
  if (!isRecent) return 'The database does not take writes.';
  return inTime(watched, watched.keyring.whyUnsigned());
}

export const NO_ANSWER = 'The database does not answer.';

/** What the database answers; that it does not, where it takes too long or fails. With what, the log says. */
export async function inTime<T>(
  { clock, log }: Pick<Watched, 'clock' | 'log'>,
  asked: Promise<T>,
): Promise<T | typeof NO_ANSWER> {
  try {
    return await new Promise<T>((resolve, reject) => {
      const cancel = clock.after(DATABASE_WAIT_MS, () => reject(new Error(NO_ANSWER)));
      asked.then(resolve, reject).finally(cancel);
    });
  } catch (err) {
    log.error({ err }, 'asking the database how the service is failed');
    return NO_ANSWER;
  }
}
