import { type Kysely, sql } from 'kysely';
import type { Kit } from './kit.ts';
import { ACCESS_TOPIC, NEWS_CHANNEL, wakeText } from './news.ts';
import { hasIndexOfNames, indexNames, indexNamesNoMore, shareIndexesOfNames } from './postgres-names.ts';

export const postgresKit: Kit = {
  integer: 'bigint',
  identity: (column) => column.primaryKey().generatedByDefaultAsIdentity(),
  suffix: undefined,
  renameTable: async (db, { from, to }) => {
    await db.schema.alterTable(from).renameTo(to).execute();
    for (const { kind, name } of await named(db, to)) {
      const next = `${to}${name.slice(from.length)}`;
      if (name.startsWith(`${from}_`)) await RENAME[kind]({ table: to, name, next }).execute(db);
    }
  },
  announce: async (db, { table, columns }) => {
    await announcing.execute(db);
    const inColumns =
      columns === undefined ? sql`` : sql` of ${sql.join(columns.map((name) => sql.ref(name)))}`;
    await sql`create trigger announce_access after insert or delete or update${inColumns} on ${sql.table(table)}
      for each statement execute function announce_access()`.execute(db);
  },
  announceNoMore: async (db, table) => {
    await sql`drop trigger announce_access on ${sql.table(table)}`.execute(db);
  },
  indexNames,
  indexNamesNoMore,
  hasIndexOfNames,
  shareIndexesOfNames,
  indexAnew: async () => {},
};

const announcing = sql`create or replace function announce_access() returns trigger language plpgsql as ${sql.lit(
  `begin perform pg_notify('${NEWS_CHANNEL}', '${wakeText([ACCESS_TOPIC])}'); return null; end`,
)}`;

interface Renaming {
  readonly table: string;
  readonly name: string;
  readonly next: string;
}

const RENAME = {
  constraint: ({ table, name, next }: Renaming) =>
    sql`alter table ${sql.id(table)} rename constraint ${sql.id(name)} to ${sql.id(next)}`,
  index: ({ name, next }: Renaming) => sql`alter index ${sql.id(name)} rename to ${sql.id(next)}`,
  sequence: ({ name, next }: Renaming) => sql`alter sequence ${sql.id(name)} rename to ${sql.id(next)}`,
};

/** What stands beside a table under a name of its own. A constraint takes its index along. */
async function named(db: Kysely<unknown>, table: string) {
  const { rows } = await sql<{ kind: keyof typeof RENAME; name: string }>`
    select 'constraint' as kind, conname as name from pg_constraint where conrelid = to_regclass(${table})
    union all
    select 'index', relname from pg_index join pg_class on pg_class.oid = indexrelid
    where indrelid = to_regclass(${table})
      and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)
    union all
    select 'sequence', relname from pg_depend join pg_class on pg_class.oid = objid and relkind = 'S'
    where refobjid = to_regclass(${table})`.execute(db);
  return rows;
}
