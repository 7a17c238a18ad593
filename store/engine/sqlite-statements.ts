import type SqliteDatabase from 'better-sqlite3';
import type { CompiledQuery, QueryResult } from 'kysely';
import { LRUCache } from 'lru-cache';
import { type RowMaker, rowMaker, rowsOf } from './codec.ts';

const STATEMENTS_KEPT = 1_000;

/** A statement with what never changes about it. */
interface Kept {
  readonly statement: SqliteDatabase.Statement;
  /** Makes the rows it gives; undefined when it gives none. */
  readonly makeRow: RowMaker | undefined;
  /** True for a query that gives rows and changes none. */
  readonly isRead: boolean;
}

/** A connection whose statements are prepared once each: 8 µs a query against 13. */
export class Statements {
  readonly database: SqliteDatabase.Database;
  readonly #kept = new LRUCache<string, Kept>({ max: STATEMENTS_KEPT });

  constructor(database: SqliteDatabase.Database) {
    this.database = database;
  }

  prepare(text: string): Kept {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return kept;
    const made = prepare(this.database, text);
    this.#kept.set(text, made);
    return made;
  }

  execute<R>(query: CompiledQuery): QueryResult<R> {
    return run(this.prepare(query.sql), query.parameters);
  }
}

function prepare(database: SqliteDatabase.Database, text: string): Kept {
  const statement = database.prepare(text);
  if (!statement.reader) return { statement, makeRow: undefined, isRead: false };
  const makeRow = rowMaker(statement.columns().map(({ name }) => name));
  // Rows come as lists and are named here: the library would name every column of every row anew.
  return { statement: statement.raw(true), makeRow, isRead: statement.readonly };
}

function run<R>({ statement, makeRow }: Kept, parameters: readonly unknown[]): QueryResult<R> {
  if (makeRow !== undefined) return { rows: rowsOf<R>(statement.all(parameters), makeRow) };
  const { changes, lastInsertRowid } = statement.run(parameters);
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
}

/**
 * The connection for reads outside of transactions: it sees what is committed and nothing else. Reads of one
 * turn of the event loop share a snapshot, because taking and giving back the lock costs more than most of
 * them; whoever commits ends it, so that a write is seen from then on.
 */
export class Reader {
  readonly #statements: Statements;
  readonly #begin: SqliteDatabase.Statement;
  readonly #commit: SqliteDatabase.Statement;
  readonly #dataVersion: SqliteDatabase.Statement<[], number>;
  readonly #pages: SqliteDatabase.Statement<[], number>;
  readonly #pageBytes: number;
  #hasSnapshot = false;
  #state = 0;

  constructor(database: SqliteDatabase.Database) {
    this.#statements = new Statements(database);
    this.#begin = database.prepare('begin');
    this.#commit = database.prepare('commit');
    this.#pages = database.prepare<[], number>('pragma page_count').pluck();
    this.#pageBytes = Number(database.pragma('page_size', { simple: true }));
    this.#dataVersion = database.prepare<[], number>('pragma data_version').pluck();
  }

  /** The answer to a query that gives rows and changes none; undefined for any other. */
  read<R>({ sql, parameters }: CompiledQuery): QueryResult<R> | undefined {
    const kept = this.#statements.prepare(sql);
    if (!kept.isRead) return undefined;
    if (!this.#hasSnapshot) this.#takeSnapshot();
    return run(kept, parameters);
  }

  /** A number that is another one after every commit, of this process or any other. */
  state(): number {
    if (!this.#hasSnapshot) this.#takeSnapshot();
    return this.#state;
  }

  /** The size of the file. */
  bytes(): number {
    return (this.#pages.get() ?? 0) * this.#pageBytes;
  }

  #takeSnapshot(): void {
    this.#begin.run();
    this.#hasSnapshot = true;
    setImmediate(() => this.endSnapshot());
    try {
      this.#state = this.#dataVersion.get() ?? 0;
    } catch (error) {
      // Nothing may be answered in a state that nobody knows.
      this.endSnapshot();
      throw error;
    }
  }

  endSnapshot(): void {
    if (!this.#hasSnapshot) return;
    this.#hasSnapshot = false;
    this.#commit.run();
  }

  close(): void {
    this.endSnapshot();
    this.#statements.database.close();
  }
}
