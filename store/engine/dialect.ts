import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Dialect, QueryExecutorProvider } from 'kysely';
import type { Kit } from './kit.ts';
import type { Ear, News } from './news.ts';
import {
  isPostgresConflict,
  isPostgresUnavailable,
  isPostgresUniqueViolation,
  type PostgresOptions,
  postgresDialect,
  postgresSchema,
  postgresTime,
} from './postgres.ts';
import { postgresKit } from './postgres-kit.ts';
import { PostgresNews } from './postgres-news.ts';
import { SilenceWatch } from './postgres-silence.ts';
import { CrowdedError } from './read-turns.ts';
import { lockFile, sqliteDialect, sqliteKit } from './sqlite.ts';
import type { SqliteOptions } from './sqlite-driver.ts';
import { isSqliteUnavailable, isSqliteUniqueViolation } from './sqlite-errors.ts';

/** The database behind a URL: the only module that knows which one it is. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres';
  readonly dialect: Dialect;
  readonly kit: Kit;
  /** True where several processes may serve the same database at once. */
  readonly shared: boolean;
  /** The schema the tables stand in, where a database has several of them. */
  schema(db: QueryExecutorProvider): Promise<string | undefined>;
  /** The time by the clock of the database, where it has one of its own. */
  time(db: QueryExecutorProvider): Promise<Date | undefined>;
  /** Work whose statements may take longer than a call waits, such as a migration. */
  patiently<T>(work: () => Promise<T>): Promise<T>;
  /** Word between the processes of a database that several may serve. */
  readonly news?: (ear: Ear) => News;
  /** Claims a database that one process alone may serve. */
  lock(): { release(): void };
}

const FILE_SCHEME = 'file:';

/** `file:./data/rialto.db`, `file::memory:` or `postgres://…`. */
export function chooseEngine(url: string, options: PostgresOptions & SqliteOptions): Engine {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const silence = new SilenceWatch(options.waitMs);
    return {
      name: 'postgres',
      dialect: postgresDialect(url, options, silence),
      kit: postgresKit,
      shared: true,
      schema: postgresSchema,
      time: postgresTime,
      patiently: (work) => silence.patiently(work),
      news: (ear) => new PostgresNews(url, ear),
      lock: () => ({ release: () => {} }),
    };
  }
  const path = filePath(url);
  return {
    name: 'sqlite',
    dialect: sqliteDialect(path, options),
    kit: sqliteKit,
    shared: false,
    schema: async () => undefined,
    time: async () => undefined,
    patiently: (work) => work(),
    lock: () => lockFile(path),
  };
}

export function filePath(url: string): string {
  if (url === 'file::memory:') return ':memory:';
  if (url.startsWith('file://')) return fileURLToPath(url);
  if (url.startsWith(FILE_SCHEME)) return resolve(url.slice(FILE_SCHEME.length));
  throw new Error('A database URL starts with file: or postgres://');
}

/** True when a write broke a unique key; which one, the caller knows. */
export function isUniqueViolation(error: unknown): boolean {
  return isSqliteUniqueViolation(error) || isPostgresUniqueViolation(error);
}

/** Thrown inside a transaction by whoever finds that another one has written what it had read: it starts over. */
export class OvertakenError extends Error {
  override readonly name = 'OvertakenError';
}

/** True when a transaction lost against another and may be tried again at once. */
export function isRetryable(error: unknown): boolean {
  return error instanceof OvertakenError || isPostgresConflict(error);
}

/** True when the database cannot do its work at present, for reasons that pass: locked, full, read-only, gone. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof CrowdedError || isSqliteUnavailable(error) || isPostgresUnavailable(error);
}
