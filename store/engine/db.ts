import { Kysely, type KyselyPlugin, type LogEvent, Migrator, type Transaction } from 'kysely';
import { migrationsFor } from '../migrations/list.ts';
import { chooseEngine, type Engine, isRetryable } from './dialect.ts';
import type { Database } from './schema.ts';

/** The database or a transaction on it: what every store function takes first. */
export type Db = Kysely<Database> | Transaction<Database>;

export interface Store {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  /** Runs the work in one transaction. Never wait for the network inside: one connection serves SQLite. */
  transaction<T>(work: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** Brings the tables to the newest shape, all or nothing, one process at a time. */
  migrate(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly connections?: number;
  readonly namedStatements?: boolean;
  readonly plugins?: KyselyPlugin[];
  readonly log?: (event: LogEvent) => void;
}

const ATTEMPTS = 5;

export function openStore(url: string, options: StoreOptions = {}): Store {
  const engine = chooseEngine(url, {
    connections: options.connections ?? 10,
    namedStatements: options.namedStatements ?? true,
  });
  const db = new Kysely<Database>({
    dialect: engine.dialect,
    plugins: options.plugins ?? [],
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  return {
    db,
    engine,
    transaction: (work) => withRetry(() => db.transaction().execute(work)),
    migrate: () => migrate(db, engine),
    close: () => db.destroy(),
  };
}

/** A transaction that lost against another starts over; nothing of it was kept. */
async function withRetry<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt === ATTEMPTS || !isRetryable(error)) throw error;
    }
  }
}

async function migrate(db: Kysely<Database>, engine: Engine): Promise<void> {
  // Without a schema the migrator would take the tables of another one in the same database for its own.
  const schema = await engine.schema(db);
  const migrator = new Migrator({
    db,
    provider: migrationsFor(engine.kit),
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
