import type SqliteDatabase from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import { Group } from './sqlite-group.ts';
import { Reader, Statements } from './sqlite-statements.ts';

/** The right to the writing connection, from acquire to release, or to the commit. */
class Turn implements DatabaseConnection {
  inTransaction = false;
  isOver = false;
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver) {
    this.#driver = driver;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#driver.execute(query, this.inTransaction);
  }

  // biome-ignore lint/correctness/useYield: the driver contract asks for a generator; nothing here streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not part of the portable subset.');
  }
}

export interface Files {
  readonly writer: SqliteDatabase.Database;
  /** Absent for a database in memory, which has one connection. */
  readonly reader: SqliteDatabase.Database | undefined;
}

/**
 * One connection that writes and one that reads. Kysely's own driver prepares every statement anew, opens
 * deferred transactions, and commits each for itself.
 */
export class SqliteDriver implements Driver {
  readonly #writer: Statements;
  readonly #reader: Reader | undefined;
  readonly #group: Group;
  #tail: Promise<void> | undefined;
  #release: (() => void) | undefined;

  constructor({ writer, reader }: Files) {
    this.#writer = new Statements(writer);
    this.#reader = reader === undefined ? undefined : new Reader(reader);
    this.#group = new Group(writer, () => this.#reader?.endSnapshot());
  }

  /** Answers without waiting for a turn, where nobody stands in the way. */
  executeNow<R>(query: CompiledQuery, inTransaction: boolean): QueryResult<R> | undefined {
    if (inTransaction) return this.#writer.execute(query);
    return this.#reader?.read<R>(query) ?? (this.#tail === undefined ? this.#write<R>(query) : undefined);
  }

  stateNow(): number | undefined {
    return this.#reader?.state();
  }

  execute<R>(query: CompiledQuery, inTransaction: boolean): QueryResult<R> {
    if (inTransaction) return this.#writer.execute(query);
    return this.#reader?.read<R>(query) ?? this.#write<R>(query);
  }

  /** A query by itself on the writing connection. */
  #write<R>(query: CompiledQuery): QueryResult<R> {
    // On its own, so that its success is not told before it is on the disk.
    this.#group.flush();
    try {
      return this.#writer.execute<R>(query);
    } finally {
      // Also when it fails: the reason may be what another process wrote, and the next read has to see that.
      this.#reader?.endSnapshot();
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<Turn> {
    while (this.#tail !== undefined) await this.#tail;
    this.#tail = new Promise((resolve) => {
      this.#release = resolve;
    });
    return new Turn(this);
  }

  async releaseConnection(turn: Turn): Promise<void> {
    if (turn.isOver) return;
    turn.isOver = true;
    this.#tail = undefined;
    this.#release?.();
  }

  async beginTransaction(turn: Turn): Promise<void> {
    this.#group.begin();
    turn.inTransaction = true;
  }

  /** The next transaction begins while this one waits for the disk. */
  async commitTransaction(turn: Turn): Promise<void> {
    const committed = this.#group.commit();
    turn.inTransaction = false;
    await this.releaseConnection(turn);
    await committed;
  }

  async rollbackTransaction(turn: Turn): Promise<void> {
    if (!turn.inTransaction) return;
    turn.inTransaction = false;
    this.#group.rollback();
  }

  async destroy(): Promise<void> {
    this.#group.close();
    this.#reader?.close();
    this.#writer.database.close();
  }
}
