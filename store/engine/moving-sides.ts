import { sql } from 'kysely';
import type { Db, Store } from './db.ts';

export type Row = Readonly<Record<string, string | number | null>>;

/** A table whose rows are numbered by the database, and the last number that it gave. */
interface LastId {
  readonly table: string;
  readonly last: number;
}

/** What each of the two databases is asked in its own way, when all of it is read or written. */
interface Side {
  /** Ours, without the migrator's and without indexes that are kept as tables. */
  tables(db: Db): Promise<string[]>;
  /** Which table has columns that name rows of which. */
  references(db: Db): Promise<readonly { readonly table: string; readonly refers: string }[]>;
  /** All rows of a table, some hundred at a time. */
  pages(db: Db, table: string): AsyncGenerator<Row[]>;
  lastIds(db: Db): Promise<readonly LastId[]>;
  /** Numbers rows from there on: a number that was given is never given again. */
  goOnAt(db: Db, last: readonly LastId[]): Promise<void>;
}

const PAGE = 500;

export function sideOf({ engine }: Pick<Store, 'engine'>): Side {
  return engine.name === 'sqlite' ? sqlite : postgres;
}

const ROWID = 'moved_rowid';

const sqlite: Side = {
  tables: async (db) => {
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_master where type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name not like 'kysely\\_%' escape '\\' and name not like '%\\_names%' escape '\\' order by name`.execute(
      db,
    );
    return rows.map(({ name }) => name);
  },
  references: async (db) => {
    const { rows } = await sql<{ table: string; refers: string }>`
      select m.name as "table", f."table" as refers from sqlite_master m join pragma_foreign_key_list(m.name) f
      where m.type = 'table'`.execute(db);
    return rows;
  },
  async *pages(db, table) {
    for (let after = 0, isMore = true; isMore; ) {
      const { rows } = await sql<Record<string, string | number | null>>`
        select rowid as ${sql.ref(ROWID)}, * from ${sql.table(table)} where rowid > ${after}
        order by rowid limit ${PAGE}`.execute(db);
      isMore = rows.length === PAGE;
      after = Number(rows.at(-1)?.[ROWID] ?? 0);
      if (rows.length > 0) yield rows.map(({ [ROWID]: _rowid, ...row }) => row);
    }
  },
  lastIds: async (db) => {
    const { rows } = await sql<LastId>`select name as "table", seq as last from sqlite_sequence`.execute(db);
    return rows;
  },
  goOnAt: async (db, last) => {
    for (const { table, last: id } of last) {
      await sql`delete from sqlite_sequence where name = ${table}`.execute(db);
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(db);
    }
  },
};

const CURSOR = 'moved_rows';

interface Numbered {
  readonly table: string;
  readonly column: string;
}

const postgres: Side = {
  tables: async (db) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_catalog.pg_tables where schemaname = current_schema()
        and tablename not like 'kysely\\_%' order by tablename`.execute(db);
    return rows.map(({ name }) => name);
  },
  references: async (db) => {
    const { rows } = await sql<{ table: string; refers: string }>`
      select a.relname as "table", b.relname as refers from pg_catalog.pg_constraint c
      join pg_catalog.pg_class a on a.oid = c.conrelid join pg_catalog.pg_class b on b.oid = c.confrelid
      where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`.execute(db);
    return rows;
  },
  async *pages(db, table) {
    await sql`declare ${sql.ref(CURSOR)} cursor for select * from ${sql.table(table)}`.execute(db);
    for (let isMore = true; isMore; ) {
      const { rows } = await sql<Row>`fetch ${sql.lit(PAGE)} from ${sql.ref(CURSOR)}`.execute(db);
      isMore = rows.length === PAGE;
      if (rows.length > 0) yield rows;
    }
    await sql`close ${sql.ref(CURSOR)}`.execute(db);
  },
  lastIds: async (db) => {
    const last: LastId[] = [];
    for (const numbered of await numberedIn(db)) {
      const { rows } = await sql<{ last: number | null }>`
        select pg_sequence_last_value(${sequenceOf(numbered)}) as last`.execute(db);
      last.push({ table: numbered.table, last: rows[0]?.last ?? 0 });
    }
    return last;
  },
  goOnAt: async (db, last) => {
    const ids = new Map(last.map(({ table, last: id }) => [table, id]));
    for (const numbered of await numberedIn(db)) {
      const id = ids.get(numbered.table) ?? 0;
      await sql`select setval(${sequenceOf(numbered)}, ${sql.lit(Math.max(1, id))}, ${sql.lit(id > 0)})`.execute(
        db,
      );
    }
  },
};

async function numberedIn(db: Db): Promise<Numbered[]> {
  const { rows } = await sql<Numbered>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = current_schema() and is_identity = 'YES'`.execute(db);
  return rows;
}

function sequenceOf({ table, column }: Numbered) {
  return sql`pg_get_serial_sequence(quote_ident(current_schema()) || '.' || quote_ident(${sql.lit(table)}), ${sql.lit(column)})::regclass`;
}
