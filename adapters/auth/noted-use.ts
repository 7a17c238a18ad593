import type { Db } from '../../store/engine/db.ts';
import { keep } from '../../tools/core/bounded-map.ts';
import type { Services } from '../../tools/core/context.ts';
import { MINUTE_MS, momentOf } from '../../tools/core/moments.ts';

const NOTED_EVERY_MS = MINUTE_MS;
const NOTED_MAX = 10_000;

export interface NotedUse<Id> {
  /** Whether it was noted within the last minute. */
  isNoted(id: Id, now: number): boolean;
  note(id: Id): void;
}

/**
 * Notes that a credential was used, at most once a minute. Nobody waits for the note: a database that takes no
 * writes can still be read.
 */
export function notedUse<Id extends string | number>(
  { store, ports }: Services,
  note: (db: Db, id: Id, now: string) => Promise<void>,
): NotedUse<Id> {
  const noted = new Map<Id, number>();
  const isNoted = (id: Id, now: number) => now - (noted.get(id) ?? 0) <= NOTED_EVERY_MS;
  return {
    isNoted,
    note: (id) => {
      const now = ports.clock.now();
      if (isNoted(id, now)) return;
      keep(noted, { key: id, value: now, max: NOTED_MAX });
      ports.background.run('note of a credential', () => note(store.db, id, momentOf(now)));
    },
  };
}
