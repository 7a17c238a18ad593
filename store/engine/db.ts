import { Kysely, type KyselyPlugin, type LogEvent, type Transaction } from 'kysely';
import type { Asker } from './connection-gate.ts';
import type { Database } from './database.ts';
import { type DatabaseTally, uncounted } from './database-tally.ts';
import { chooseEngine, type Engine, isRetryable } from './dialect.ts';
import { notesOf } from './once-stored.ts';
import type { ReadBounds } from './read-turns.ts';
import { type InTurn, turnsAt } from './shared-connections.ts';

/** The database or a transaction on it: what every store function takes first. */
export type Db = Kysely<Database> | Transaction<Database>;

export interface Store {
  readonly db: Kysely<Database>;
  readonly engine: Engine;
  /** The same for reads of an organization or of the service, which take turns where connections are few. */
  readonly dbFor: InTurn['dbFor'];
  /**
   * Runs the work in one transaction, in the turn of an organization where it is one's, and among the service's own
   * work otherwise. Never wait for the network inside: one connection serves SQLite.
   */
  transaction<T>(work: (tx: Transaction<Database>) => Promise<T>, asker?: Asker): Promise<T>;
  /** Calls back with each topic that a transaction noted (`tellOnceStored`), once it is stored. */
  onStored(tell: (topic: string) => void): void;
  /** Brings the tables to the newest shape, all or nothing, one process at a time. Gives the steps that it ran. */
  migrate(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** The store as work within a transaction sees it: each step writes in the one that is under way. */
export function storeWithin(store: Store, tx: Transaction<Database>): Store {
  return { ...store, db: tx, dbFor: () => tx, transaction: (work) => work(tx) };
}

export interface StoreOptions {
  readonly connections?: number;
  readonly namedStatements?: boolean;
  /** Milliseconds to wait for a locked file or a connection before the database counts as unavailable. */
  readonly waitMs?: number;
  /** Size of a database file, in bytes, from which lists are read beside the event loop. */
  readonly asideBytes?: number;
  /** How many reads of lists may wait for their turn. */
  readonly longReads?: ReadBounds;
  readonly plugins?: KyselyPlugin[];
  readonly log?: (event: LogEvent) => void;
  readonly tally?: DatabaseTally | undefined;
}

const ATTEMPTS = 5;
/** Looking through a file of this size takes some ten milliseconds. */
const ASIDE_BYTES = 33_554_432;
const LONG_READS: ReadBounds = { waiting: 1_000, waitingOfOne: 200 };

/** What brings a database to its newest shape: the engine knows no table of its own accord. */
export interface Shaping {
  migrate(db: Kysely<Database>, engine: Engine): Promise<readonly string[]>;
}

export function connect(url: string, options: StoreOptions & Shaping): Store {
  const tally = options.tally ?? uncounted;
  const engine = chooseEngine(url, {
    connections: options.connections ?? 10,
    namedStatements: options.namedStatements ?? true,
    waitMs: options.waitMs ?? 5_000,
    asideBytes: options.asideBytes ?? ASIDE_BYTES,
    longReads: options.longReads ?? LONG_READS,
    tally,
  });
  const whole = new Kysely<Database>({
    dialect: engine.dialect,
    plugins: options.plugins ?? [],
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  const { dbFor, inTurn } = turnsAt(whole, engine.dialect);
  let tell = (_topic: string) => {};
  return {
    db: dbFor('door'),
    engine,
    dbFor,
    transaction: async (work, asker = 'service') => {
      const began = performance.now();
      const run = () =>
        withRetry(tally, () =>
          whole.transaction().execute(async (tx) => {
            const topics = notesOf(tx);
            return { result: await work(tx), topics };
          }),
        );
      try {
        const { result, topics } = await inTurn(asker, run);
        for (const topic of topics) tell(topic);
        return result;
      } finally {
        tally.transaction((performance.now() - began) / 1_000);
      }
    },
    onStored: (teller) => {
      tell = teller;
    },
    // A step is of the tables and no tenant's: what looks at the tenants' queries has nothing to say to it.
    migrate: () => engine.patiently(() => options.migrate(whole.withoutPlugins(), engine)),
    close: () => whole.destroy(),
  };
}

/** A transaction that lost against another starts over; nothing of it was kept. */
async function withRetry<T>(tally: DatabaseTally, run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!isRetryable(error)) throw error;
      tally.busy('conflict');
      if (attempt === ATTEMPTS) throw error;
    }
  }
}
