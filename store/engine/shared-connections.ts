import { type Dialect, Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { ReadGate } from './read-turns.ts';
import type { Tenant } from './scope.ts';

/** A database whose connections all share who use it: each organization has its turn. */
export interface SharesConnections {
  readonly reads: ReadGate;
  readonly transactions: ReadGate;
}

function sharesConnections(adapter: object): adapter is SharesConnections {
  return 'reads' in adapter && 'transactions' in adapter;
}

/** What an organization asks of a database, in its turn. */
export interface InTurn {
  /** The same database, for its reads. */
  dbFor(asker: Tenant): Kysely<Database>;
  /** Runs a transaction of it, which takes one turn for all that it does. */
  inTurn<T>(asker: Tenant, transaction: () => Promise<T>): Promise<T>;
}

/**
 * Has organizations take turns at the connections: one with many calls under way waits for itself. Where there is
 * nothing to share, nobody waits.
 */
export function turnsAt(db: Kysely<Database>, dialect: Dialect): InTurn {
  const executor = db.getExecutor();
  const { adapter } = executor;
  if (!sharesConnections(adapter)) {
    return { dbFor: () => db, inTurn: (_asker, transaction) => transaction() };
  }
  // It opens nothing: connections are those of the database that there is.
  const driver = dialect.createDriver();
  const dbFor = (asker: Tenant) =>
    new Kysely<Database>({
      config: { dialect },
      dialect,
      driver,
      executor: executor.withConnectionProvider({
        provideConnection: (consumer) => adapter.reads.run(asker, () => executor.provideConnection(consumer)),
      }),
    });
  return { dbFor, inTurn: (asker, transaction) => adapter.transactions.run(asker, transaction) };
}
