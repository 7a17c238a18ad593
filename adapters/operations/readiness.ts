import type { Store } from '../../store/engine/db.ts';
import { lastBeat } from '../../store/unscoped/processes.ts';
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
}

/** Why the service should get no requests; undefined when it should. Before it is there, it is starting. */
export async function unreadiness(watched: Watched | undefined): Promise<string | undefined> {
  if (watched === undefined) return 'The service is starting.';
  if (watched.stopping.aborted) return 'The service is stopping.';
  const { store, clock, processId, processLeaseMs } = watched;
  const beat = await inTime(clock, lastBeat(store.db, processId)).catch(() => 'none' as const);
  if (beat === 'none') return 'The database does not answer.';
  // A process writes several times within its lease.
  const isRecent = beat !== undefined && clock.now() - Date.parse(beat) <= processLeaseMs;
  if (!isRecent) return 'The database does not take writes.';
  return inTime(clock, watched.keyring.whyUnsigned()).catch(() => 'The database does not answer.');
}

/** Rejects when the database takes too long. */
export function inTime<T>(clock: Clock, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(DATABASE_WAIT_MS, () => reject(new Error('The database does not answer.')));
    asked.then(resolve, reject).finally(cancel);
  });
}
