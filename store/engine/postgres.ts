import { setTimeout as pause } from 'node:timers/promises';
import {
  type Dialect,
  type Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresIntrospector,
  type QueryExecutorProvider,
  type QueryResult,
  sql,
  type TableMetadata,
} from 'kysely';
import type pg from 'pg';
import { type ConnectionBounds, ConnectionGate } from './connection-gate.ts';
import type { SilenceWatch } from './postgres-silence.ts';
import { type GateOptions, type LongRead, type ReadBounds, ReadGate, type TakesTurns } from './read-turns.ts';
import type { SharesConnections } from './shared-connections.ts';

const STATEMENTS_KEPT = 1_000;
const INT8_OID = 20;
const UNIQUE_VIOLATION = '23505';
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
/**
 * Classes and codes of what passes (PostgreSQL, Appendix A): connection lost, out of disk or connections, shutting
 * down or starting, read-only as a standby is, idle for too long amid a transaction, lock not available, lost to others
 * again and again.
 */
const PASSING = /^(08...|53...|57P0[1-5]|25006|25P03|55P03|40001|40P01)$/;
/** What a process holds that sleeps amid a transaction, or whose machine is gone, others wait for no longer. */
const LEFT_OPEN_MAX = '1min';
/** The same before there is a connection, in the words of the system and of the driver. */
const UNREACHED =
  /^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|ENOENT)$/;
const LOST = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/;

export interface PostgresOptions {
  readonly connections: number;
  /** Off behind a pooler that hands each transaction another connection. */
  readonly namedStatements: boolean;
  /** Milliseconds to wait for a connection, and for the answer to a statement; on a file, for its lock. */
  readonly waitMs: number;
  /** How many long reads may wait. */
  readonly longReads: ReadBounds;
}

/** Long reads that are under way at a time, as parts of the connections: others need some at any time. */
const LONG_READS = 3 / 4;
/** And of these those of one organization. */
const LONG_READS_OF_ONE = 1 / 2;

export function postgresDialect(url: string, options: PostgresOptions, silence: SilenceWatch): Dialect {
  const { connections, waitMs, longReads } = options;
  const part = (share: number) => Math.max(1, Math.floor(connections * share));
  const long = { atOnce: part(LONG_READS), atOnceOfOne: part(LONG_READS_OF_ONE), waitMs, ...longReads };
  // What waits are calls that were let in: time bounds them.
  return new OneSchemaDialect({ pool: () => openPool(url, options, silence) }, { long, connections, waitMs });
}

interface Gates extends ConnectionBounds {
  readonly long: GateOptions;
}

/** All who use the connections come in turns, lists by themselves among the reads, before they want one. */
class TurnsAdapter extends PostgresAdapter implements TakesTurns, SharesConnections {
  readonly places: ConnectionGate;
  readonly #gate: ReadGate;

  constructor({ long, ...bounds }: Gates) {
    super();
    this.places = new ConnectionGate(bounds);
    this.#gate = new ReadGate(long);
  }

  /** A transaction has its connection already. */
  readLong<R>({ asker, inTransaction, here }: LongRead<R>): Promise<QueryResult<R>> {
    return inTransaction ? here() : this.#gate.run(asker, here);
  }
}

/** The driver is loaded where there is such a database, so that a service on a file is ready sooner. */
async function openPool(url: string, options: PostgresOptions, silence: SilenceWatch): Promise<pg.Pool> {
  const { default: driver } = await import('pg');
  const types = safeIntegers(new driver.TypeOverrides());
  const { connections: max, waitMs: connectionTimeoutMillis } = options;
  const pool = new driver.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis,
    types,
    keepAlive: true,
    // By a statement: a pool between the two may refuse what is asked as a connection begins.
    onConnect: async (client) => {
      await client.query(`set idle_in_transaction_session_timeout = '${LEFT_OPEN_MAX}'`);
    },
  });
  // A connection that breaks while idle is replaced at its next use; without a listener it ends the process.
  pool.on('error', () => {});
  // One that breaks in use tells whoever waits for its answer; its own event would end the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  if (options.namedStatements) {
    const names = new Map<string, string>();
    pool.on('connect', (client) => nameStatements(client, names));
  }
  pool.on('connect', (client) => silence.over(client));
  return endingLast(pool);
}

/** Between two looks at who still waits for a connection. */
const LOOK_AGAIN_MS = 5;

/**
 * A pool that is ended forgets who waits for a connection, and they would hear of it only when their time is over: it
 * is ended once nobody does.
 */
function endingLast(pool: pg.Pool): pg.Pool {
  const end = pool.end.bind(pool);
  return Object.assign(pool, {
    end: async () => {
      while (pool.waitingCount > 0) await pause(LOOK_AGAIN_MS);
      await end();
    },
  });
}

/** One connection beside the pool. Who hears nothing within this time is told so. */
export async function newClient(url: string, waitMs: number): Promise<pg.Client> {
  const { default: driver } = await import('pg');
  const waits = { connectionTimeoutMillis: waitMs, query_timeout: waitMs };
  return new driver.Client({ connectionString: url, keepAlive: true, ...waits });
}

/**
 * The migrator looks for its tables among all of the database, and fails when somebody drops another schema
 * while it looks. Ours are in the connection's own schema.
 */
class OneSchemaDialect extends PostgresDialect {
  readonly #reads: Gates;

  constructor(config: PostgresDialectConfig, reads: Gates) {
    super(config);
    this.#reads = reads;
  }

  override createAdapter(): TurnsAdapter {
    return new TurnsAdapter(this.#reads);
  }

  override createIntrospector(db: Kysely<unknown>): PostgresIntrospector {
    return new OneSchemaIntrospector(db);
  }
}

class OneSchemaIntrospector extends PostgresIntrospector {
  readonly #db: Kysely<unknown>;

  constructor(db: Kysely<unknown>) {
    super(db);
    this.#db = db;
  }

  override async getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string; schema: string }>`
      select tablename as name, schemaname as schema from pg_catalog.pg_tables where schemaname = current_schema()
    `.execute(this.#db);
    return rows.map((table) => ({ ...table, isView: false, columns: [] }));
  }
}

/** The first schema of the connection's search path: where it makes its tables. */
export async function postgresSchema(db: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ name: string | null }>`select current_schema() as name`.execute(db);
  return rows[0]?.name ?? undefined;
}

/** What its own clock says, which need not be that of this machine. */
export async function postgresTime(db: QueryExecutorProvider): Promise<Date | undefined> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db);
  return rows[0]?.now;
}

/** PostgreSQL sends 64-bit integers as text; every number we keep is one that JavaScript can hold. */
function safeIntegers(types: pg.TypeOverrides): pg.TypeOverrides {
  types.setTypeParser(INT8_OID, (text) => {
    const value = Number(text);
    if (!Number.isSafeInteger(value)) throw new Error(`${text} is beyond the integers this service keeps.`);
    return value;
  });
  return types;
}

/**
 * Gives every statement with parameters a name, so that the server parses and plans it once a connection.
 * Kysely hands over plain text; the name has to be put in where the text meets the driver.
 */
function nameStatements(client: pg.PoolClient, names: Map<string, string>): void {
  const query = client.query.bind(client);
  const named = (text: unknown, values: unknown): unknown => {
    if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
      return Reflect.apply(query, client, values === undefined ? [text] : [text, values]);
    }
    const name = nameOf(text, names);
    return query(name === undefined ? { text, values } : { name, text, values });
  };
  Object.assign(client, { query: named });
}

function nameOf(text: string, names: Map<string, string>): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= STATEMENTS_KEPT) return known;
  const name = `s${names.size + 1}`;
  names.set(text, name);
  return name;
}

export function isPostgresUniqueViolation(error: unknown): boolean {
  return codeOf(error) === UNIQUE_VIOLATION;
}

export function isPostgresConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === SERIALIZATION_FAILURE || code === DEADLOCK;
}

/** The database does not answer, or not to writes, for reasons that pass. */
export function isPostgresUnavailable(error: unknown): boolean {
  const code = codeOf(error);
  if (code !== undefined) return PASSING.test(code);
  return error instanceof Error && (isUnreached(error) || LOST.test(error.message));
}

/** A name with several addresses fails with one error for each of them. */
function isUnreached(error: Error): boolean {
  if ('syscall' in error && 'code' in error) return UNREACHED.test(String(error.code));
  return (
    error instanceof AggregateError && error.errors.every((one) => one instanceof Error && isUnreached(one))
  );
}

function codeOf(error: unknown): string | undefined {
  const isFromDatabase = error instanceof Error && 'severity' in error && 'code' in error;
  return isFromDatabase && typeof error.code === 'string' ? error.code : undefined;
}
