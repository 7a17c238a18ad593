import { setTimeout as pause } from 'node:timers/promises';
import type SqliteDatabase from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult } from 'kysely';
import type { DatabaseTally } from './database-tally.ts';
import type { LongRead, ReadBounds } from './read-turns.ts';
import type { Aside } from './sqlite-aside.ts';
import { isSqliteBusy } from './sqlite-errors.ts';
import { Group } from './sqlite-group.ts';
import { Reader, Statements } from './sqlite-statements.ts';

/** Between two looks at a lock that another process holds: a command that writes a row holds it for less. */
const LOOK_AGAIN_MS = 10;

/**
 * A piece of work. Once it writes it has the writing connection for itself, until it is released or committed: what
 * only reads has no need of it, and waits for nobody who writes.
 */
class Turn implements DatabaseConnection {
  isHeld = false;
  inTransaction = false;
  isOver = false;
  metLock = false;
  /** When somebody began to wait for it: what waits in a line behind a lock does not wait anew for the lock. */
  readonly askedAt: number;
  readonly #driver: SqliteDriver;

  constructor(driver: SqliteDriver, askedAt: number) {
    this.#driver = driver;
    this.askedAt = askedAt;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#driver.execute(query, this);
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
  /** Absent together with it. */
  readonly aside: Aside | undefined;
}

export interface SqliteOptions {
  /** Milliseconds that a write waits for a lock that another process holds. */
  readonly waitMs: number;
  /** Size of the file, in bytes, from which lists are read beside the event loop. */
  readonly asideBytes: number;
  /** How many of these reads may wait. */
  readonly longReads: ReadBounds;
  /** Told of each piece of work that meets a lock, once. */
  readonly tally: DatabaseTally;
}

/**
 * One connection that writes and one that reads. Kysely's own driver prepares every statement anew, opens
 * deferred transactions, and commits each for itself.
 */
export class SqliteDriver implements Driver {
  readonly #writer: Statements;
  readonly #reader: Reader | undefined;
  readonly #group: Group;
  readonly #aside: Aside | undefined;
  readonly #options: SqliteOptions;
  #tail: Promise<void> | undefined;
  #release: (() => void) | undefined;

  constructor({ writer, reader, aside }: Files, options: SqliteOptions) {
    this.#options = options;
    this.#aside = aside;
    this.#writer = new Statements(writer);
    this.#reader = reader === undefined ? undefined : new Reader(reader);
    this.#group = new Group(writer, () => this.#reader?.endSnapshot());
  }

  /** Answers without waiting for a turn, where nobody stands in the way. */
  executeNow<R>(query: CompiledQuery, inTransaction: boolean): QueryResult<R> | undefined {
    if (inTransaction) return this.#writer.execute(query);
    return this.#reader?.read<R>(query) ?? (this.#tail === undefined ? this.#writeNow<R>(query) : undefined);
  }

  /** A write that meets no lock; undefined when it does, so that it waits in its turn. */
  #writeNow<R>(query: CompiledQuery): QueryResult<R> | undefined {
    try {
      return this.#write<R>(query);
    } catch (error) {
      if (isSqliteBusy(error)) return undefined;
      throw error;
    }
  }

  /** Beside the event loop, where so much is stored that a query could hold it up. */
  readLong<R>({ query, asker, inTransaction, here }: LongRead<R>): Promise<QueryResult<R>> {
    const aside = this.readsAside(inTransaction) ? this.#aside : undefined;
    return aside?.read<R>(query, asker) ?? here();
  }

  readsAside(inTransaction: boolean): boolean {
    const isLarge = (this.#reader?.bytes() ?? 0) >= this.#options.asideBytes;
    return isLarge && !inTransaction && this.#aside !== undefined;
  }

  stateNow(): number | undefined {
    return this.#reader?.state();
  }

  async execute<R>(query: CompiledQuery, turn: Turn): Promise<QueryResult<R>> {
    if (turn.inTransaction) return this.#writer.execute(query);
    const read = this.#reader?.read<R>(query);
    if (read !== undefined) return read;
    await this.#hold(turn);
    return this.#unlocked(turn, () => this.#write<R>(query));
  }

  /**
   * Does what needs the lock of the file, and waits for it without blocking: other calls go on, reads among
   * them. Throws SQLITE_BUSY when the wait is over.
   */
  async #unlocked<T>(turn: Turn, work: () => T): Promise<T> {
    for (;;) {
      try {
        return work();
      } catch (error) {
        if (!isSqliteBusy(error) || this.#hasWaited(turn)) throw error;
      }
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Whether this turn met locks for as long as it may; that it met one is counted. */
  #hasWaited(turn: Turn): boolean {
    if (!turn.metLock) this.#options.tally.busy('locked');
    turn.metLock = true;
    return performance.now() - turn.askedAt >= this.#options.waitMs;
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
    return new Turn(this, performance.now());
  }

  async #hold(turn: Turn): Promise<void> {
    if (turn.isHeld) return;
    while (this.#tail !== undefined) await this.#tail;
    this.#tail = new Promise((resolve) => {
      this.#release = resolve;
    });
    turn.isHeld = true;
  }

  async releaseConnection(turn: Turn): Promise<void> {
    if (turn.isOver) return;
    turn.isOver = true;
    if (!turn.isHeld) return;
    this.#tail = undefined;
    this.#release?.();
  }

  async beginTransaction(turn: Turn): Promise<void> {
    await this.#hold(turn);
    await this.#unlocked(turn, () => {
      this.#group.begin();
      turn.inTransaction = true;
    });
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
    // Last, because it takes its time: a transaction that is cut off must not go on meanwhile.
    await this.#aside?.close();
  }
}
