import type { Db } from '../engine/db.ts';

/** A process that serves this database. One not seen for a while is taken for dead, and its work taken over. */
export interface ProcessTable {
  id: string;
  started_at: string;
  seen_at: string;
  /** Ids of the secrets keys it opens with, the one it encrypts with first; null in a version that did not tell. */
  secret_keys: string | null;
}

declare module '../engine/database.ts' {
  interface Database {
    processes: ProcessTable;
  }
}

/** Says that a process lives. */
export async function beat(
  db: Db,
  process: { id: string; now: string; keyIds: readonly string[] },
): Promise<void> {
  const { id, now, keyIds } = process;
  const seen = { seen_at: now, secret_keys: keyIds.join(' ') };
  await db
    .insertInto('processes')
    .values({ id, started_at: now, ...seen })
    .onConflict((key) => key.column('id').doUpdateSet(seen))
    .execute();
}

/** Takes the processes off the list that were last seen before a time, or all; never the one excepted. */
export async function forgetProcesses(
  db: Db,
  { before, except }: { before: string | undefined; except: string },
): Promise<void> {
  await db
    .deleteFrom('processes')
    .$if(before !== undefined, (query) => query.where('seen_at', '<', before ?? ''))
    .where('id', '!=', except)
    .execute();
}

export async function forgetProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom('processes').where('id', '=', id).execute();
}

/** When a process last managed to write, or undefined before it ever did. */
export async function lastBeat(db: Db, id: string): Promise<string | undefined> {
  const row = await db.selectFrom('processes').select('seen_at').where('id', '=', id).executeTakeFirst();
  return row?.seen_at;
}

/** Whether a process opens with this secrets key that was seen since then, and is not the one excepted. */
export async function isKeyServed(
  db: Db,
  { keyId, ...others }: { keyId: string; since: string; except: string },
): Promise<boolean> {
  return (await listKeysServed(db, others)).includes(keyId);
}

/** The secrets keys that processes open with which were seen since then, without the one excepted. */
export async function listKeysServed(
  db: Db,
  { since, except }: { since: string; except: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('processes')
    .select('secret_keys')
    .where('id', '!=', except)
    .where('seen_at', '>=', since)
    .execute();
  return [...new Set(rows.flatMap(({ secret_keys }) => secret_keys?.split(' ') ?? []))];
}

/** The processes on the list, the one seen last first. */
export function listProcesses(db: Db): Promise<ProcessTable[]> {
  return db.selectFrom('processes').selectAll().orderBy('seen_at', 'desc').orderBy('id').execute();
}
