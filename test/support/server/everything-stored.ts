import { sql } from 'kysely';
import { tablesOf } from '../database/tables.ts';
import type { TestServer } from './server.ts';

/** Every row of every table as text, and every line of the log: where a secret that was shown once must not be. */
export async function everythingKept({ store, log }: Pick<TestServer, 'store' | 'log'>): Promise<string> {
  const db = store.db.withoutPlugins();
  const kept: unknown[] = [];
  for (const { name } of await tablesOf(store)) {
    kept.push(name, (await sql`select * from ${sql.table(name)}`.execute(db)).rows);
  }
  return JSON.stringify([kept, log]);
}
