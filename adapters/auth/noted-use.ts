import type { Db } from '../../store/engine/db.ts';
import type { Services } from '../../tools/core/context.ts';

const NOTED_EVERY_MS = 60_000;

/**
 * Notes that a credential was used, at most once a minute. Nobody waits for the note: a database that takes no
 * writes can still be read.
 */
export function notedUse<Id extends string | number>(
  { store, ports }: Services,
  note: (db: Db, id: Id, now: string) => Promise<void>,
): (id: Id) => void {
  const noted = new Map<Id, number>();
  return (id) => {
    const now = ports.clock.now();
    if (now - (noted.get(id) ?? 0) <= NOTED_EVERY_MS) return;
    noted.set(id, now);
    ports.background.run('note of a credential', () => note(store.db, id, new Date(now).toISOString()));
  };
}
