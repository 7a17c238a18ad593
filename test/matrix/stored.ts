import { sql } from 'kysely';
import type { Store } from '../../store/engine/db.ts';
import { tablesOf } from '../support/database/tables.ts';

/**
 * Tables that are not compared: the logs, of calls and of refused credentials, have tests of their own; the others fill
 * by themselves, whatever is asked.
 */
const RESTLESS: readonly string[] = ['audit_logs', 'processes', 'refused_sign_ins', 'webhook_deliveries'];

/** What recognising a credential notes, and what becomes of deliveries that are made meanwhile. */
const NOTED: readonly string[] = [
  'last_used_at',
  'seen_at',
  'proven_at',
  'failure_count',
  'last_success_at',
  'last_failure_at',
];

export type Stored = ReadonlyMap<string, string>;

/** The tables that are compared. */
export async function tablesCompared(store: Store): Promise<readonly string[]> {
  const tables = await tablesOf({ ...store, db: store.db.withoutPlugins() });
  return tables.map(({ name }) => name).filter((name) => !RESTLESS.includes(name));
}

/** Every row of these tables. */
export async function storedIn(store: Store, tables: readonly string[]): Promise<Stored> {
  const db = store.db.withoutPlugins();
  const stored = new Map<string, string>();
  for (const name of tables) {
    const { rows } = await sql<object>`select * from ${sql.table(name)}`.execute(db);
    const texts = rows.map((row) =>
      JSON.stringify(Object.entries(row).filter(([column]) => !NOTED.includes(column))),
    );
    stored.set(name, texts.sort().join('\n'));
  }
  return stored;
}

/** The tables in which something is not as it was. */
export function changedIn(before: Stored, after: Stored): string[] {
  return [...after.keys()].filter((name) => before.get(name) !== after.get(name));
}

/** What the log says of changes that were refused since an entry: the tool and the code of each. */
export async function refusalsSince(store: Store, last: number): Promise<string[]> {
  const { rows } = await sql<{ tool: string; error_code: string | null }>`
    select tool, error_code from audit_logs where id > ${last} order by id`.execute(
    store.db.withoutPlugins(),
  );
  return rows.map(({ tool, error_code: code }) => `${tool} ${code ?? 'done'}`);
}
