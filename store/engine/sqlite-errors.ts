import SqliteDatabase from 'better-sqlite3';

const UNIQUE_VIOLATIONS: ReadonlySet<string> = new Set([
  'SQLITE_CONSTRAINT_UNIQUE',
  'SQLITE_CONSTRAINT_PRIMARYKEY',
]);

/** What passes when somebody lets go of the file or makes room; the codes have further words behind these. */
const PASSING = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN|PROTOCOL|NOMEM|ABORT_ROLLBACK)/;

export function isSqliteUniqueViolation(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && UNIQUE_VIOLATIONS.has(error.code);
}

/** Another process holds the lock. */
export function isSqliteBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** The file cannot be written or read at present: locked, full, read-only, gone. */
export function isSqliteUnavailable(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && PASSING.test(error.code);
}

/** What a member of a group is told when the database took the whole group back, as a full disk makes it do. */
export function takenBack(): Error {
  return new SqliteDatabase.SqliteError('The database took the transaction back.', 'SQLITE_ABORT_ROLLBACK');
}

/** What a query failed with in another thread. */
export function failed({ message, code }: { readonly message: string; readonly code: string }): Error {
  return new SqliteDatabase.SqliteError(message, code);
}

/** Too many wait for the file, or the thread that reads it ended. */
export function unavailableNow(): Error {
  return new SqliteDatabase.SqliteError('The database is busy.', 'SQLITE_BUSY');
}
