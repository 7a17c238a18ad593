import SqliteDatabase from 'better-sqlite3';
import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely';
import type { Kit } from './kit.ts';
import type { InPlace } from './prepared.ts';
import type { LongRead, ReadBounds, TakesTurns } from './read-turns.ts';
import { Aside } from './sqlite-aside.ts';
import { SqliteCompiler } from './sqlite-compiler.ts';
import { type Files, SqliteDriver, type SqliteOptions } from './sqlite-driver.ts';
import { keepPrivate, logAlone } from './sqlite-files.ts';
import { hasIndexOfNames, indexNames, indexNamesNoMore } from './sqlite-names.ts';

/** While a file is opened there is nobody to keep waiting; afterwards the driver waits without blocking. */
const OPENING = 'busy_timeout = 5000';
const OPENED = 'busy_timeout = 0';

const READING = ['trusted_schema = OFF', 'cell_size_check = ON', 'temp_store = MEMORY'];

/** Durable before acknowledged: WAL with a sync at every commit. */
const WRITING = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'journal_size_limit = 67108864',
  'wal_autocheckpoint = 1000',
  // In KiB: a write finds the pages of its indexes in memory, with hundreds of thousands of rows too.
  'cache_size = -32000',
  ...READING,
];

export const sqliteKit: Kit = {
  integer: 'integer',
  identity: (column) => column.primaryKey().autoIncrement(),
  suffix: 'strict',
  renameTable: (db, { from, to }) => db.schema.alterTable(from).renameTo(to).execute(),
  announce: async () => {},
  announceNoMore: async () => {},
  indexNames,
  indexNamesNoMore,
  hasIndexOfNames,
  shareIndexesOfNames: async () => {},
  indexAnew: async (db, { name, table, columns }) => {
    await db.schema.dropIndex(name).execute();
    await db.schema.createIndex(name).on(table).columns(columns).execute();
  },
};

/** SQLite takes table changes back with the transaction that made them; Kysely's adapter says otherwise. */
class Adapter extends SqliteAdapter implements InPlace, TakesTurns {
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    super();
    this.#driver = driver;
  }

  executeNow<R>(query: CompiledQuery, inTransaction: boolean): QueryResult<R> | undefined {
    return this.#driver.executeNow(query, inTransaction);
  }

  stateNow(): number | undefined {
    return this.#driver.stateNow();
  }

  readsAside(inTransaction: boolean): boolean {
    return this.#driver.readsAside(inTransaction);
  }

  readLong<R>(read: LongRead<R>): Promise<QueryResult<R>> {
    return this.#driver.readLong(read);
  }

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export function sqliteDialect(path: string, options: SqliteOptions): Dialect {
  const driver = new SqliteDriver(openFiles(path, options.longReads), options);
  return {
    createAdapter: () => new Adapter(driver),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteCompiler(),
  };
}

function openFiles(path: string, bounds: ReadBounds): Files {
  if (path === ':memory:') return { writer: openFile(path), reader: undefined, aside: undefined };
  const alone = logAlone(path);
  if (alone !== undefined) throw new Error(`${alone.said} ${alone.remedy}`);
  keepPrivate(path);
  // The writer first: it turns on the log that the reader reads.
  const writer = openFile(path);
  const aside = new Aside(path, { pragmas: READING, ...bounds });
  return { writer, reader: openFile(path, { readonly: true }), aside };
}

function openFile(path: string, options: SqliteDatabase.Options = {}): SqliteDatabase.Database {
  const database = new SqliteDatabase(path, options);
  database.pragma(OPENING);
  for (const pragma of options.readonly === true ? READING : WRITING) database.pragma(pragma);
  database.pragma(OPENED);
  return database;
}

/**
 * Makes this process the only server of a database file. The lock is SQLite's own on a file beside it, so
 * the operating system gives it back whichever way the process ends.
 */
export function lockFile(path: string): { release(): void } {
  if (path === ':memory:') return { release: () => {} };
  const file = `${path}.lock`;
  keepPrivate(file);
  const lock = new SqliteDatabase(file, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    throw new Error(`Another process serves the database ${path}. Stop it first.`, { cause });
  }
  return { release: () => lock.close() };
}
