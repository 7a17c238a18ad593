import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs';
import SqliteDatabase from 'better-sqlite3';
import { makePrivate } from './sqlite-files.ts';

/** Copies of a database file, made while a service writes to it. */

/** All pages in one step: a copy made in pieces begins anew with every write of another process. */
const ALL_PAGES = 0x7fff_ffff;
const KEPT_TABLE = 'kept_beside_backup';
const SECRETS_KEY = 'secrets_key';

/** Copies a database as it is at one moment; nobody who reads or writes waits for it. */
export async function copyFile(from: string, to: string): Promise<void> {
  if (!existsSync(from)) throw new Error(`There is no database ${from}.`);
  makePrivate(to);
  const source = new SqliteDatabase(from, { readonly: true, timeout: 5_000 });
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
  settle(to);
}

/** One file alone, whatever happens next: without a log beside it, and on the disk. */
function settle(file: string): void {
  withFile(file, (database) => database.pragma('journal_mode = DELETE'));
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** Nobody looked into the file: it is held, this user may not have it, or the disk is full. No backup mends that. */
const NOT_LOOKED_INTO = /^SQLITE_(BUSY|LOCKED|READONLY|CANTOPEN|PERM|AUTH|FULL|IOERR)/;

/** What is wrong with a file; undefined when it is a database and whole. What keeps from looking is thrown. */
export function damageOf(file: string): string | undefined {
  try {
    const found = withFile(file, (database) => database.pragma('integrity_check', { simple: true }), true);
    return found === 'ok' ? undefined : String(found);
  } catch (error) {
    if (!(error instanceof Error)) return String(error);
    if ('code' in error && NOT_LOOKED_INTO.test(String(error.code))) throw error;
    return error.message;
  }
}

/** Puts the key that opens what is encrypted into a copy. */
export function keepSecretsKey(file: string, key: string): void {
  withFile(file, (database) => {
    database.exec(`create table ${KEPT_TABLE} (name text primary key, value text not null) strict`);
    database.prepare(`insert into ${KEPT_TABLE} values (?, ?)`).run(SECRETS_KEY, key);
  });
}

/** Takes that key out of a copy again: no database that is served holds it. */
export function takeSecretsKey(file: string): string | undefined {
  return withFile(file, (database) => {
    const isThere = database.prepare('select 1 from sqlite_master where name = ?').get(KEPT_TABLE);
    if (isThere === undefined) return undefined;
    const value: unknown = database.prepare(`select value from ${KEPT_TABLE}`).pluck().get();
    // Not a byte of it stays in a page that is free.
    database.pragma('secure_delete = ON');
    database.exec(`drop table ${KEPT_TABLE}`);
    return typeof value === 'string' ? value : undefined;
  });
}

function withFile<T>(file: string, work: (database: SqliteDatabase.Database) => T, readonly = false): T {
  const database = new SqliteDatabase(file, { fileMustExist: true, readonly });
  try {
    return work(database);
  } finally {
    database.close();
  }
}
