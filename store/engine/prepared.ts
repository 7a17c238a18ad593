import type { Compilable, CompiledQuery, QueryResult } from 'kysely';
import { asArguments } from './codec.ts';
import type { Db } from './db.ts';

/** Stands where an argument will stand, in a query that is compiled before there is one. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A database in this process. */
export interface InPlace {
  /** The answer, when nothing stands in the way; undefined otherwise. */
  executeNow<R>(query: CompiledQuery, inTransaction: boolean): QueryResult<R> | undefined;
  /** The state of the database that reads in this turn see: another one after every commit. */
  stateNow(): number | undefined;
  /** Whether so much is stored that long reads are answered beside the event loop. */
  readsAside(inTransaction: boolean): boolean;
}

export function isInPlace(adapter: object): adapter is InPlace {
  return 'executeNow' in adapter;
}

type Arguments = Readonly<Record<string, unknown>>;

export interface Prepared<A, R> {
  all(db: Db, args: A): Promise<R[]>;
  first(db: Db, args: A): Promise<R | undefined>;
  /** The one row that a write gives back. */
  one(db: Db, args: A): Promise<R>;
}

/** A query compiled for one database, and for arguments of these names. */
interface Compiled {
  readonly names: readonly string[];
  readonly query: CompiledQuery;
}

/**
 * A query that is built and compiled once for each database and then only filled in: building a query costs
 * several times what SQLite needs to answer it. Its shape may depend on nothing but the names of its
 * arguments; a query that takes filters is built anew each time.
 */
export function prepared<A extends Arguments, R>(build: (db: Db, args: A) => Compilable<R>): Prepared<A, R> {
  const known = new WeakMap<object, Compiled[]>();
  const compiledFor = (db: Db, adapter: object, args: Arguments): CompiledQuery => {
    const shapes = known.get(adapter) ?? [];
    for (const { names, query } of shapes) if (fits(names, args)) return query;
    const names = Object.keys(args);
    const query = build(db, placesFor<A>(names)).compile();
    known.set(adapter, [...shapes, { names, query }]);
    return query;
  };
  const run = (db: Db, args: A): QueryResult<R> | Promise<QueryResult<R>> => {
    const { adapter } = db.getExecutor();
    const { query: node, queryId, sql, parameters } = compiledFor(db, adapter, args);
    const query = { query: node, queryId, sql, parameters: fill(parameters, args) };
    const now = isInPlace(adapter) ? adapter.executeNow<R>(query, db.isTransaction) : undefined;
    return now ?? db.executeQuery<R>(query);
  };
  // No async functions: each would add a turn of the queue to an answer that is there already.
  const answered = <T>(db: Db, args: A, take: (result: QueryResult<R>) => T): Promise<T> => {
    try {
      const result = run(db, args);
      return result instanceof Promise ? result.then(take) : Promise.resolve(take(result));
    } catch (error) {
      return Promise.reject(error);
    }
  };
  return {
    all: (db, args) => answered(db, args, allOf),
    first: (db, args) => answered(db, args, firstOf),
    one: (db, args) => answered(db, args, onlyOf),
  };
}

function allOf<R>({ rows }: QueryResult<R>): R[] {
  return rows;
}

function firstOf<R>({ rows }: QueryResult<R>): R | undefined {
  return rows[0];
}

function onlyOf<R>({ rows: [row] }: QueryResult<R>): R {
  if (row === undefined) throw new Error('The write gave no row back.');
  return row;
}

/** Whether the arguments have these names, in this order. */
function fits(names: readonly string[], args: Arguments): boolean {
  let index = 0;
  for (const name in args) {
    if (names[index] !== name) return false;
    index += 1;
  }
  return index === names.length;
}

function placesFor<A>(names: readonly string[]): A {
  return asArguments<A>(Object.fromEntries(names.map((name) => [name, new Place(name)])));
}

function fill(parameters: readonly unknown[], args: Arguments): unknown[] {
  const filled: unknown[] = [];
  for (const parameter of parameters) {
    filled.push(parameter instanceof Place ? args[parameter.name] : parameter);
  }
  return filled;
}
