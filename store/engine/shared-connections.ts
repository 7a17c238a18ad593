import { type Dialect, Kysely } from 'kysely';
import type { Asker, ConnectionGate } from './connection-gate.ts';
import type { Database } from './database.ts';

/** A database whose connections all share who use it: each has its turn. */
export interface SharesConnections {
  readonly places: ConnectionGate;
}

function sharesConnections(adapter: object): adapter is SharesConnections {
  return 'places' in adapter;
}

/** What somebody asks of a database, in turn with the others. */
export interface InTurn {
  /** The same database, for reads of this asker. */
  dbFor(asker: Asker): Kysely<Database>;
  /** Runs a transaction, which takes one turn for all that it does. */
  inTurn<T>(asker: Asker, transaction: () => Promise<T>): Promise<T>;
}

/**
 * Has those who use a database take turns at its connections: an organization with many calls under way waits for
 * itself, and so does the service. Where there is nothing to share, nobody waits.
 */
export function turnsAt(db: Kysely<Database>, dialect: Dialect): InTurn {
  const executor = db.getExecutor();
  const { adapter } = executor;
  if (!sharesConnections(adapter)) {
    return { dbFor: () => db, inTurn: (_asker, transaction) => transaction() };
  }
  const { places } = adapter;
  // It opens nothing: connections are those of the database that there is.
  const driver = dialect.createDriver();
  const dbFor = (asker: Asker) =>
    new Kysely<Database>({
      config: { dialect },
      dialect,
      driver,
      executor: executor.withConnectionProvider({
        provideConnection: (consumer) => places.read(asker, () => executor.provideConnection(consumer)),
      }),
    });
  return { dbFor, inTurn: (asker, transaction) => places.transaction(asker, transaction) };
}
