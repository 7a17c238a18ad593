import type SqliteDatabase from 'better-sqlite3';
import { takenBack } from './sqlite-errors.ts';

interface Member {
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Transactions that share one commit. A commit waits for the disk, and that wait is most of what a write
 * costs; so transactions that come in the same turn of the event loop run one after the other as savepoints
 * of an outer one, and all of them are told of their success once that one is on the disk, never before.
 * Readers on other connections see them all at once, or not at all.
 */
export class Group {
  readonly #database: SqliteDatabase.Database;
  readonly #sql: Readonly<Record<'begin' | 'commit' | 'rollback', SqliteDatabase.Statement>>;
  readonly #savepoint: Readonly<Record<'set' | 'release' | 'rollback', SqliteDatabase.Statement>>;
  readonly #committed: () => void;
  #members: Member[] = [];
  #underWay = false;
  #isDue = false;
  #isScheduled = false;

  /** `committed` is called after each commit, before anybody is told. */
  constructor(database: SqliteDatabase.Database, committed: () => void) {
    this.#database = database;
    this.#committed = committed;
    // The write lock at once: two processes never meet in the middle of a transaction.
    this.#sql = {
      begin: database.prepare('begin immediate'),
      commit: database.prepare('commit'),
      rollback: database.prepare('rollback'),
    };
    this.#savepoint = {
      set: database.prepare('savepoint member'),
      release: database.prepare('release member'),
      rollback: database.prepare('rollback to member'),
    };
  }

  begin(): void {
    if (!this.#database.inTransaction) this.#sql.begin.run();
    this.#savepoint.set.run();
    this.#underWay = true;
  }

  /** Resolves once the transaction is on the disk. */
  commit(): Promise<void> {
    this.#savepoint.release.run();
    const committed = new Promise<void>((resolve, reject) => {
      this.#members.push({ resolve, reject });
    });
    this.#end();
    return committed;
  }

  /** Takes back the one transaction; those that came before it stay. */
  rollback(): void {
    if (this.#database.inTransaction) {
      this.#savepoint.rollback.run();
      this.#savepoint.release.run();
    }
    this.#end();
  }

  #end(): void {
    this.#underWay = false;
    if (this.#isDue || this.#members.length === 0 || !this.#database.inTransaction) this.flush();
    else this.#flushSoon();
  }

  /** After the requests that came with this one had their turn. */
  #flushSoon(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#underWay) this.#isDue = true;
      else this.flush();
    });
  }

  /** Commits what is complete, and takes back what is under way. */
  close(): void {
    if (this.#underWay && this.#database.inTransaction) {
      this.#savepoint.rollback.run();
      this.#savepoint.release.run();
    }
    this.#underWay = false;
    this.flush();
  }

  /** Commits what waits. Never called while a transaction is under way. */
  flush(): void {
    this.#isDue = false;
    const members = this.#members.splice(0);
    if (members.length === 0 && !this.#database.inTransaction) return;
    try {
      // The database takes a whole transaction back by itself when, say, the disk is full.
      if (!this.#database.inTransaction) throw takenBack();
      this.#sql.commit.run();
    } catch (error) {
      if (this.#database.inTransaction) this.#sql.rollback.run();
      for (const { reject } of members) reject(error);
      return;
    }
    this.#committed();
    for (const { resolve } of members) resolve();
  }
}
