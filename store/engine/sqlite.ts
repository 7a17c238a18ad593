import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import {
  type CompiledQuery,
  type Dialect,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Kit } from './kit.ts';
import type { InPlace } from './prepared.ts';
import { type Files, SqliteDriver } from './sqlite-driver.ts';

const READING = [
  'busy_timeout = 5000',
  'trusted_schema = OFF',
  'cell_size_check = ON',
  'temp_store = MEMORY',
];

/** Durable before acknowledged: WAL with a sync at every commit. */
const WRITING = [
  'journal_mode = WAL',
  'synchronous = FULL',
  'foreign_keys = ON',
  'journal_size_limit = 67108864',
  'wal_autocheckpoint = 1000',
  ...READING,
];

export const sqliteKit: Kit = {
  integer: 'integer',
  identity: (column) => column.primaryKey().autoIncrement(),
  suffix: 'strict',
  renameTable: (db, { from, to }) => db.schema.alterTable(from).renameTo(to).execute(),
  announce: async () => {},
  announceNoMore: async () => {},
};

/** SQLite takes table changes back with the transaction that made them; Kysely's adapter says otherwise. */
class Adapter extends SqliteAdapter implements InPlace {
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

  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

export function sqliteDialect(path: string): Dialect {
  const driver = new SqliteDriver(openFiles(path));
  return {
    createAdapter: () => new Adapter(driver),
    createDriver: () => driver,
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

function openFiles(path: string): Files {
  if (path === ':memory:') return { writer: openFile(path), reader: undefined };
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  // The writer first: it makes the file.
  const writer = openFile(path);
  return { writer, reader: openFile(path, { readonly: true }) };
}

function openFile(path: string, options: SqliteDatabase.Options = {}): SqliteDatabase.Database {
  const database = new SqliteDatabase(path, options);
  for (const pragma of options.readonly === true ? READING : WRITING) database.pragma(pragma);
  return database;
}

/**
 * Makes this process the only server of a database file. The lock is SQLite's own on a file beside it, so
 * the operating system gives it back whichever way the process ends.
 */
export function lockFile(path: string): { release(): void } {
  if (path === ':memory:') return { release: () => {} };
  if (!existsSync(dirname(path))) mkdirSync(dirname(path), { recursive: true });
  const lock = new SqliteDatabase(`${path}.lock`, { timeout: 0 });
  try {
    lock.exec('begin exclusive');
  } catch (cause) {
    lock.close();
    throw new Error(`Another process serves the database ${path}. Stop it first.`, { cause });
  }
  return { release: () => lock.close() };
}

const UNIQUE_VIOLATIONS: ReadonlySet<string> = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]);

export function isSqliteUniqueViolation(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && UNIQUE_VIOLATIONS.has(error.code);
}

export function isSqliteBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
