import { sql } from 'kysely';
import type { Store } from '../../../store/engine/db.ts';
import { tablesOf } from './tables.ts';

/** Tables that fill by themselves, whatever is asked. */
const RESTLESS = ['processes', 'web_sessions'];

/** How many rows each table has. */
export async function countRows(store: Store): Promise<Readonly<Record<string, number>>> {
  const db = store.db.withoutPlugins();
  const counts: Record<string, number> = {};
  for (const { name } of await tablesOf({ ...store, db })) {
    if (RESTLESS.includes(name)) continue;
    const { rows } = await sql<{
      total: number | string;
    }>`select count(*) as total from ${sql.table(name)}`.execute(db);
    counts[name] = Number(rows[0]?.total ?? 0);
  }
  return counts;
}

/** The tables that grew or shrank, and by how much. */
export function grown(
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): Record<string, number> {
  const pairs = Object.keys(after).map((name): [string, number] => [
    name,
    (after[name] ?? 0) - (before[name] ?? 0),
  ]);
  return Object.fromEntries(pairs.filter(([, by]) => by !== 0));
}
